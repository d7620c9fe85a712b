//! Functions of custom interfaces that a program calls at the same time. Their calls return when a number of calls has come.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use isolette::{CallContext, CallMode, Owned, Sandbox};
use isolette_tests::{Case, scenario};
use serde_json::json;
use tokio::sync::Barrier;

isolette::capability!({
    path: "conformance/capabilities/meetings.wit",
    interface: "test:meetings/places",
    implementation: Server,
    resources: { place: Place },
    async: true,
});

#[derive(Clone, Default)]
struct Server(Arc<Mutex<HashMap<u32, Arc<Barrier>>>>);

pub(super) struct Place(Arc<Barrier>);

impl Server {
    async fn wait(&self, of: u32) {
        let barrier = Arc::new(Barrier::new(of as usize));
        let place = Arc::clone(self.0.lock().unwrap().entry(of).or_insert(barrier));
        place.wait().await;
    }
}

impl places::PlaceMethods for Place {
    async fn meet(&self, _: &CallContext, name: String) -> String {
        self.0.wait().await;
        name
    }
}

impl places::Places for Server {
    async fn new_place(&self, _: &CallContext, of: u32) -> Owned<Place> {
        Owned::new(Place(Arc::new(Barrier::new(of as usize))))
    }

    async fn meet(&self, _: &CallContext, of: u32, name: String) -> Result<String, String> {
        self.wait(of).await;
        if name == "nobody" { Err("nobody came".into()) } else { Ok(name) }
    }

    async fn close(&self, _: &CallContext, place: Owned<Place>, of: u32) -> String {
        self.wait(of).await;
        drop(place);
        "closed".into()
    }

    async fn carry(&self, _: &CallContext, of: u32, bytes: Vec<u8>) -> Vec<u8> {
        self.wait(of).await;
        bytes
    }
}

fn sandbox(case: &Case) -> Sandbox {
    case.builder().capability(places::capability(Server::default())).build().unwrap()
}

#[scenario(programs = ["capabilities/at_once"])]
fn functions_are_called_at_the_same_time(case: &Case) {
    let result = sandbox(case).run(&case.program()).unwrap();
    let expected =
        json!([["a", "b"], ["c", "places.meet: nobody came"], ["d", "e", "f"], ["closed", "closed"], true, [7, 9]]);
    assert_eq!(result.value, Some(expected), "{:?}", result.error);
    assert_eq!(result.call_modes.interfaces.unwrap().mode, CallMode::Async);
}

#[scenario(programs = ["capabilities/given_up"])]
fn a_call_that_is_given_up_ends(case: &Case) {
    let result = sandbox(case).run(&case.program()).unwrap();
    assert_eq!(result.stdout, "given up\n", "{:?}", result.error);
    let outcomes: Vec<_> = result.calls.iter().map(|call| call.outcome.as_str()).collect();
    assert_eq!(outcomes, case.pick(vec!["cancelled"], vec!["unfinished"]), "{:?}", result.calls);
}
