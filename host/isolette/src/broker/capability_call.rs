//! One call of a function of a custom interface.

use std::{
    borrow::Cow,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

use isolette_abi::{Payload, capabilities::CapabilityError, encode, tickets::Submitted, value::EncodeError};
use isolette_capabilities::{CallContext, CallFailure, CallNotes, CallReply, Capability, ResourceTable};
use isolette_deadline::abort_on_drop;
use isolette_interface::FunctionName;
use isolette_policy::{CallRequest, Limits};
use isolette_types::{CapabilityKind, LimitHit, LimitName};
use serde_json::{Value, json};
use sha2::Digest as _;

use super::{
    Record, Scope, Stop,
    guard::{Agreed, GuardedCall, HandedOver, Performed, Submittable},
    open_call::CallNumber,
};
use crate::{audit::SHOWN_LIMIT, capabilities::Capabilities};

pub(super) struct CapabilityCall<'a> {
    pub(super) capabilities: Arc<Capabilities>,
    pub(super) interface: Cow<'a, str>,
    pub(super) function: Cow<'a, str>,
    /// Encoded values.
    pub(super) arguments: Cow<'a, [u8]>,
    /// The line of the program; 0 if it is not known.
    pub(super) line: u32,
    /// The resources that the call gives to the guest.
    pub(super) given: Given,
}

/// The resources that one call gives to the guest. They are withdrawn if its result does not reach the guest.
pub(super) struct Given {
    resources: ResourceTable,
    call: u64,
    kept: AtomicBool,
}

impl Given {
    pub(super) fn new(resources: &ResourceTable) -> Self {
        Self { resources: resources.clone(), call: resources.begin_call(), kept: AtomicBool::new(false) }
    }
}

impl Drop for Given {
    fn drop(&mut self) {
        if !*self.kept.get_mut() {
            self.resources.withdraw(self.call);
        }
    }
}

/// A function that exists and that the rules permit.
pub(super) struct Checked {
    capability: Capability,
    /// Index of the capability, which resources are associated with.
    place: usize,
    /// Index of the function.
    function: usize,
    /// `acme:weather/forecast.get`.
    name: String,
}

impl GuardedCall for CapabilityCall<'_> {
    type Checked = Checked;
    type Output = Vec<u8>;
    type Error = CapabilityError;

    fn begin(&self, record: &mut Record, limits: &Limits) -> CallNumber {
        // The name as policies write it.
        let function = FunctionName::new(&*self.function).readable();
        let length = self.arguments.len();
        let call = record.begin_call(limits, CapabilityKind::Capabilities, &function, &self.interface, length);
        record.line(call, self.line);
        record.digest(call, |hasher| hasher.update(&self.arguments));
        call
    }

    fn count(&self, scope: &Scope) -> Result<(), CapabilityError> {
        let limit = scope.limits().capability_calls;
        if scope.count(LimitName::CapabilityCalls, limit, |usage| &mut usage.capability_calls) {
            return Ok(());
        }
        Err(CapabilityError::Budget(format!(
            "this run may call capabilities {limit} times and has done so\nhint: do more with each call"
        )))
    }

    fn check(&self, call: CallNumber, scope: &Scope) -> Result<Result<Checked, CapabilityError>, Stop> {
        let found = self.capabilities.interfaces.find(&self.interface);
        let checked = found.and_then(|found| {
            let (function, definition) = found.function(&self.function)?;
            let name = format!("{}.{}", found.capability.name().unversioned(), definition.name);
            let mut record = scope.record();
            record.signature(call, found.capability.signature(function));
            record.arguments(call, self.arguments.len(), || shown(found.capability, function, &self.arguments));
            Ok(Checked { capability: found.capability.clone(), place: found.place, function, name })
        });
        Ok(checked.and_then(|checked| admit(scope, call, &checked.name).map(|()| checked)))
    }

    fn agree(&self, call: CallNumber, checked: &Checked, scope: &Scope) -> Result<Agreed, Stop> {
        let policy = &scope.policy;
        let request = || {
            let arguments = shown(&checked.capability, checked.function, &self.arguments);
            let rule = policy.capabilities.rule_for(&checked.name).ok().flatten().map(|(_, rule)| rule.to_string());
            CallRequest::new(CapabilityKind::Capabilities, "call", &*checked.name, arguments).rule(rule)
        };
        scope.agree(
            (call, scope.asking(call)),
            policy.approval.of_capability(&checked.name),
            || checked.name.clone(),
            request,
        )
    }

    fn blocks(&self, checked: &Checked) -> bool {
        !checked.capability.is_asynchronous(checked.function)
    }

    fn perform<'a>(
        &'a self,
        call: CallNumber,
        checked: Checked,
        scope: &'a Scope,
    ) -> Performed<'a, Result<Vec<u8>, CapabilityError>> {
        let Checked { capability, place, function, name } = checked;
        let resources = scope.guest.resources.of(place, self.given.call);
        let (span, context) = {
            let record = scope.record();
            let (notes, deadline) = (Arc::clone(&scope.notes), scope.deadline.clone());
            (record.span(call), CallContext::new(record.recording.run, deadline, notes, call.0, resources))
        };
        let _entered = span.enter();
        let finished =
            move |result: Result<Vec<u8>, CallFailure>| result.map_err(|failure| error(scope, &name, failure));
        match capability.call(function, &self.arguments, &context) {
            CallReply::Ready(result) => Performed::Now(finished(result)),
            CallReply::Later(future) => Performed::Later(Box::pin(async move { finished(guarded(future).await) })),
        }
    }

    fn handed_over(&self) {
        self.given.kept.store(true, Ordering::Relaxed);
    }

    fn no_room(&self, room: u64) -> CapabilityError {
        let function = FunctionName::new(&*self.function).readable();
        CapabilityError::Exhausted(format!(
            "{}.{function} returned more than the host keeps for a run ({room} bytes left)\n\
             hint: have it return less at a time",
            self.interface
        ))
    }
}

impl Submittable for CapabilityCall<'_> {
    fn submitted(&self) -> Vec<u8> {
        let (interface, function) = (&*self.interface, &*self.function);
        let arguments = Payload::Inline(&self.arguments);
        encode(&Submitted::Capability { interface, function, arguments, line: self.line })
    }

    fn reply(result: &Result<HandedOver<Vec<u8>>, CapabilityError>) -> Vec<u8> {
        encode(&result.as_ref().map(HandedOver::payload))
    }
}

/// Applies the rules of the policy and their limits on the number of calls.
fn admit(scope: &Scope, call: CallNumber, name: &str) -> Result<(), CapabilityError> {
    let Some((place, rule)) = scope.policy.capabilities.rule_for(name).map_err(CapabilityError::Denied)? else {
        return Ok(());
    };
    let mut record = scope.record();
    record.rule(call, rule);
    if scope.deferrals.is_approved(call) {
        return Ok(());
    }
    match rule.calls() {
        Some(limit) if record.count_call(place) > limit => Err(CapabilityError::Budget(format!(
            "the rule `{rule}` allows {limit} calls in a run, and they have been made\nhint: do more with each call"
        ))),
        _ => Ok(()),
    }
}

fn error(scope: &Scope, name: &str, failure: CallFailure) -> CapabilityError {
    match failure {
        CallFailure::Invalid(why) => CapabilityError::Invalid(format!("{name}: {why}")),
        CallFailure::Result(EncodeError::TooManyResources) => {
            let limit = scope.limits().resources;
            scope.record().reached(LimitHit::new(LimitName::Resources, limit, limit.saturating_add(1)));
            CapabilityError::Exhausted(format!(
                "{name}: the program holds {limit} resources, as many as it may\nhint: let go of some (`with`, \
                 `close()`; in JavaScript `using`)"
            ))
        }
        failure => CapabilityError::Failed(format!("{name}: {failure}")),
    }
}

/// The arguments as JSON, for the record and for the approver.
fn shown(capability: &Capability, function: usize, arguments: &[u8]) -> Value {
    let interface = capability.interface();
    let decoded = interface.functions.get(function).filter(|_| arguments.len() <= SHOWN_LIMIT);
    let decoded = decoded.and_then(|function| interface.decode_arguments(function, arguments).ok());
    decoded.unwrap_or_else(|| json!({"arguments_bytes": arguments.len()}))
}

/// Awaits a function of the embedder. A panic in it fails only this call.
async fn guarded(
    future: impl Future<Output = Result<Vec<u8>, CallFailure>> + Send + 'static,
) -> Result<Vec<u8>, CallFailure> {
    let panicked = |_| Err(CallFailure::Failed("the function panicked".into()));
    abort_on_drop(future).await.unwrap_or_else(panicked)
}

/// Adds notes to the record of a run, without keeping the record alive.
#[derive(Debug)]
pub(super) struct Notes(pub(super) Weak<Mutex<Record>>);

impl CallNotes for Notes {
    fn note(&self, call: u64, note: &str) {
        if let Some(record) = self.0.upgrade() {
            record.lock().unwrap_or_else(PoisonError::into_inner).note(CallNumber(call), note);
        }
    }
}
