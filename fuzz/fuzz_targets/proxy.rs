//! Lines for `isolette proxy`, which are also read as commands: each that is not blank has one reply, with its identifier.

#![no_main]

use std::sync::{Arc, Mutex};

use isolette_fuzz::{commands, lines};
use isolette_proxy::{Failure, Limits, Operation, Sandbox, Source, serve};
use serde_json::{Value, json};

/// Small, so that inputs reach them.
const LIMITS: Limits = Limits { line: 512, at_once: 3, held: 1024 };

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let written = Arc::new(Mutex::new(Vec::new()));
    let sandbox = Arc::new(Echo { open: Mutex::new((0, 0)) });
    let (replies, used) = (Arc::clone(&written), Arc::clone(&sandbox));
    let write = move |reply: &Value| written.lock().expect("no panic").push(reply.clone());
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(serve(sandbox, bytes, write, &LIMITS)).expect("bytes can be read");
    lines::assert_replies(bytes, LIMITS.line, &replies.lock().expect("no panic"));
    let (open, most) = *used.open.lock().expect("no panic");
    assert_eq!(open, 0, "an operation was not ended");
    // One without an identifier can be done beside them.
    assert!(most <= LIMITS.held + LIMITS.line, "operations had {most} bytes at the same time");
    if let Ok(text) = std::str::from_utf8(bytes) {
        commands::assert_read(text);
    }
});

/// A sandbox that answers at once or never.
struct Echo {
    /// The bytes of the operations that are being done, now and at most.
    open: Mutex<(usize, usize)>,
}

impl Sandbox for Echo {
    async fn perform(&self, operation: Operation) -> Result<Value, Failure> {
        let _held = Held::new(&self.open, length(&operation));
        match operation {
            Operation::Exec(exec) => match exec.source {
                Source::Command(command) => {
                    commands::assert_read(&command);
                    Ok(json!({ "stdout": command, "stderr": null }))
                }
                // A program that is done beside others, until it is cancelled.
                Source::Code { context: Some(context), .. }
                    if context == "endless" && tokio::task::try_id().is_some() =>
                {
                    std::future::pending().await
                }
                Source::Code { code, .. } => Ok(json!({ "stdout": code })),
            },
            Operation::Read { path, .. } => Ok(json!({ "path": path, "content": "" })),
            Operation::Snapshot { note } => Err(Failure::new("Conflict", note, "")),
            _ => {
                tokio::task::yield_now().await;
                Ok(json!({}))
            }
        }
    }
}

/// The bytes that an operation has of its line.
fn length(operation: &Operation) -> usize {
    match operation {
        Operation::Exec(exec) => match &exec.source {
            Source::Command(command) => command.len(),
            Source::Code { code, language, context } => {
                let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
                code.len() + length(language) + length(context)
            }
        },
        Operation::Read { path, .. } | Operation::List { path } => path.len(),
        Operation::Write { path, bytes } => path.len() + bytes.len(),
        Operation::Snapshot { note } => note.len(),
        Operation::Restore { snapshot } => snapshot.len(),
    }
}

/// The bytes of an operation, while it is done.
struct Held<'a> {
    open: &'a Mutex<(usize, usize)>,
    length: usize,
}

impl<'a> Held<'a> {
    fn new(open: &'a Mutex<(usize, usize)>, length: usize) -> Self {
        let mut now = open.lock().expect("no panic");
        now.0 += length;
        now.1 = now.1.max(now.0);
        Self { open, length }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.open.lock().expect("no panic").0 -= self.length;
    }
}
