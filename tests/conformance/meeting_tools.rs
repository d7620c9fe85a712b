//! Tools that answer when a number of calls has come, which shows that calls overlap, and others for the same programs.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use isolette::{SandboxBuilder, Tool};
use isolette_tests::Case;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::Barrier;

#[derive(Deserialize, JsonSchema)]
struct Meeting {
    /// The number of calls that have to come.
    of: usize,
    /// The result.
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Named {
    /// The result.
    name: String,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Nothing {}

/// Places where a number of calls meets.
#[derive(Clone, Default)]
pub(crate) struct Places(Arc<Mutex<HashMap<usize, Arc<Barrier>>>>);

impl Places {
    pub(crate) async fn meet(&self, of: usize) {
        let place = Arc::clone(self.0.lock().unwrap().entry(of).or_insert_with(|| Arc::new(Barrier::new(of))));
        place.wait().await;
    }
}

/// A builder with these tools.
pub(crate) fn with_tools(case: &Case) -> SandboxBuilder {
    let places = Places::default();
    let meet = Tool::typed_async("meet", "Waits for others", move |Meeting { of, name }| {
        let places = places.clone();
        async move {
            places.meet(of).await;
            Ok::<_, String>(name)
        }
    });
    let four = Arc::new(std::sync::Barrier::new(4));
    let meet_blocking = Tool::typed("meet_blocking", "Blocks until four are there", move |Named { name }| {
        four.wait();
        Ok::<_, String>(name)
    });
    let fail = Tool::typed_async("fail", "Fails", async |Named { name }| Err::<(), _>(format!("no {name}")));
    let panic = Tool::typed_async("panic", "Panics", async |Nothing {}| -> Result<(), String> { panic!("on purpose") });
    let stuck = Tool::typed_async("stuck", "Never ends", async |Nothing {}| {
        std::future::pending::<()>().await;
        Ok::<_, String>(())
    });
    [meet, meet_blocking, fail, panic, stuck]
        .into_iter()
        .fold(case.builder(), |builder, tool| builder.tool(tool.unwrap()))
}
