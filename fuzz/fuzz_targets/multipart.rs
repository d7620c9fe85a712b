//! Forms with files, to a service without guests. `src/multipart.rs` describes the form of an input.

#![no_main]

use std::cell::RefCell;

use isolette_fuzz::{multipart::Form, requests::Input, responses::Responses, service::Server};

/// The sandbox begins anew after this many inputs, so that it does not become full.
const INPUTS: u32 = 2000;

/// The limit on files of the service.
const FILE: usize = 2048;

thread_local! {
    static SERVER: RefCell<Option<(Server, u32)>> = const { RefCell::new(None) };
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let form = Form::of(bytes);
    SERVER.with_borrow_mut(|place| {
        let (server, count) = place.get_or_insert_with(|| (Server::start(), 0));
        let head = format!(
            "POST /e2b/files\nE2b-Sandbox-Id: work\nContent-Type: multipart/form-data; boundary={}\n\n",
            form.boundary
        );
        let status = ask(server, &[head.as_bytes(), &form.body].concat()).0;
        if let Some(files) = form.files.filter(|_| server.has_sandbox()) {
            let expected = if files.values().any(|file| file.len() > FILE) || form.parts > 1000 { 413 } else { 200 };
            // A file that is replaced by a later one of the form is too long, too.
            assert!(status == expected || status == 413, "status {status} in place of {expected}");
            if status == 200 {
                for (path, content) in files {
                    let request = format!("GET /e2b/files?path={path}\nE2b-Sandbox-Id: work\n\n");
                    let (status, found) = ask(server, request.as_bytes());
                    assert_eq!((status, found.escape_ascii().to_string()), (200, content.escape_ascii().to_string()));
                }
            }
        }
        *count += 1;
        if (*count).is_multiple_of(INPUTS) {
            server.renew_sandboxes();
        }
    });
});

/// The status and the body of the response to a request.
fn ask(server: &Server, request: &[u8]) -> (u16, Vec<u8>) {
    let answer = server.exchange(&Input::of(request).sent, true);
    let responses = Responses::read(&answer, false);
    responses.assert_sound();
    let [response] = responses.whole.as_slice() else { panic!("{}", answer.escape_ascii()) };
    (response.status, response.body().to_vec())
}
