//! The events of a run, as they happen (server-sent events, WHATWG HTML).

use std::{io, sync::Arc, time::Duration};

use axum::{
    extract::State,
    response::{
        IntoResponse as _, Response,
        sse::{self, KeepAlive, Sse},
    },
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures_util::stream;
use http::{HeaderMap, header};
use isolette::{Stream, json_lines::json_line};
use serde_json::json;

use super::{
    extract::Path,
    reply,
    run::{self, CancelOnDrop, Logged, Run},
};
use crate::{
    caller::Caller,
    failure::{ErrorBody, Failure},
    run::{Event, LiveRun, Log, Reader},
    shared::Shared,
};

/// Interval of comments while there are no events, so that the connection is not regarded as broken.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Whether a request asks for events instead of the result.
pub(super) fn are_wanted(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    accept.split(',').any(|kind| kind.split(';').next().unwrap_or_default().trim() == "text/event-stream")
}

/// Return the events of a run, from its beginning or after `Last-Event-ID`
///
/// `output` has `stream`, and `text` or `base64`; `calls` has the calls that wait; `state` has `run` and `state`; `end` has the run, and is
/// the last one. A reader that is slow loses nothing.
#[utoipa::path(
    get,
    path = "/v1/runs/{run}/events",
    operation_id = "run_events",
    tag = "runs",
    params(
        ("run" = String, Path, description = "The identifier of the run"),
        ("Last-Event-ID" = Option<u64>, Header, description = "The number of the last event that was received")
    ),
    responses((status = OK, body = String, content_type = "text/event-stream"), (status = NOT_FOUND, body = ErrorBody))
)]
pub(super) async fn of_run(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let last = headers.get("last-event-id").map(|id| id.to_str().ok().and_then(|id| id.parse::<usize>().ok()));
    let from = match last {
        None => 0,
        Some(Some(last)) => last.saturating_add(1),
        Some(None) => return Err(Failure::invalid("`Last-Event-ID` is not a number", "leave it out")),
    };
    // The output that was read from the database is in memory until the last event was sent.
    let Logged { log, row, live, room } = run::log_of(&shared, &caller, &id).await?;
    Ok(match live {
        Some(run) => stream(run, from, None),
        None => room.holding(respond(Events {
            run: id,
            reader: Some(log.reader(from)),
            source: Source::Stored(Some(Box::new(Run::of_row(row)))),
            next: from,
            _cancel: None,
        })),
    })
}

/// The events of a run that this process has in memory.
pub(super) fn stream(run: Arc<LiveRun>, from: usize, cancel: Option<CancelOnDrop>) -> Response {
    let reader = Log::reader(&run.log, from);
    respond(Events {
        run: run.id.clone(),
        reader: Some(reader),
        source: Source::Live(run),
        next: from,
        _cancel: cancel,
    })
}

struct Events {
    /// The identifier of the run.
    run: String,
    /// `None` after the last event of the run.
    reader: Option<Reader>,
    source: Source,
    next: usize,
    /// Dropped with the response, also if the caller goes away before its end.
    _cancel: Option<CancelOnDrop>,
}

enum Source {
    Live(Arc<LiveRun>),
    /// `None` after it was sent.
    Stored(Option<Box<Run>>),
    Sent,
}

fn respond(events: Events) -> Response {
    let events = stream::unfold(events, |mut events| async move {
        // A stream without memory for an event breaks off, and can be continued after the last event that was received.
        let event = events.next().await.transpose()?;
        Some((event, events))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}

impl Events {
    async fn next(&mut self) -> io::Result<Option<sse::Event>> {
        if let Some(reader) = &mut self.reader {
            if let Some((number, event)) = reader.next().await {
                self.next = number + 1;
                return Ok(Some(self.event(number, event)));
            }
            self.reader = None;
        }
        let run = match std::mem::replace(&mut self.source, Source::Sent) {
            Source::Live(run) => {
                let _memory = reply::of_part(run.result_bytes().saturating_mul(3)).await?;
                return Ok(Some(event(self.next, "end", &Run::of(&run))));
            }
            Source::Stored(run) => run,
            Source::Sent => None,
        };
        Ok(run.map(|run| event(self.next, "end", &run)))
    }

    fn event(&self, number: usize, happened: Event) -> sse::Event {
        match happened {
            Event::Output { stream, bytes } => {
                let stream = if stream == Stream::Stdout { "stdout" } else { "stderr" };
                match std::str::from_utf8(&bytes) {
                    Ok(text) => event(number, "output", &json!({ "stream": stream, "text": text })),
                    Err(_) => event(number, "output", &json!({ "stream": stream, "base64": STANDARD.encode(&bytes) })),
                }
            }
            Event::Calls => {
                let calls = match &self.source {
                    Source::Live(run) => run.progress().calls,
                    _ => Vec::new(),
                };
                event(number, "calls", &json!({ "calls": calls }))
            }
            Event::State(state) => event(number, "state", &json!({ "run": self.run, "state": state })),
        }
    }
}

fn event(number: usize, name: &str, data: &impl serde::Serialize) -> sse::Event {
    let event = sse::Event::default().id(number.to_string()).event(name);
    event.data(json_line(data).unwrap_or_default())
}
