//! `POST /execute`: runs code in a context, and answers with lines of JSON as things happen.

use std::{io, sync::Arc};

use axum::{
    body::{Body, Bytes},
    extract::State,
    response::{IntoResponse as _, Response},
};
use futures_util::stream;
use http::header;
use isolette::{
    Stream,
    values::{ValueMemory, WAIT, value_bytes},
};
use isolette_listener::responses::WINDOW;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Refusal,
    access::Access,
    figures::ShownFigures,
    text::{Decoder, line, shown},
};
use crate::{
    api::{
        contexts,
        extract::JsonBody,
        reply::{Room, of_part},
        run::CancelOnDrop,
    },
    clock,
    execution::{Execution, Target},
    failure::Failure,
    run::{Event, LiveRun, Log, Reader, StoredRequest},
    sandboxes::{Context, DEFAULT_CONTEXT, LiveSandbox, environment},
    shared::Shared,
    spec::{Environment, parse_language},
};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Execute {
    code: String,
    context_id: Option<String>,
    language: Option<String>,
    env_vars: Option<Environment>,
}

pub(super) async fn execute(
    State(shared): State<Arc<Shared>>,
    Access(sandbox): Access,
    JsonBody { value: asked, .. }: JsonBody<Execute>,
) -> Result<Response, Refusal> {
    let environment = asked.env_vars.unwrap_or_default();
    environment::check(&environment)?;
    if !environment.is_empty() && sandbox.spec.pauses {
        let hint = "leave them out, or create the sandbox without `pauses`";
        return Err(Refusal::absent("the environment of one program that can be paused", hint));
    }
    if shared.resources.stopping.is_cancelled() {
        return Err(Failure::stopping().into());
    }
    let context = context(&shared, &sandbox, asked.context_id.as_deref(), asked.language.as_deref()).await?;
    sandbox.set_paused(false);
    // Before the run is added: this can fail, and a run that was added has to be brought to its end.
    let of = Arc::clone(&sandbox);
    sandbox.files().within(move |folder| of.figures.before_run(folder)).await?;
    let target = Target::Context(Arc::clone(&sandbox), Arc::clone(&context));
    target.check_room(&shared, &sandbox.owner).await?;
    let request = StoredRequest {
        code: asked.code,
        language: context.language.name().into(),
        environment,
        ..StoredRequest::default()
    };
    // A program whose response there is no memory for must not have begun.
    let room = Room::of(WINDOW).await?;
    let place = Some((sandbox.id.clone(), context.name.clone()));
    let run = shared.resources.new_run(&sandbox.owner, place, request);
    shared.resources.runs.add(&run, shared.resources.limits.runs_of_caller)?;
    let count = context.count();
    let file_bytes = shared.resources.limits.file_bytes;
    Execution { shared, run: Arc::clone(&run), target }.spawn();
    let lines = Lines {
        part: Part::Output(Log::reader(&run.log, 0)),
        cancel: CancelOnDrop(Some(Arc::clone(&run))),
        run,
        sandbox,
        file_bytes,
        count,
        decoders: Default::default(),
    };
    let body = stream::unfold(lines, |mut lines| async move {
        let part = lines.next().await.transpose()?;
        Some((part, lines))
    });
    Ok(room.holding(([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(body)).into_response()))
}

/// The context that a client names, or that of a language.
async fn context(
    shared: &Arc<Shared>,
    sandbox: &Arc<LiveSandbox>,
    id: Option<&str>,
    language: Option<&str>,
) -> Result<Arc<Context>, Refusal> {
    if let Some(id) = id {
        return Ok(sandbox.context(id).ok_or_else(|| Failure::not_found("context", id))?);
    }
    let own = sandbox.spec.language()?;
    let language = match language {
        None => own,
        Some(name @ ("bash" | "r" | "java" | "deno")) => {
            return Err(Refusal::absent(&format!("the language {name}"), "use python, javascript or typescript"));
        }
        Some("js") => parse_language("javascript")?,
        Some("ts") => parse_language("typescript")?,
        Some(name) => parse_language(name)?,
    };
    let name = if language.image() == own.image() { DEFAULT_CONTEXT } else { language.name() };
    let (context, is_new) = sandbox.context_or_new(name, language, &shared.resources)?;
    if is_new {
        contexts::store(shared, sandbox, &context).await?;
    }
    Ok(context)
}

struct Lines {
    part: Part,
    cancel: CancelOnDrop,
    run: Arc<LiveRun>,
    sandbox: Arc<LiveSandbox>,
    /// Maximum size of a figure, and of all figures together.
    file_bytes: usize,
    /// The number of the program in its context.
    count: u64,
    decoders: [Decoder; 2],
}

/// The part of the response that comes next.
enum Part {
    Output(Reader),
    Figures(ShownFigures),
    End,
}

impl Lines {
    async fn next(&mut self) -> io::Result<Option<Bytes>> {
        loop {
            match &mut self.part {
                Part::Output(reader) => match reader.next().await {
                    Some((_, Event::Output { stream, bytes })) => {
                        let is_stderr = stream == Stream::Stderr;
                        let text = self.decoders[usize::from(is_stderr)].decode(&bytes);
                        if !text.is_empty() {
                            return Ok(Some(output(is_stderr, &text)));
                        }
                    }
                    Some(_) => {}
                    None => {
                        self.cancel.0 = None;
                        self.part = Part::Figures(self.new_figures().await);
                        let rest = self.rest_of_output();
                        if !rest.is_empty() {
                            return Ok(Some(rest));
                        }
                    }
                },
                Part::Figures(figures) => {
                    if let Some(part) = figures.next(&self.sandbox).await? {
                        return Ok(Some(part));
                    }
                    self.part = Part::End;
                    return self.end().await.map(Some);
                }
                Part::End => return Ok(None),
            }
        }
    }

    fn rest_of_output(&mut self) -> Bytes {
        let mut lines = Vec::new();
        for (is_stderr, decoder) in [false, true].into_iter().zip(&mut self.decoders) {
            let rest = decoder.rest();
            if !rest.is_empty() {
                lines.extend_from_slice(&output(is_stderr, &rest));
            }
        }
        lines.into()
    }

    /// The figures that the program has shown. If the files cannot be listed, the result has none, and does not fail.
    async fn new_figures(&self) -> ShownFigures {
        let sandbox = Arc::clone(&self.sandbox);
        let figures = self.sandbox.files().within(move |folder| sandbox.figures.new_ones(folder)).await;
        ShownFigures::new(figures.unwrap_or_default(), self.file_bytes as u64)
    }

    /// The lines after the figures.
    async fn end(&self) -> io::Result<Bytes> {
        let mut lines = Vec::new();
        let progress = self.run.progress();
        let text = progress.result.as_deref().unwrap_or_default();
        let _memory = of_part((text.len() as u64).saturating_mul(3)).await?;
        let bytes = value_bytes(text.as_bytes());
        let values = ValueMemory::wait(tokio::time::sleep(WAIT), || ValueMemory::reserve(bytes)).await;
        let _values = values.map_err(io::Error::other)?;
        let result: Value =
            progress.result.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let value = &result["value"];
        if !value.is_null() {
            let is_exact = result["value_exact"].as_bool().unwrap_or(false);
            let is_python = self.run.request.language == "python";
            let mut main =
                json!({ "type": "result", "is_main_result": true, "text": shown(value, is_exact, is_python) });
            if is_exact && (value.is_object() || value.is_array()) {
                main["json"] = value.clone();
            }
            line(&mut lines, &main);
        }
        let exception = &result["error"];
        // What the host says comes first: the effects of a program with an exception may be undone.
        if exception.is_object() && progress.error.is_none() {
            let (name, message) = (&exception["type"], &exception["message"]);
            line(
                &mut lines,
                &json!({ "type": "error", "name": name, "value": message, "traceback": exception["traceback"] }),
            );
        } else if let Some(error) = &progress.error {
            let text = format!("{}\nhint: {}", error.message, error.hint);
            line(
                &mut lines,
                &json!({ "type": "error", "name": error.kind, "value": error.message, "traceback": text }),
            );
        }
        line(&mut lines, &json!({ "type": "number_of_executions", "execution_count": self.count }));
        line(&mut lines, &json!({ "type": "end_of_execution" }));
        Ok(lines.into())
    }
}

fn output(is_stderr: bool, text: &str) -> Bytes {
    let kind = if is_stderr { "stderr" } else { "stdout" };
    let mut bytes = Vec::new();
    // In nanoseconds.
    line(&mut bytes, &json!({ "type": kind, "text": text, "timestamp": clock::now().saturating_mul(1_000_000) }));
    bytes.into()
}
