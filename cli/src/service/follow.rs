//! The events of a run, printed as they come.

use futures_util::{Stream, StreamExt as _};
use isolette::CancellationToken;
use serde_json::json;

use super::{
    Failure,
    client::{Client, RunEvent, part},
    failure::unexpected,
    outcome::{Printed, say_calls},
    sandboxes::{entries, text},
};
use crate::exit::{self, Code};

/// Prints the events of a run until its end. Ctrl-C cancels it.
pub(super) async fn follow(
    client: &Client,
    mut events: impl Stream<Item = Result<RunEvent, Failure>> + Unpin,
    cancel: &CancellationToken,
) -> Result<Code, Failure> {
    let (mut printed, mut id, mut is_cancelled) = (Printed::default(), String::new(), false);
    loop {
        let event = tokio::select! {
            event = events.next() => event,
            () = cancel.cancelled(), if !is_cancelled && !id.is_empty() => {
                is_cancelled = true;
                client.post(&format!("{}/cancel", path_of_run(&id)), &json!({})).await?;
                continue;
            }
        };
        let Some(event) = event else { return Err(unexpected("the events of the run ended before the run")) };
        let RunEvent { name, data } = event?;
        match name.as_str() {
            "output" => printed.event(&data)?,
            "state" => text(&data, "run").clone_into(&mut id),
            "calls" => say_calls(&id, entries(&data, "calls")),
            "end" => return Ok(printed.finish(&data)),
            _ => {}
        }
        if name == "state" && data["state"] == "paused" {
            let run = client.get(&path_of_run(&id)).await?;
            say_calls(&id, entries(&run, "calls"));
            return Ok(exit::PAUSED);
        }
    }
}

pub(super) fn path_of_run(run: &str) -> String {
    format!("/v1/runs/{}", part(run))
}
