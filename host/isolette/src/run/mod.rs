//! A run, from the request to the result.

mod changes;
mod ending;
mod finished;
mod start;

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant, SystemTime},
};

use isolette_abi::{Mode, Start, encode};
use sha2::Digest as _;
use tokio_util::sync::CancellationToken;
use tracing::{Span, field, field::Empty};

use isolette_deadline::Deadline;
use isolette_engine::{EngineError, Guest, Pending, Signal};
use isolette_types::{
    ArgumentsDigest, CallModes, CallOutcome, Error, ExecutionResult, OutputFile, RunId, SessionId, Unit,
};

use self::{
    changes::OutputScan,
    finished::Finished,
    start::{dialect, provide, style, variables},
};
use crate::{
    audit::{RecordedArguments, RunAudit, RunBegan, RunScope, SHOWN_LIMIT},
    broker::{Broker, CallRecording, Record},
    call_mode,
    guest_context::GuestContext,
    metrics::LiveRun,
    options::RunOptions,
    oversight::Oversight,
    recording::RunRecording,
    shared::Shared,
};

/// Bytes that a start message carries inline; the rest of its 256 KiB is for mounts and the file name, which are
/// bounded.
const CODE_INLINE: usize = 128 << 10;
const VARIABLES_INLINE: usize = 64 << 10;

/// That a run is one of a session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) session: SessionId,
    /// Whether it is the first one after the guest's state was copied.
    pub(crate) is_copy: bool,
}

/// A run in flight.
pub(crate) struct Run {
    pending: Pending,
    context: Context,
}

/// The state that is needed to report the end of a run.
struct Context {
    run: RunId,
    shared: Arc<Shared>,
    guest: GuestContext,
    broker: Arc<Mutex<Broker>>,
    record: Arc<Mutex<Record>>,
    started: Instant,
    limit: Duration,
    deadline: Deadline,
    oversight: Oversight,
    span: Span,
    live: Option<LiveRun>,
    call_modes: CallModes,
}

/// The end of a run, before its files and its record are collected.
struct Ended {
    result: ExecutionResult,
    ending: Result<(), EngineError>,
    memory_peak: u64,
}

impl Run {
    pub(crate) fn start(
        shared: &Arc<Shared>,
        context: &GuestContext,
        guest: &Guest,
        code: &str,
        options: RunOptions,
        cell: Option<Cell>,
    ) -> Result<Self, Error> {
        let (started, time) = (Instant::now(), SystemTime::now());
        let limits = &shared.policy.limits;
        let used = code.len() as u64;
        if used > limits.code {
            return Err(Error::LimitExceeded { what: "code", unit: Unit::Bytes, limit: limits.code, used });
        }
        let session = cell.map(|cell| cell.session);
        let variables = variables(&shared.variables, &options.variables)?;
        let mut oversight = shared.oversight.clone();
        oversight.budgets.extend(options.budgets);
        oversight.checks.extend(options.on_call);
        oversight.approver = options.approver.or(oversight.approver);
        let mut limit = options.timeout.unwrap_or(limits.timeout);
        for budget in &oversight.budgets {
            limit = budget.time_remaining()?.map_or(limit, |left| limit.min(left));
        }
        let cancel = options.cancel.map_or_else(CancellationToken::new, |token| token.child_token());
        let deadline = Deadline::new(limit, limits.cpu_time, cancel.clone()).holding(options.held);
        oversight.recording = shared.runs.as_ref().map(|runs| Arc::new(runs.begin(code, &options.variables)));
        let run = RunId::random();
        let span = tracing::info_span!(
            "run",
            "otel.status_code" = Empty,
            run = %run,
            session = session.map(field::display),
            language = %shared.language,
            engine = shared.selected.engine.as_str(),
            labels = (!options.labels.is_empty()).then(|| field::debug(options.labels.clone())),
            code_bytes = used,
            ending = Empty,
            exit_code = Empty,
            host_calls = Empty,
        );
        let filename = options.filename.as_deref().unwrap_or_else(|| shared.language.filename());
        let audit = match &oversight.audit {
            None => None,
            Some(audit) => {
                if let Some(reason) = audit.failure() {
                    return Err(Error::Audit { reason: reason.to_owned(), partial: None });
                }
                let began = |scope| began(shared, time, scope, filename, code);
                Some(RunAudit::begin(audit.clone(), run, session, options.labels, limits.audit_bytes, began))
            }
        };
        let record = Arc::new(Mutex::new(Record::new(CallRecording {
            arguments: oversight.recorded_arguments(),
            redaction: Arc::clone(&oversight.redaction),
            audit,
            metrics: oversight.metrics.clone(),
            span: span.clone(),
            began: (started, time),
            run,
        })));
        let mut broker = Broker::new(
            Arc::clone(&shared.capabilities),
            context.clone(),
            Arc::clone(&shared.policy),
            oversight.clone(),
            deadline.clone(),
            Arc::clone(&record),
            options.on_output,
        );
        let call_modes = call_mode::of_program(shared, code, session.is_some());
        let message = encode(&Start {
            version: isolette_abi::VERSION,
            seed: context.system.random_seed(),
            mounts: context.files.mounts(),
            code: provide(&mut broker, "code", code.as_bytes(), CODE_INLINE)?,
            filename,
            variables: provide(&mut broker, "variables", &variables, VARIABLES_INLINE)?,
            mode: match cell {
                None => Mode::Fresh,
                Some(Cell { is_copy: false, .. }) => Mode::Session,
                Some(Cell { is_copy: true, .. }) => Mode::Copy,
            },
            http_body: shared.http_body.into(),
            tool_calls: style(call_modes.tools.as_ref()),
            interface_calls: style(call_modes.interfaces.as_ref()),
            dialect: dialect(shared.dialect),
        });
        let live = oversight.metrics.as_ref().map(|metrics| metrics.run(shared.language, started));
        // Changes that were made before the run do not count as files of this run.
        drop(context.quota.lock().unwrap_or_else(PoisonError::into_inner).take_changes());
        let broker = Arc::new(Mutex::new(broker));
        let host = Arc::clone(&broker);
        let pending = guest.submit(message, host, deadline.clone(), cancel);
        let (shared, guest_context) = (Arc::clone(shared), context.clone());
        Ok(Self {
            pending,
            context: Context {
                run,
                shared,
                guest: guest_context,
                broker,
                record,
                started,
                limit,
                deadline,
                oversight,
                span,
                live,
                call_modes,
            },
        })
    }

    pub(crate) fn wait(self) -> Result<ExecutionResult, Error> {
        let signal = self.pending.wait();
        let audit = self.context.oversight.audit.clone();
        let ended = self.context.end(signal);
        let files = self.context.output(&ended).list();
        let recording = self.context.oversight.recording.clone();
        let result = kept(self.context.finish(ended, files), recording.as_deref());
        match audit {
            Some(audit) => recorded(result, audit.wait().err()),
            None => result,
        }
    }

    pub(crate) async fn wait_async(self) -> Result<ExecutionResult, Error> {
        let signal = self.pending.wait_async().await?;
        let audit = self.context.oversight.audit.clone();
        let ended = self.context.end(signal);
        let files = self.context.output(&ended).list_elsewhere().await;
        let recording = self.context.oversight.recording.clone();
        let result = kept(self.context.finish(ended, files), recording.as_deref());
        match audit {
            Some(audit) => recorded(result, audit.written().await.err()),
            None => result,
        }
    }
}

impl Context {
    /// Processes the end of the guest's program. Nothing more is recorded after it.
    fn end(&self, signal: Signal) -> Ended {
        let (reply, memory_peak) = match signal {
            Signal::Ended { reply, memory_peak } => {
                self.broker.lock().unwrap_or_else(PoisonError::into_inner).end_calls();
                (reply, memory_peak)
            }
            Signal::Abandoned(stop) => {
                self.guest.abandon_locks();
                (Err(EngineError::Stopped(stop)), 0)
            }
        };
        let decode = |reply: Vec<u8>| Finished::decode(&reply, &self.broker, &self.record, &self.shared.policy.limits);
        let finished = reply.and_then(|reply| decode(reply).map_err(EngineError::Stopped));
        let mut result = ExecutionResult::default();
        let ending = finished.map(|finished| finished.put_into(&mut result));
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        match &ending {
            Err(EngineError::Stopped(stop)) => record.cut_off(*stop),
            _ => record.end_calls(CallOutcome::Unfinished),
        }
        Ended { result, ending, memory_peak }
    }

    fn output(&self, ended: &Ended) -> OutputScan {
        let stopped = matches!(ended.ending, Err(EngineError::Stopped(_)));
        OutputScan::new(&self.guest, stopped, self.deadline.clone())
    }

    fn finish(mut self, ended: Ended, files: (Vec<OutputFile>, bool)) -> Result<ExecutionResult, Error> {
        let Ended { mut result, ending, memory_peak } = ended;
        (result.files, result.truncated.files) = files;
        result.truncated.digests = result.files.iter().filter(|file| file.sha256.is_none()).count() as u64;
        self.collect(&mut result, memory_peak);
        let (exit_code, usage) = (result.exit_code, result.usage);
        let (outcome, ended, exit_code) = match ending {
            Ok(()) if result.error.is_some() => (Ok(result), "exception", Some(exit_code)),
            Ok(()) => (Ok(result), "ok", Some(exit_code)),
            Err(error) => {
                let error = self.error(error, Box::new(result));
                let name = error.name();
                (Err(error), name, None)
            }
        };
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(audit) = &mut record.recording.audit {
            audit.end(ended, exit_code, Some(usage));
        }
        // The span must end with the run, even if the guest's thread still holds the record.
        record.recording.span = Span::none();
        drop(record);
        self.span.record("ending", ended).record("host_calls", usage.host_calls);
        self.span.record("exit_code", exit_code);
        self.span.record("otel.status_code", if ended == "ok" { "OK" } else { "ERROR" });
        self.span.in_scope(|| tracing::debug!(ending = ended, host_calls = usage.host_calls, "run ended"));
        if let Some(live) = self.live.take() {
            live.end(ended);
        }
        outcome
    }

    fn collect(&self, result: &mut ExecutionResult, memory_peak: u64) {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        result.run = Some(self.run);
        result.call_modes = self.call_modes.clone();
        let known = result.truncated;
        result.stdout = String::from_utf8_lossy(&record.stdout).into_owned();
        result.stderr = String::from_utf8_lossy(&record.stderr).into_owned();
        result.truncated = record.truncated;
        result.truncated.value = known.value;
        result.truncated.error = known.error;
        result.truncated.files = known.files;
        result.truncated.digests = known.digests;
        result.limits_reached = std::mem::take(&mut record.limits_reached);
        result.calls = std::mem::take(&mut record.calls);
        result.usage = record.usage;
        result.usage.memory_peak_bytes = memory_peak;
        result.usage.sleep_ms = record.slept.as_secs_f64() * 1e3;
        result.usage.http_bytes = record.http_bytes;
        result.usage.cpu_ms = self.deadline.cpu().used().as_secs_f64() * 1e3;
        drop(record);
        if let Some(output) = &self.guest.output {
            result.keep_output(Arc::clone(output));
        }
        let wall_time = self.started.elapsed();
        result.usage.wall_ms = wall_time.as_secs_f64() * 1e3;
        self.oversight.budgets.iter().for_each(|budget| budget.use_time(wall_time));
        result.budgets = self.oversight.budgets.iter().map(isolette_policy::Budget::state).collect();
    }
}

/// A run fails whose recording for a replay is incomplete.
fn kept(result: Result<ExecutionResult, Error>, recording: Option<&RunRecording>) -> Result<ExecutionResult, Error> {
    let failure = recording.and_then(RunRecording::failure);
    result.and_then(|result| failure.map_or(Ok(result), Err))
}

/// A run whose record is incomplete fails with `Error::Audit`.
fn recorded(result: Result<ExecutionResult, Error>, failure: Option<String>) -> Result<ExecutionResult, Error> {
    match (result, failure) {
        (result, None) | (result @ Err(Error::Audit { .. }), _) => result,
        (Ok(result), Some(reason)) => Err(Error::Audit { reason, partial: Some(Box::new(result)) }),
        (Err(error), Some(reason)) => Err(Error::Audit { reason, partial: error.partial().cloned().map(Box::new) }),
    }
}

fn began(shared: &Shared, time: SystemTime, scope: RunScope, filename: &str, code: &str) -> RunBegan {
    let shown = shared.oversight.recorded_arguments() == RecordedArguments::Whole && code.len() <= SHOWN_LIMIT;
    RunBegan {
        time,
        scope,
        language: shared.language,
        engine: shared.selected.engine,
        program: filename.to_owned(),
        code_bytes: code.len() as u64,
        code_sha256: ArgumentsDigest::of(|hasher| hasher.update(code)),
        code: shown.then(|| shared.oversight.redaction.text(code)),
    }
}
