//! The host's side of a run, from before its start to its result.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant, SystemTime},
};

use tokio_util::sync::CancellationToken;
use tracing::{Span, field, field::Empty};

use isolette_deadline::{Deadline, Stop};
use isolette_engine::{EngineError, Signal};
use isolette_types::{CallModes, CallOutcome, Error, ExecutionResult, OutputFile, RunId, SessionId};

use super::{changes::OutputScan, finished::Finished, time_budgets::TimeBudgets};
use crate::{
    audit::{Audit, RunAudit},
    broker::{Broker, CallRecording, Record},
    guest_context::GuestContext,
    metrics::LiveRun,
    options::RunOptions,
    oversight::Oversight,
    recording::RunRecording,
    shared::Shared,
};

/// What a run needs on the host, and what is needed to report its end.
pub(super) struct Context {
    pub(super) run: RunId,
    pub(super) shared: Arc<Shared>,
    pub(super) guest: GuestContext,
    pub(super) broker: Arc<Mutex<Broker>>,
    pub(super) record: Arc<Mutex<Record>>,
    /// When the run began in this process.
    pub(super) began: (Instant, SystemTime),
    /// The wall time that it took in other processes before.
    pub(super) earlier: Duration,
    pub(super) limit: Duration,
    /// How long the program was paused in this process.
    pub(super) paused: Duration,
    pub(super) deadline: Deadline,
    pub(super) cancel: CancellationToken,
    pub(super) time_budgets: TimeBudgets,
    pub(super) oversight: Oversight,
    pub(super) labels: Vec<(String, String)>,
    pub(super) code_bytes: u64,
    pub(super) span: Span,
    pub(super) live: Option<LiveRun>,
    pub(super) call_modes: CallModes,
}

/// A run that is about to begin, or to continue in this process.
pub(super) struct Begun {
    pub(super) run: RunId,
    pub(super) session: Option<SessionId>,
    pub(super) labels: Vec<(String, String)>,
    pub(super) code_bytes: u64,
    pub(super) can_pause: bool,
    pub(super) call_modes: CallModes,
    pub(super) recording: Option<Arc<RunRecording>>,
    /// The wall time and the CPU time that it has taken before.
    pub(super) earlier: (Duration, Duration),
}

/// The end of a run, before its files and its record are collected.
struct Ended {
    result: ExecutionResult,
    ending: Result<(), EngineError>,
    memory_peak: u64,
}

impl Context {
    /// Makes the host's side of a run. `audit` begins or continues its audit.
    pub(super) fn new(
        shared: &Arc<Shared>,
        guest: &GuestContext,
        options: RunOptions,
        begun: Begun,
        audit: impl FnOnce(Audit, SystemTime) -> RunAudit,
    ) -> Result<Self, Error> {
        let began = (Instant::now(), SystemTime::now());
        let limits = &shared.policy.limits;
        let Begun { run, session, labels, code_bytes, can_pause, call_modes, recording, earlier: (earlier, cpu) } =
            begun;
        let mut oversight = shared.oversight.clone();
        oversight.budgets.extend(options.budgets);
        oversight.checks.extend(options.on_call);
        oversight.approver = options.approver.or(oversight.approver);
        oversight.recording = recording;
        let limit = options.timeout.unwrap_or(limits.timeout);
        let remaining = limit.saturating_sub(earlier);
        let cancel = options.cancel.map_or_else(CancellationToken::new, |token| token.child_token());
        let mut time_budgets = TimeBudgets::default();
        time_budgets.begin(&oversight.budgets, &cancel)?;
        let deadline = Deadline::new(remaining, limits.cpu_time, cancel.clone()).after(cpu).holding(options.held);
        let span = tracing::info_span!(
            "run",
            "otel.status_code" = Empty,
            run = %run,
            session = session.map(field::display),
            language = %shared.language,
            engine = shared.selected.engine.as_str(),
            labels = (!labels.is_empty()).then(|| field::debug(labels.clone())),
            code_bytes,
            ending = Empty,
            exit_code = Empty,
            host_calls = Empty,
        );
        let audit = match &oversight.audit {
            None => None,
            Some(audit_of_sandbox) => {
                if let Some(reason) = audit_of_sandbox.failure() {
                    return Err(Error::Audit { reason: reason.to_owned(), partial: None });
                }
                Some(audit(audit_of_sandbox.clone(), began.1))
            }
        };
        let record = Arc::new(Mutex::new(Record::new(CallRecording {
            arguments: oversight.recorded_arguments(),
            redaction: Arc::clone(&oversight.redaction),
            audit,
            metrics: oversight.metrics.clone(),
            on_end: options.on_call_end,
            span: span.clone(),
            began,
            earlier,
            run,
        })));
        let mut broker = Broker::new(
            Arc::clone(&shared.capabilities),
            guest.clone(),
            Arc::clone(&shared.policy),
            oversight.clone(),
            deadline.clone(),
            Arc::clone(&record),
            options.on_output,
        );
        // A recording has no answers that come later.
        if can_pause && oversight.recording.is_none() {
            broker = broker.pausable();
        }
        Ok(Self {
            run,
            shared: Arc::clone(shared),
            guest: guest.clone(),
            broker: Arc::new(Mutex::new(broker)),
            record,
            began,
            earlier,
            limit,
            paused: Duration::ZERO,
            deadline,
            cancel,
            time_budgets,
            live: None,
            oversight,
            labels,
            code_bytes,
            span,
            call_modes,
        })
    }

    /// Counts the run among the live ones.
    pub(super) fn go_live(&mut self) {
        let metrics = self.oversight.metrics.as_ref();
        self.live = metrics.map(|metrics| metrics.run(self.shared.language, self.began.0));
    }

    pub(super) fn broker(&self) -> MutexGuard<'_, Broker> {
        self.broker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes the part of the audit that belongs to the run, if there is one.
    pub(super) fn note(&self, note: impl FnOnce(&mut RunAudit)) {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(audit) = &mut record.recording.audit {
            note(audit);
        }
    }

    /// Waits until all records so far are written.
    pub(super) fn wait_for_audit(&self) -> Result<(), Error> {
        match &self.oversight.audit {
            Some(audit) => audit.flush(),
            None => Ok(()),
        }
    }

    /// Makes the result, once the guest has ended.
    pub(super) fn conclude(self, signal: Signal) -> Result<ExecutionResult, Error> {
        let audit = self.oversight.audit.clone();
        let ended = self.end(signal);
        let files = self.output(&ended).list();
        let recording = self.oversight.recording.clone();
        let result = kept(self.finish(ended, files), recording.as_deref());
        match audit {
            Some(audit) => recorded(result, audit.wait().err()),
            None => result,
        }
    }

    /// Makes the result, for asynchronous callers.
    pub(super) async fn conclude_async(self, signal: Signal) -> Result<ExecutionResult, Error> {
        let audit = self.oversight.audit.clone();
        let ended = self.end(signal);
        let files = self.output(&ended).list_elsewhere().await;
        let recording = self.oversight.recording.clone();
        let result = kept(self.finish(ended, files), recording.as_deref());
        match audit {
            Some(audit) => recorded(result, audit.written().await.err()),
            None => result,
        }
    }

    /// Processes the end of the guest's program. Nothing more is recorded after it.
    fn end(&self, signal: Signal) -> Ended {
        let (reply, memory_peak) = match signal {
            Signal::Ended { reply, memory_peak } => {
                self.broker.lock().unwrap_or_else(PoisonError::into_inner).end_calls();
                (reply, memory_peak)
            }
            // Only runs that can be paused are, and those have a caller that expects it.
            Signal::Paused => (Err(EngineError::Stopped(Stop::Paused)), 0),
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

    /// The wall time that the run has taken.
    pub(super) fn wall_time(&self) -> Duration {
        (self.earlier + self.began.0.elapsed()).saturating_sub(self.paused)
    }

    fn collect(&mut self, result: &mut ExecutionResult, memory_peak: u64) {
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
        let wall_time = self.wall_time();
        result.usage.wall_ms = wall_time.as_secs_f64() * 1e3;
        self.time_budgets.stop();
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
