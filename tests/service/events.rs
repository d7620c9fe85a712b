//! Events of runs as they happen.

use isolette_tests::host_test;
use serde_json::{Value, json};

use crate::server::{RUNTIME, Server, text};

/// A reader of events.
pub(crate) struct Events {
    response: reqwest::Response,
    buffered: String,
}

/// The events of a run.
pub(crate) fn of(server: &Server, run: &str, after: Option<&str>) -> Events {
    let mut headers = vec![("accept", "text/event-stream")];
    headers.extend(after.map(|id| ("last-event-id", id)));
    let response = server.stream("GET", &format!("{run}/events"), &headers, String::new());
    Events { response, buffered: String::new() }
}

/// Begins a run, and returns its events.
pub(crate) fn begin(server: &Server, path: &str, body: &Value) -> Events {
    let headers = [("accept", "text/event-stream"), ("content-type", "application/json")];
    Events { response: server.stream("POST", path, &headers, body.to_string()), buffered: String::new() }
}

impl Iterator for Events {
    type Item = (String, String, Value);

    /// The number, the name and the data of the next event.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((event, rest)) = self.buffered.split_once("\n\n") {
                let field = |name: &str| {
                    let mut lines = event.lines();
                    lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).map(str::to_owned)
                };
                let parsed = (field("id"), field("event"), field("data"));
                self.buffered = rest.to_owned();
                if let (Some(id), Some(name), Some(data)) = parsed {
                    return Some((id, name, serde_json::from_str(&data).expect("JSON")));
                }
                continue;
            }
            let chunk = RUNTIME.block_on(self.response.chunk()).expect("the connection holds")?;
            self.buffered.push_str(std::str::from_utf8(&chunk).expect("events are ASCII here"));
        }
    }
}

const COUNTING: &str = "for i in range(5):\n    print(i, flush=True)\n'end'";

fn output(events: &[(String, String, Value)]) -> String {
    events.iter().filter(|(_, name, _)| name == "output").map(|(_, _, data)| text(data, "text")).collect()
}

#[host_test]
fn output_comes_before_the_end_and_in_order() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    let events: Vec<_> = begin(&server, &format!("{sandbox}/runs"), &json!({ "code": COUNTING })).collect();
    let names: Vec<_> = events.iter().map(|(_, name, _)| name.as_str()).collect();
    assert_eq!((names[0], names[names.len() - 1]), ("state", "end"), "{names:?}");
    assert_eq!(output(&events), "0\n1\n2\n3\n4\n");
    let (_, _, end) = events.last().expect("the end");
    assert_eq!((text(end, "state"), text(&end["result"], "value")), ("succeeded", "end"));
    let numbers: Vec<usize> = events.iter().map(|(id, _, _)| id.parse().expect("a number")).collect();
    assert_eq!(numbers, (0..events.len()).collect::<Vec<_>>());
}

#[host_test]
fn a_reader_continues_after_the_last_event_that_it_has() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    let run = server.begin(&format!("{sandbox}/runs"), json!({ "code": COUNTING }));
    let all: Vec<_> = of(&server, &run, None).collect();
    assert_eq!(output(&all), "0\n1\n2\n3\n4\n");
    for (position, (id, _, _)) in all.iter().enumerate() {
        let rest: Vec<_> = of(&server, &run, Some(id)).collect();
        // Nothing of the output comes twice or is missing, and the end comes always.
        assert_eq!(output(&all[..=position]) + &output(&rest), output(&all), "after {id}");
        assert_eq!(rest.last().map(|(_, name, _)| name.as_str()), Some("end"), "after {id}");
    }
    // The output and the end are the same from the database.
    let server = server.stopped();
    let later: Vec<_> = of(&server, &run, None).collect();
    assert_eq!(output(&later), "0\n1\n2\n3\n4\n");
    assert_eq!(
        later.last().map(|(_, name, data)| (name.as_str(), data)),
        all.last().map(|(_, name, data)| (name.as_str(), data))
    );
    assert_eq!(server.send("GET", &format!("{run}/events"), &[("last-event-id", "x")], None).status, 400);
}

#[host_test]
fn a_program_is_cancelled_when_its_caller_goes_away() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    let code = json!({ "code": "print('running', flush=True)\nwhile True: pass" });
    let mut events = begin(&server, &format!("{sandbox}/runs"), &code);
    let (_, _, state) = events.next().expect("a state");
    let run = format!("/v1/runs/{}", text(&state, "run"));
    assert!(events.any(|(_, name, _)| name == "output"));
    drop(events);
    assert_eq!(text(&server.ended(&run), "state"), "cancelled");
    assert_eq!(server.value(&sandbox, "2"), 2);
}

#[host_test]
fn a_slow_reader_loses_nothing_and_holds_nobody_up() {
    let server = Server::start(&[]);
    let policy = json!({ "limits": { "stdout": "16MiB" } });
    let sandbox = server.create(json!({ "policy": policy }));
    let code = "for i in range(20000):\n    print('x' * 300, flush=True)";
    let run = server.begin(&format!("{sandbox}/runs"), json!({ "code": code }));
    // One that reads nothing until the run has ended.
    let slow = of(&server, &run, None);
    let fast: Vec<_> = of(&server, &run, None).collect();
    assert_eq!(text(&server.ended(&run), "state"), "succeeded");
    let slow: Vec<_> = slow.collect();
    assert_eq!(output(&fast).len(), 20000 * 301);
    assert_eq!(output(&slow), output(&fast));
}

/// Where Python's `str.splitlines` ends a line, and with it the readers of lines that are made of it.
const ENDS: [char; 10] = ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];

#[host_test]
fn no_reader_of_lines_cuts_an_event() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    let odd: String = ENDS.iter().flat_map(|end| ['x', *end]).collect();
    let code = format!("t = {}\nprint(t)\nt", json!(odd));
    let run = server.begin(&format!("{sandbox}/runs"), json!({ "code": code }));
    server.ended(&run);
    let mut response =
        server.stream("GET", &format!("{run}/events"), &[("accept", "text/event-stream")], String::new());
    let mut bytes = Vec::new();
    while let Some(chunk) = RUNTIME.block_on(response.chunk()).expect("the connection holds") {
        bytes.extend_from_slice(&chunk);
    }
    let events = String::from_utf8(bytes).expect("text");
    let lines = events.split(ENDS).filter_map(|line| line.strip_prefix("data: "));
    let data: Vec<Value> = lines.map(|line| serde_json::from_str(line).expect("a whole value")).collect();
    let output: String = data.iter().filter_map(|data| data["text"].as_str()).collect();
    assert_eq!(output, format!("{odd}\n"));
    assert_eq!(data.last().expect("an end")["result"]["value"], json!(odd));
}
