//! Bodies of requests with a token, to a service that grants little: whatever they say, no sandbox gets more.

#![no_main]

use std::cell::RefCell;

use isolette_fuzz::{grants, requests::Input, responses::Responses, service::Server};

/// The sandboxes are deleted after this many inputs.
const INPUTS: u32 = 200;

thread_local! {
    static SERVER: RefCell<Option<(Server, u32)>> = const { RefCell::new(None) };
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((first, body)) = bytes.split_first() else { return };
    let path = ["/v1/sandboxes", "/v1/runs", "/v1/sandboxes/work/runs"][usize::from(*first) % 3];
    SERVER.with_borrow_mut(|place| {
        let (server, count) = place.get_or_insert_with(|| (Server::start_with(grants::POLICY), 0));
        let head = format!("POST {path}\nContent-Type: application/json\n\n");
        let answer = server.exchange(&Input::of(&[head.as_bytes(), body].concat()).sent, true);
        let responses = Responses::read(&answer, false);
        responses.assert_sound();
        let [response] = responses.whole.as_slice() else { panic!("{}", answer.escape_ascii()) };
        match path {
            "/v1/sandboxes" if response.status == 201 => grants::assert_within(&response.json()),
            "/v1/sandboxes" => {}
            _ => grants::assert_refused_if_too_long(body, response.status),
        }
        *count += 1;
        if (*count).is_multiple_of(INPUTS) {
            server.renew_sandboxes();
        }
    });
});
