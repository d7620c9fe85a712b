use std::sync::{Mutex, PoisonError};

use super::*;
use crate::{Exec, Source};

/// Answers with the path that it gets. Programs do not end.
struct Names;

impl Sandbox for Names {
    async fn perform(&self, operation: Operation) -> Result<Value, Failure> {
        match operation {
            Operation::Read { path, .. } => Ok(json!({ "path": path, "content": null })),
            Operation::Exec(Exec { source: Source::Code { .. }, .. }) => std::future::pending().await,
            _ => Err(Failure::new("Unavailable", "no", "")),
        }
    }
}

/// The replies to lines, as texts without messages and hints.
async fn replies(lines: &[&str], limits: &Limits) -> Vec<String> {
    let written = Arc::new(Mutex::new(Vec::new()));
    let replies = Arc::clone(&written);
    let write = move |reply: &Value| {
        let mut reply = reply.clone();
        if let Value::Object(fields) = &mut reply {
            fields.retain(|name, _| name != "message" && name != "hint");
        }
        written.lock().unwrap_or_else(PoisonError::into_inner).push(reply.to_string());
    };
    serve(Arc::new(Names), lines.join("\n").as_bytes(), write, limits).await.unwrap();
    std::mem::take(&mut *replies.lock().unwrap())
}

#[tokio::test]
async fn each_line_has_a_reply_with_its_id() {
    let lines = [
        r#"{"op": "ping"}"#,
        "  ",
        "not JSON",
        r#"{"op": "ping", "id": 7, "unknown": []}"#,
        r#"{"op": "read", "path": "a"}"#,
        r#"{"op": "list", "path": "a"}"#,
        r#"{"op": "destroy", "id": "z"}"#,
        r#"{"op": "ping"}"#,
    ];
    let expected = [
        r#"{"op":"pong"}"#,
        r#"{"op":"error","type":"InvalidArgument"}"#,
        r#"{"op":"error","id":7,"type":"InvalidArgument"}"#,
        r#"{"op":"read","path":"a"}"#,
        r#"{"op":"error","type":"Unavailable"}"#,
        r#"{"op":"destroy","id":"z"}"#,
    ];
    assert_eq!(replies(&lines, &Limits::default()).await, expected);
}

#[tokio::test]
async fn requests_that_are_being_done_are_cancelled_at_the_end() {
    let lines = [
        r#"{"op": "exec", "code": "a", "id": 1}"#,
        r#"{"op": "exec", "code": "a", "id": 1}"#,
        r#"{"op": "cancel", "id": 2}"#,
        r#"{"op": "cancel", "id": 1}"#,
    ];
    let expected = [
        r#"{"op":"error","id":1,"type":"InvalidArgument"}"#,
        r#"{"op":"error","id":2,"type":"NotFound"}"#,
        r#"{"op":"cancel","id":1}"#,
        r#"{"op":"error","id":1,"type":"Cancelled"}"#,
    ];
    assert_eq!(replies(&lines, &Limits::default()).await, expected);
    assert_eq!(replies(&lines[..1], &Limits::default()).await, expected[3..]);
}

#[tokio::test]
async fn requests_beyond_a_limit_are_refused() {
    let lines = [
        r#"{"op": "exec", "code": "a", "id": 1}"#,
        r#"{"op": "exec", "code": "a", "id": 2}"#,
        r#"{"op": "exec", "code": "a", "id": 3}"#,
    ];
    let refused = |id: u8| format!(r#"{{"op":"error","id":{id},"type":"Busy"}}"#);
    let limits = Limits { at_once: 2, ..Limits::default() };
    assert_eq!(replies(&lines, &limits).await[..1], [refused(3)]);
    let limits = Limits { held: lines[0].len() + 1, ..Limits::default() };
    assert_eq!(replies(&lines, &limits).await[..2], [refused(2), refused(3)]);
    let limits = Limits { line: 8, ..Limits::default() };
    assert_eq!(replies(&lines, &limits).await, [r#"{"op":"error","type":"InvalidArgument"}"#; 3]);
}
