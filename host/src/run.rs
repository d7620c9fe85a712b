//! One run, from the request to the outcome.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use isolette_abi::{ErrorReport, Finish, Mode, Payload, Start, Variable, decode, encode};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tracing::Span;

use crate::{
    Budget, Error,
    broker::{Broker, Deadline, Record, Stop, Terms},
    capability::system::random_seed,
    engine::EngineError,
    guest::{Guest, Pending, Signal},
    options::{RunOptions, check_variable},
    outcome::{ExecutionResult, GuestError},
    policy::{Breach, LimitName},
    sandbox::{Shared, Surroundings},
};

/// What a start message carries itself; the rest of its 256 KiB is for mounts and the file name, which are bounded.
const CODE_INLINE: usize = 128 << 10;
const VARIABLES_INLINE: usize = 64 << 10;

/// Bytes of the name of an exception's class.
const KIND: u64 = 1024;

/// A run under way.
pub(crate) struct Run {
    pending: Pending,
    context: Context,
}

/// What is needed to tell how a run ended.
struct Context {
    shared: Arc<Shared>,
    surroundings: Surroundings,
    broker: Arc<Mutex<Broker>>,
    record: Arc<Mutex<Record>>,
    started: Instant,
    limit: Duration,
    deadline: Deadline,
    budgets: Vec<Budget>,
    span: Span,
}

impl Run {
    pub(crate) fn start(
        shared: &Arc<Shared>,
        surroundings: &Surroundings,
        guest: &Guest,
        code: &str,
        options: RunOptions,
        mode: Mode,
    ) -> Result<Self, Error> {
        let started = Instant::now();
        let limits = Arc::new(shared.policy.limits.clone());
        let used = code.len() as u64;
        if used > limits.code {
            return Err(Error::LimitExceeded { what: "code", limit: limits.code, used });
        }
        let variables = variables(&shared.variables, &options.variables)?;
        let span = tracing::info_span!("run", language = %shared.language, code_bytes = used);
        let budgets: Vec<Budget> = shared.budgets.iter().cloned().chain(options.budgets).collect();
        let mut limit = options.timeout.unwrap_or(limits.wall_time);
        for budget in &budgets {
            limit = budget.time_left()?.map_or(limit, |left| limit.min(left));
        }
        let cancel = options.cancel.map_or_else(CancellationToken::new, |token| token.child_token());
        let deadline = Deadline::new(limit, limits.cpu_time, cancel.clone());
        let record = Arc::new(Mutex::new(Record::default()));
        let mut broker = Broker::new(
            Arc::clone(&shared.capabilities),
            surroundings.clone(),
            Arc::clone(&limits),
            deadline.clone(),
            Arc::clone(&record),
            options.on_output,
            Terms {
                approval: shared.policy.approval.clone(),
                on_call: options.on_call.or_else(|| shared.on_call.clone()),
                budgets: budgets.clone(),
                capabilities: shared.policy.capabilities.clone(),
            },
        );
        let message = encode(&Start {
            version: isolette_abi::VERSION,
            seed: random_seed(),
            mounts: surroundings.files.mounts(),
            code: lend(&mut broker, "code", code.as_bytes(), CODE_INLINE)?,
            filename: options.filename.as_deref().unwrap_or_else(|| shared.language.filename()),
            variables: lend(&mut broker, "variables", &variables, VARIABLES_INLINE)?,
            mode,
            http_body: shared.http_body.into(),
        });
        let broker = Arc::new(Mutex::new(broker));
        let host = Arc::clone(&broker);
        let pending = guest.submit(message, host, deadline.clone(), cancel);
        let (shared, surroundings) = (Arc::clone(shared), surroundings.clone());
        Ok(Self {
            pending,
            context: Context { shared, surroundings, broker, record, started, limit, deadline, budgets, span },
        })
    }

    pub(crate) fn wait(self) -> Result<ExecutionResult, Error> {
        let signal = self.pending.wait();
        self.context.finish(signal)
    }

    pub(crate) async fn wait_async(self) -> Result<ExecutionResult, Error> {
        let signal = self.pending.wait_async().await?;
        self.context.finish(signal)
    }
}

impl Context {
    fn finish(self, signal: Signal) -> Result<ExecutionResult, Error> {
        let (reply, memory_peak) = match signal {
            Signal::Ended { reply, memory_peak } => (reply, memory_peak),
            Signal::Abandoned(stop) => (Err(EngineError::Stopped(stop)), 0),
        };
        let finished = reply.and_then(|reply| self.decode(&reply).map_err(EngineError::Stopped));
        let mut result = ExecutionResult::default();
        let ending = finished.map(|finished| finished.put_into(&mut result));
        self.collect(&mut result, memory_peak, ending.as_ref().err());
        self.span.in_scope(|| {
            tracing::debug!(exit_code = result.exit_code, host_calls = result.usage.host_calls, "run ended");
        });
        match ending {
            Ok(()) => Ok(result),
            Err(error) => Err(self.error(error, Box::new(result))),
        }
    }

    /// Reads what the guest sent at its end, which is as little trusted as anything before.
    fn decode(&self, reply: &[u8]) -> Result<Finished, Stop> {
        let finish: Finish<'_> = decode(reply).map_err(|_| Stop::Malformed)?;
        let mut broker = self.broker.lock().unwrap_or_else(PoisonError::into_inner);
        for output in &finish.console {
            broker.output(*output);
        }
        let limits = &self.shared.policy.limits;
        let mut truncated = false;
        let mut reached = Vec::new();
        let value = match finish.value {
            None => None,
            Some(value) => {
                let json = broker.take(value.json)?;
                truncated = json.len() as u64 > limits.value;
                if truncated {
                    reached.push(Breach::new(LimitName::Value, limits.value, json.len() as u64));
                }
                (!truncated).then(|| parse(&json, value.exact))
            }
        };
        let mut error_bytes = 0;
        let error = match finish.error {
            None => None,
            Some(ErrorReport { kind, message, line, traceback }) => Some(GuestError {
                kind: clip(kind, KIND, &mut 0),
                message: clip(message, limits.error, &mut error_bytes),
                line,
                traceback: clip(&String::from_utf8_lossy(&broker.take(traceback)?), limits.error, &mut error_bytes),
            }),
        };
        if error_bytes > 0 {
            reached.push(Breach::new(LimitName::Error, limits.error, limits.error.saturating_add(error_bytes)));
        }
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        reached.into_iter().for_each(|breach| record.reached(breach));
        Ok(Finished { value, truncated, error, error_bytes, exit_code: finish.exit_code })
    }

    fn collect(&self, result: &mut ExecutionResult, memory_peak: u64, error: Option<&EngineError>) {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(EngineError::Stopped(stop)) = error {
            record.cut_off(*stop);
        }
        let (value_truncated, error_truncated) = (result.truncated.value, result.truncated.error);
        result.stdout = String::from_utf8_lossy(&record.stdout).into_owned();
        result.stderr = String::from_utf8_lossy(&record.stderr).into_owned();
        result.truncated = record.truncated;
        result.truncated.value = value_truncated;
        result.truncated.error = error_truncated;
        result.limits_reached = std::mem::take(&mut record.limits_reached);
        result.calls = std::mem::take(&mut record.calls);
        result.usage = record.usage;
        result.usage.memory_peak_bytes = memory_peak;
        result.usage.sleep_ms = record.slept.as_secs_f64() * 1e3;
        result.usage.http_bytes = record.http_bytes;
        result.usage.cpu_ms = self.deadline.cpu().used().as_secs_f64() * 1e3;
        drop(record);
        (result.files, result.truncated.files) = self.surroundings.files.output();
        result.output_directory.clone_from(&self.surroundings.output);
        let wall_time = self.started.elapsed();
        result.usage.wall_ms = wall_time.as_secs_f64() * 1e3;
        self.budgets.iter().for_each(|budget| budget.use_time(wall_time));
        result.budgets = self.budgets.iter().map(Budget::state).collect();
        self.shared.remember(&self.surroundings);
    }

    fn error(&self, error: EngineError, partial: Box<ExecutionResult>) -> Error {
        match error {
            EngineError::Stopped(Stop::Deadline) => Error::Timeout { limit: self.limit, partial },
            EngineError::Stopped(Stop::Cancelled) => Error::Cancelled { partial },
            EngineError::Stopped(Stop::Malformed) => {
                Error::GuestCrashed { reason: Stop::Malformed.to_string(), partial }
            }
            EngineError::Stopped(Stop::CpuTime) => {
                let limit = self.deadline.cpu().limit();
                Error::CpuTime { limit, used: Duration::from_secs_f64(partial.usage.cpu_ms / 1e3).max(limit), partial }
            }
            EngineError::Stopped(Stop::Sleep) => Error::Sleep { limit: self.shared.policy.limits.sleep, partial },
            EngineError::Stopped(Stop::HostCalls) => Error::HostCallRate {
                limit: self.shared.policy.limits.host_calls_per_second,
                used: partial.usage.host_calls,
                partial,
            },
            EngineError::OutOfMemory => Error::OutOfMemory { limit: self.shared.policy.limits.memory, partial },
            EngineError::StackOverflow => Error::StackOverflow { partial },
            EngineError::Crashed(reason) => Error::GuestCrashed { reason, partial },
            EngineError::NoCapacity(reason) => Error::Unavailable {
                what: "one more live guest".into(),
                reason,
                hint: "let some of the running guests end first".into(),
            },
        }
    }
}

/// What a guest said at its end, checked.
struct Finished {
    value: Option<(Value, bool)>,
    truncated: bool,
    error: Option<GuestError>,
    error_bytes: u64,
    exit_code: i32,
}

impl Finished {
    fn put_into(self, result: &mut ExecutionResult) {
        if let Some((value, exact)) = self.value {
            result.value = Some(value);
            result.value_exact = exact;
        }
        result.truncated.value = self.truncated;
        result.truncated.error = self.error_bytes;
        result.error = self.error;
        result.exit_code = self.exit_code;
    }
}

/// Gives a payload to the guest, inline if it is at most `inline` bytes long.
fn lend<'a>(broker: &mut Broker, what: &'static str, bytes: &'a [u8], inline: usize) -> Result<Payload<'a>, Error> {
    broker.lend(bytes, inline).map_err(|limit| Error::LimitExceeded { what, limit, used: bytes.len() as u64 })
}

/// As much of a text as a limit allows. What is left out is added up.
fn clip(text: &str, limit: u64, left_out: &mut u64) -> String {
    let end = text.floor_char_boundary(usize::try_from(limit).unwrap_or(usize::MAX));
    *left_out += (text.len() - end) as u64;
    text[..end].to_owned()
}

/// JSON that this side cannot read (nested more than 128 deep) is still text for a reader.
fn parse(json: &[u8], exact: bool) -> (Value, bool) {
    match serde_json::from_slice(json) {
        Ok(value) => (value, exact),
        Err(_) => (Value::String(String::from_utf8_lossy(json).into_owned()), false),
    }
}

/// The sandbox's variables and over them those of the run, encoded.
fn variables(sandbox: &[(String, Value)], run: &[(String, Value)]) -> Result<Vec<u8>, Error> {
    for (name, _) in run {
        check_variable(name)?;
    }
    let inherited = sandbox.iter().filter(|(name, _)| !run.iter().any(|(other, _)| other == name));
    let texts: Vec<_> = inherited.chain(run).map(|(name, value)| (name, value.to_string())).collect();
    let variables: Vec<_> = texts.iter().map(|(name, json)| Variable { name, json }).collect();
    Ok(encode(&variables))
}
