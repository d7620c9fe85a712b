//! One call of a tool.

use isolette_abi::tools::ToolError;
use isolette_deadline::abort_on_drop;
use isolette_policy::{CallRequest, Limits, Need};
use isolette_tools::{Prepared, Strictness, Tool, Tools, guarded};
use isolette_types::{CapabilityKind, LimitHit, LimitName};
use isolette_work::{self as work, WAIT, reserve_for_call, reserve_for_call_until, values::value_bytes};
use serde_json::Value;
use sha2::Digest as _;

use super::{Broker, Record, Stop, guard::GuardedCall};

pub(super) struct ToolCall<'a> {
    pub(super) tools: &'a Tools,
    pub(super) name: &'a str,
    /// JSON.
    pub(super) arguments: &'a [u8],
}

/// A tool, and arguments that match its schema.
pub(super) struct Checked<'a> {
    tool: &'a Tool,
    arguments: Value,
    need: Need,
    /// Bytes reserved for a copy of the arguments, which the approver gets.
    copy: u64,
}

impl<'a> GuardedCall for ToolCall<'a> {
    type Checked = Checked<'a>;
    type Output = Vec<u8>;
    type Error = ToolError;

    fn begin(&self, record: &mut Record, limits: &Limits) {
        let arguments = self.arguments;
        record.begin_call(limits, CapabilityKind::Tools, "call", self.name, arguments.len());
        record.digest(|hasher| hasher.update(arguments));
        record.arguments(arguments.len(), || {
            // Arguments that are not JSON are recorded as text.
            let text = || Value::String(String::from_utf8_lossy(arguments).into_owned());
            serde_json::from_slice(arguments).unwrap_or_else(|_| text())
        });
    }

    fn count(&self, broker: &Broker) -> Result<(), ToolError> {
        let limit = broker.limits().tool_calls;
        if broker.count(LimitName::ToolCalls, limit, |usage| &mut usage.tool_calls) {
            return Ok(());
        }
        Err(ToolError::Budget(format!(
            "this run may call tools {limit} times and has done so\nhint: do more with each call"
        )))
    }

    fn check(&self, broker: &Broker) -> Result<Result<Checked<'a>, ToolError>, Stop> {
        let tool = match self.tools.find(self.name) {
            Ok(tool) => tool,
            Err(error) => return Ok(Err(error)),
        };
        let need = broker.policy.approval.of_tool(tool.name(), tool.needs_approval());
        let copies = if broker.oversight.is_decided(&need) { 2 } else { 1 };
        let bytes = match self.reserve(broker, copies)? {
            Ok(bytes) => bytes,
            Err(error) => return Ok(Err(error)),
        };
        Ok(tool.check(self.arguments).map(|arguments| {
            if let Some(pattern) = self.tools.pattern(self.name) {
                broker.record().rule(pattern);
            }
            Checked { tool, arguments, need, copy: bytes * (copies - 1) }
        }))
    }

    fn charge(&self, broker: &Broker) -> Result<(), ToolError> {
        broker.oversight.charge_tool_call().map_err(ToolError::Budget)
    }

    fn agree(&self, checked: &Checked<'a>, broker: &Broker) -> Result<Result<(), String>, Stop> {
        let name = checked.tool.name();
        let request = || {
            CallRequest::new(CapabilityKind::Tools, "call", name, checked.arguments.clone())
                .rule(self.tools.pattern(name).map(ToOwned::to_owned))
        };
        broker.agree(checked.need.clone(), || format!("tool `{name}`"), request)
    }

    fn perform(&self, checked: Checked<'a>, broker: &Broker) -> Result<Result<Vec<u8>, ToolError>, Stop> {
        let Checked { tool, arguments, copy, .. } = checked;
        if let Some(call) = work::Call::current() {
            call.give_back(copy);
        }
        let span = broker.record().span();
        let _entered = span.enter();
        let result = match tool.prepare(arguments) {
            Prepared::Blocking(function, arguments) => broker.deadline.cpu().exclude(|| guarded(function, arguments)),
            Prepared::Asynchronous(future) => broker.wait(guarded_future(future))?,
        };
        Ok(result.and_then(|value| compared(broker, tool, value)).map(|value| value.to_string().into_bytes()))
    }

    fn no_room(&self, room: u64) -> ToolError {
        ToolError::Budget(format!(
            "tool `{}` returned more than the host keeps for a run ({room} bytes left)\n\
             hint: have it return less at a time",
            self.name
        ))
    }
}

impl ToolCall<'_> {
    /// Reserves memory for `copies` of the arguments as decoded values, which can take much more memory than their JSON
    /// text. Returns the size of one copy in bytes.
    fn reserve(&self, broker: &Broker, copies: u64) -> Result<Result<u64, ToolError>, Stop> {
        let (name, limit, used) = (self.name, broker.limits().payload, value_bytes(self.arguments));
        if used > limit {
            broker.record().reached(LimitHit::new(LimitName::Payload, limit, used));
            return Ok(Err(ToolError::Budget(format!(
                "the arguments of tool `{name}` would take {used} bytes in the host as single values, which keeps {limit} \
                 for a run\nhint: pass fewer values, or one text with all of them"
            ))));
        }
        let bytes = used.saturating_mul(copies);
        let reserved = match reserve_for_call(bytes) {
            // The timer must be created on the runtime, not only awaited there.
            Err(why) if why.busy => broker.wait(async {
                let timer = tokio::time::sleep(WAIT);
                reserve_for_call_until(bytes, timer).await
            })?,
            reserved => reserved,
        };
        Ok(reserved.map(|()| used).map_err(|why| {
            ToolError::Budget(format!(
                "the arguments of tool `{name}` cannot be read: {why}\n\
                 hint: pass fewer values, or one text with all of them, or try again later"
            ))
        }))
    }
}

/// Records a result that violates its schema. The strictness of the tool decides whether the program gets it.
fn compared(broker: &Broker, tool: &Tool, result: Value) -> Result<Value, ToolError> {
    let Some((mismatch, strictness)) = tool.validate_result(&result) else { return Ok(result) };
    broker.record().mismatch(&mismatch);
    tracing::warn!(tool = tool.name(), mismatch, "a result does not fit its schema");
    match strictness {
        Strictness::Noted => Ok(result),
        Strictness::Refused => {
            Err(ToolError::Failed(format!("the tool has run, but its result does not fit its schema: {mismatch}")))
        }
    }
}

/// Awaits a function of the embedder. A panic in it fails only this call.
async fn guarded_future(
    future: impl Future<Output = Result<Value, ToolError>> + Send + 'static,
) -> Result<Value, ToolError> {
    let panicked = |_| Err(ToolError::Failed("the tool panicked".into()));
    abort_on_drop(work::Call::along(future)).await.unwrap_or_else(panicked)
}
