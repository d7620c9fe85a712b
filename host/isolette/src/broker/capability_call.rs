//! One call of a function of a custom interface.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use isolette_abi::{capabilities::CapabilityError, value::EncodeError};
use isolette_capabilities::{CallContext, CallFailure, CallNotes, CallReply, Capability, Interfaces};
use isolette_deadline::abort_on_drop;
use isolette_interface::FunctionName;
use isolette_policy::{CallRequest, Limits};
use isolette_types::{CapabilityKind, LimitHit, LimitName};
use serde_json::{Value, json};
use sha2::Digest as _;

use super::{Broker, Record, Stop, guard::GuardedCall};
use crate::audit::SHOWN_LIMIT;

pub(super) struct CapabilityCall<'a> {
    pub(super) interfaces: &'a Interfaces,
    pub(super) interface: &'a str,
    pub(super) function: &'a str,
    /// Encoded values.
    pub(super) arguments: &'a [u8],
    /// The number of the call; resources that are given to the guest are associated with it.
    pub(super) number: u64,
}

/// A function that exists and that the rules permit.
pub(super) struct Checked<'a> {
    capability: &'a Capability,
    /// Index of the capability, which resources are associated with.
    place: usize,
    /// Index of the function.
    function: usize,
    /// `acme:weather/forecast.get`.
    name: String,
}

impl<'a> GuardedCall for CapabilityCall<'a> {
    type Checked = Checked<'a>;
    type Output = Vec<u8>;
    type Error = CapabilityError;

    fn begin(&self, record: &mut Record, limits: &Limits) {
        // The name as policies write it.
        let function = FunctionName::new(self.function).readable();
        let length = self.arguments.len();
        record.begin_call(limits, CapabilityKind::Capabilities, &function, self.interface, length);
        record.digest(|hasher| hasher.update(self.arguments));
    }

    fn count(&self, broker: &Broker) -> Result<(), CapabilityError> {
        let limit = broker.limits().capability_calls;
        if broker.count(LimitName::CapabilityCalls, limit, |usage| &mut usage.capability_calls) {
            return Ok(());
        }
        Err(CapabilityError::Budget(format!(
            "this run may call capabilities {limit} times and has done so\nhint: do more with each call"
        )))
    }

    fn check(&self, broker: &Broker) -> Result<Result<Checked<'a>, CapabilityError>, Stop> {
        let found = self.interfaces.find(self.interface);
        let checked = found.and_then(|found| {
            let (function, definition) = found.function(self.function)?;
            let name = format!("{}.{}", found.capability.name().unversioned(), definition.name);
            let mut record = broker.record();
            record.signature(found.capability.signature(function));
            record.arguments(self.arguments.len(), || shown(found.capability, function, self.arguments));
            Ok(Checked { capability: found.capability, place: found.place, function, name })
        });
        Ok(checked.and_then(|checked| admit(broker, &checked.name).map(|()| checked)))
    }

    fn agree(&self, checked: &Checked<'a>, broker: &Broker) -> Result<Result<(), String>, Stop> {
        let policy = &broker.policy;
        let request = || {
            let arguments = shown(checked.capability, checked.function, self.arguments);
            let rule = policy.capabilities.rule_for(&checked.name).ok().flatten().map(|(_, rule)| rule.to_string());
            CallRequest::new(CapabilityKind::Capabilities, "call", &*checked.name, arguments).rule(rule)
        };
        broker.agree(policy.approval.of_capability(&checked.name), || checked.name.clone(), request)
    }

    fn perform(&self, checked: Checked<'a>, broker: &Broker) -> Result<Result<Vec<u8>, CapabilityError>, Stop> {
        let Checked { capability, place, function, name } = checked;
        let (span, context) = {
            let record = broker.record();
            let notes = Arc::clone(&broker.notes);
            let resources = broker.guest.resources.of(place, self.number);
            let deadline = broker.deadline.clone();
            (record.span(), CallContext::new(record.recording.run, deadline, notes, record.begun, resources))
        };
        let _entered = span.enter();
        // Time that the implementation takes on this thread is not CPU time of the program.
        let call = || capability.call(function, self.arguments, &context);
        let result = match broker.deadline.cpu().exclude(call) {
            CallReply::Ready(result) => result,
            CallReply::Later(future) => broker.wait(guarded(future))?,
        };
        Ok(result.map_err(|failure| error(broker, &name, failure)))
    }

    fn no_room(&self, room: u64) -> CapabilityError {
        let function = FunctionName::new(self.function).readable();
        CapabilityError::Exhausted(format!(
            "{}.{function} returned more than the host keeps for a run ({room} bytes left)\n\
             hint: have it return less at a time",
            self.interface
        ))
    }
}

/// Applies the rules of the policy and their limits on the number of calls.
fn admit(broker: &Broker, name: &str) -> Result<(), CapabilityError> {
    let Some((place, rule)) = broker.policy.capabilities.rule_for(name).map_err(CapabilityError::Denied)? else {
        return Ok(());
    };
    let mut record = broker.record();
    record.rule(rule);
    match rule.calls() {
        Some(limit) if record.count_call(place) > limit => Err(CapabilityError::Budget(format!(
            "the rule `{rule}` allows {limit} calls in a run, and they have been made\nhint: do more with each call"
        ))),
        _ => Ok(()),
    }
}

fn error(broker: &Broker, name: &str, failure: CallFailure) -> CapabilityError {
    match failure {
        CallFailure::Invalid(why) => CapabilityError::Invalid(format!("{name}: {why}")),
        CallFailure::Result(EncodeError::TooManyResources) => {
            let limit = broker.limits().resources;
            broker.record().reached(LimitHit::new(LimitName::Resources, limit, limit.saturating_add(1)));
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
            record.lock().unwrap_or_else(PoisonError::into_inner).note(call, note);
        }
    }
}
