//! Requests from their lines to their replies.

use std::{io, sync::Arc};

use serde_json::{Map, Value, json};
use tokio::io::AsyncBufRead;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    Failure, Id, Limits, Operation, line,
    open::Open,
    request::{Request, parse},
};

/// A sandbox that does what requests ask for.
pub trait Sandbox: Send + Sync + 'static {
    /// Does an operation, and returns the fields of its reply; those that are `null` are left out. The future is dropped when the
    /// request is cancelled.
    fn perform(&self, operation: Operation) -> impl Future<Output = Result<Value, Failure>> + Send;
}

/// Does what lines ask for, until their end or `destroy`, and writes one reply for each line that is not blank.
///
/// Requests with an `id` are done beside others, those without one in their order. At the end, those that are being done are
/// cancelled.
///
/// # Errors
/// The error of the input, after which nothing is read.
pub async fn serve<S: Sandbox>(
    sandbox: Arc<S>,
    mut input: impl AsyncBufRead + Unpin,
    write: impl Fn(&Value) + Send + Sync + 'static,
    limits: &Limits,
) -> io::Result<()> {
    let proxy = Arc::new(Proxy { sandbox, open: Open::default(), write });
    let tasks = TaskTracker::new();
    let ended = loop {
        let line = match line::next(&mut input, limits.line).await {
            Ok(Some(line)) => line,
            Ok(None) => break Ok(None),
            Err(error) => break Err(error),
        };
        let (length, (id, request)) = match &line {
            Ok(line) if line.trim().is_empty() => continue,
            Ok(line) => (line.len(), parse(line)),
            Err(failure) => (0, (None, Err(failure.clone()))),
        };
        // A request has what it needs of it.
        drop(line);
        match (request, id) {
            (Err(failure), id) => proxy.reply_error(id.as_ref(), &failure),
            (Ok(Request::Destroy), id) => break Ok(Some(id)),
            (Ok(Request::Cancel), id) => proxy.cancel(id.as_ref()),
            (Ok(request), None) => proxy.perform(request, None, &CancellationToken::new()).await,
            (Ok(request), Some(id)) => match proxy.open.add(&id, length, limits) {
                Ok(token) => {
                    let proxy = Arc::clone(&proxy);
                    tasks.spawn(async move { proxy.perform(request, Some(&id), &token).await });
                }
                Err(failure) => proxy.reply_error(Some(&id), &failure),
            },
        }
    };
    proxy.open.cancel_all();
    tasks.close();
    tasks.wait().await;
    if let Some(id) = ended? {
        proxy.reply("destroy", id.as_ref(), json!({}));
    }
    Ok(())
}

struct Proxy<S, W> {
    sandbox: Arc<S>,
    open: Open,
    write: W,
}

impl<S: Sandbox, W: Fn(&Value)> Proxy<S, W> {
    fn cancel(&self, id: Option<&Id>) {
        match id.and_then(|id| self.open.find(id)) {
            Some(token) => {
                token.cancel();
                self.reply("cancel", id, json!({}));
            }
            None => self.reply_error(id, &Failure::new("NotFound", "no request with this id is being done", "")),
        }
    }

    async fn perform(&self, request: Request, id: Option<&Id>, cancel: &CancellationToken) {
        let op = name(&request);
        let work = async {
            match request {
                Request::Sandbox(operation) => self.sandbox.perform(operation).await,
                Request::Ping | Request::Cancel | Request::Destroy => Ok(json!({})),
            }
        };
        let done = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(Failure::cancelled()),
            done = work => done,
        };
        if let Some(id) = id {
            self.open.remove(id);
        }
        match done {
            Ok(fields) => self.reply(op, id, fields),
            Err(failure) => self.reply_error(id, &failure),
        }
    }

    fn reply(&self, op: &str, id: Option<&Id>, fields: Value) {
        let mut line = Map::new();
        line.insert("op".into(), op.into());
        if let Some(id) = id {
            line.insert("id".into(), json!(id));
        }
        if let Value::Object(fields) = fields {
            line.extend(fields.into_iter().filter(|(_, value)| !value.is_null()));
        }
        (self.write)(&line.into());
    }

    fn reply_error(&self, id: Option<&Id>, failure: &Failure) {
        self.reply("error", id, json!(failure));
    }
}

/// The `op` of the reply to a request that succeeds.
fn name(request: &Request) -> &'static str {
    match request {
        Request::Ping => "pong",
        Request::Cancel => "cancel",
        Request::Destroy => "destroy",
        Request::Sandbox(Operation::Exec(_)) => "exec",
        Request::Sandbox(Operation::Read { .. }) => "read",
        Request::Sandbox(Operation::Write { .. }) => "write",
        Request::Sandbox(Operation::List { .. }) => "list",
        Request::Sandbox(Operation::Snapshot { .. }) => "snapshot",
        Request::Sandbox(Operation::Restore { .. }) => "restore",
    }
}

#[cfg(test)]
mod tests;
