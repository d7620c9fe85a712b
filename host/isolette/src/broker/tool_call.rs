//! One call of a tool.

use std::{borrow::Cow, sync::Arc};

use isolette_abi::{Payload, encode, tickets::Submitted, tools::ToolError};
use isolette_deadline::abort_on_drop;
use isolette_policy::{CallRequest, Limits, Need};
use isolette_tools::{Prepared, Strictness, Tool, guarded};
use isolette_types::{CapabilityKind, LimitHit, LimitName};
use isolette_work::{
    self as work, WAIT, reserve_for_call, reserve_for_call_until,
    values::{read_json, value_bytes},
};
use serde_json::Value;
use sha2::Digest as _;

use super::{
    Record, Scope, Stop,
    guard::{Agreed, GuardedCall, HandedOver, Performed, Submittable},
    open_call::CallNumber,
};
use crate::capabilities::Capabilities;

pub(super) struct ToolCall<'a> {
    pub(super) capabilities: Arc<Capabilities>,
    pub(super) name: Cow<'a, str>,
    /// JSON.
    pub(super) arguments: Cow<'a, [u8]>,
    /// The line of the program; 0 if it is not known.
    pub(super) line: u32,
}

/// Arguments that match the schema of the tool.
pub(super) struct Checked {
    arguments: Value,
    need: Need,
    /// Bytes reserved for a copy of the arguments, which the approver gets.
    copy: u64,
    is_blocking: bool,
}

impl Checked {
    /// The arguments, without the memory that is reserved for a copy of them.
    pub(super) fn into_arguments(self, call: &work::Call) -> Value {
        call.give_back(self.copy);
        self.arguments
    }
}

impl GuardedCall for ToolCall<'_> {
    type Checked = Checked;
    type Output = Vec<u8>;
    type Error = ToolError;

    fn begin(&self, record: &mut Record, limits: &Limits) -> CallNumber {
        let arguments = &*self.arguments;
        let call = record.begin_call(limits, CapabilityKind::Tools, "call", &self.name, arguments.len());
        record.line(call, self.line);
        record.digest(call, |hasher| hasher.update(arguments));
        record.arguments(call, arguments.len(), || {
            // Arguments that are not JSON, or have numbers that would lose digits, are recorded as text.
            let text = || Value::String(String::from_utf8_lossy(arguments).into_owned());
            read_json(arguments).unwrap_or_else(|_| text())
        });
        call
    }

    fn count(&self, scope: &Scope) -> Result<(), ToolError> {
        let limit = scope.limits().tool_calls;
        if scope.count(LimitName::ToolCalls, limit, |usage| &mut usage.tool_calls) {
            return Ok(());
        }
        Err(ToolError::Budget(format!(
            "this run may call tools {limit} times and has done so\nhint: do more with each call"
        )))
    }

    fn check(&self, call: CallNumber, scope: &Scope) -> Result<Result<Checked, ToolError>, Stop> {
        let tool = match self.tool() {
            Ok(tool) => tool,
            Err(error) => return Ok(Err(error)),
        };
        let need = scope.policy.approval.of_tool(tool.name(), tool.needs_approval());
        let copies = if scope.oversight.is_decided(&need) { 2 } else { 1 };
        let bytes = match self.reserve(scope, copies)? {
            Ok(bytes) => bytes,
            Err(error) => return Ok(Err(error)),
        };
        Ok(tool.check(&self.arguments).map(|arguments| {
            if let Some(pattern) = self.capabilities.tools.pattern(&self.name) {
                scope.record().rule(call, pattern);
            }
            Checked { arguments, need, copy: bytes * (copies - 1), is_blocking: tool.is_blocking() }
        }))
    }

    fn charge(&self, scope: &Scope) -> Result<(), ToolError> {
        scope.oversight.charge_tool_call().map_err(ToolError::Budget)
    }

    fn agree(&self, call: CallNumber, checked: &Checked, scope: &Scope) -> Result<Agreed, Stop> {
        let request = || {
            CallRequest::new(CapabilityKind::Tools, "call", &*self.name, checked.arguments.clone())
                .rule(self.capabilities.tools.pattern(&self.name).map(ToOwned::to_owned))
        };
        scope.agree((call, scope.asking(call)), checked.need.clone(), || format!("tool `{}`", self.name), request)
    }

    fn blocks(&self, checked: &Checked) -> bool {
        checked.is_blocking
    }

    fn perform<'a>(
        &'a self,
        call: CallNumber,
        checked: Checked,
        scope: &'a Scope,
    ) -> Performed<'a, Result<Vec<u8>, ToolError>> {
        let arguments = match work::Call::current() {
            Some(call) => checked.into_arguments(&call),
            None => checked.arguments,
        };
        let tool = match self.tool() {
            Ok(tool) => tool,
            Err(error) => return Performed::Now(Err(error)),
        };
        let span = scope.record().span(call);
        let _entered = span.enter();
        let text = move |value: Value| compared(scope, call, tool, value).map(|value| value.to_string().into_bytes());
        match tool.prepare(arguments) {
            Prepared::Blocking(function, arguments) => Performed::Now(guarded(function, arguments).and_then(text)),
            Prepared::Asynchronous(future) => {
                Performed::Later(Box::pin(async move { guarded_future(future).await.and_then(text) }))
            }
        }
    }

    fn no_room(&self, room: u64) -> ToolError {
        ToolError::Budget(format!(
            "tool `{}` returned more than the host keeps for a run ({room} bytes left)\n\
             hint: have it return less at a time",
            self.name
        ))
    }
}

impl Submittable for ToolCall<'_> {
    fn submitted(&self) -> Vec<u8> {
        let arguments = Payload::Inline(&self.arguments);
        encode(&Submitted::Tool { name: &self.name, arguments, line: self.line })
    }

    fn reply(result: &Result<HandedOver<Vec<u8>>, ToolError>) -> Vec<u8> {
        encode(&result.as_ref().map(HandedOver::payload))
    }
}

impl ToolCall<'_> {
    pub(super) fn tool(&self) -> Result<&Tool, ToolError> {
        self.capabilities.tools.find(&self.name)
    }

    /// Whether the embedder answers the call later.
    pub(super) fn is_deferred(&self) -> bool {
        self.tool().is_ok_and(Tool::is_deferred)
    }

    /// Reserves memory for `copies` of the arguments as decoded values, which can take much more memory than their JSON
    /// text. Returns the size of one copy in bytes.
    fn reserve(&self, scope: &Scope, copies: u64) -> Result<Result<u64, ToolError>, Stop> {
        let (name, limit, used) = (&self.name, scope.limits().payload, value_bytes(&self.arguments));
        if used > limit {
            scope.record().reached(LimitHit::new(LimitName::Payload, limit, used));
            return Ok(Err(ToolError::Budget(format!(
                "the arguments of tool `{name}` would take {used} bytes in the host as single values, which keeps {limit} \
                 for a run\nhint: pass fewer values, or one text with all of them"
            ))));
        }
        let bytes = used.saturating_mul(copies);
        let reserved = match reserve_for_call(bytes) {
            // The timer must be created on the runtime, not only awaited there.
            Err(why) if why.busy => scope.wait(async {
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
pub(super) fn compared(scope: &Scope, call: CallNumber, tool: &Tool, result: Value) -> Result<Value, ToolError> {
    let Some((mismatch, strictness)) = tool.validate_result(&result) else { return Ok(result) };
    scope.record().mismatch(call, &mismatch);
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
