//! Requests of a caller with a token, to a service without guests. `src/requests.rs` describes the form of an input.

#![no_main]

use std::cell::RefCell;

use isolette_fuzz::{requests::Input, responses::Responses, service::Server};

/// A service begins anew after this many inputs, since it keeps responses for a day.
const INPUTS: u32 = 20_000;

thread_local! {
    static SERVER: RefCell<Option<(Server, u32)>> = const { RefCell::new(None) };
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let input = Input::of(bytes);
    SERVER.with_borrow_mut(|place| {
        let (server, count) = place.get_or_insert_with(|| (Server::start(), 0));
        let answer = server.exchange(&input.sent, input.is_whole);
        let responses = Responses::read(&answer, input.is_head);
        responses.assert_sound();
        if input.is_whole {
            assert_eq!((responses.whole.len(), responses.rest), (1, &b""[..]), "{}", answer.escape_ascii());
        }
        if responses.whole.iter().any(|response| response.status < 400) && !input.only_reads() {
            server.renew_sandboxes();
        }
        *count += 1;
        if *count == INPUTS
            && let Some((server, _)) = place.take()
        {
            server.stop();
        }
    });
});
