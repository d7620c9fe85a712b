//! Calls of interfaces of the embedder's own: the rules, the budget, the call itself, the record.

use std::sync::Arc;

use isolette_abi::{
    CHUNK_LIMIT, Payload,
    capabilities::{Call, CapabilityError, Summary},
    encode,
    value::EncodeError,
};
use isolette_interface::FunctionName;
use serde_json::{Value, json};
use sha2::Digest as _;

use super::{Broker, Stop};
use crate::{
    audit::SHOWN_LIMIT,
    capability::custom::{CallContext, CallFailure, Capability, Reply},
    policy::{Breach, CallRequest, LimitName},
    runtime::abort_on_drop,
};

impl Broker {
    pub(super) fn capabilities(&mut self, call: &Call<'_>) -> Result<Vec<u8>, Stop> {
        match *call {
            Call::Call { interface, function, arguments } => {
                let arguments = self.take(arguments)?;
                // As policies have it, whoever reads the record.
                let readable = FunctionName::new(function).readable();
                {
                    let mut record = self.record();
                    record.begin_call(&self.limits, "capabilities", &readable, interface, arguments.len());
                    record.digest(|hasher| hasher.update(&arguments));
                }
                let number = self.surroundings.resources.begin_call();
                let mut result = self.call_capability(number, interface, function, &arguments)?;
                self.transfers.reuse(arguments);
                let length = result.as_ref().map_or(0, |result| result.len() as u64);
                let result = match result.as_mut().map(|result| self.transfers.hand_over(result)) {
                    Ok(Ok(payload)) => Ok(payload),
                    Ok(Err(room)) => {
                        self.no_room(length, room);
                        Err(CapabilityError::Exhausted(format!(
                            "{interface}.{readable} returned more than the host keeps for a run ({room} bytes left)\n\
                             hint: have it return less at a time"
                        )))
                    }
                    Err(error) => Err(error.clone()),
                };
                if result.is_err() {
                    self.surroundings.resources.withdraw(number);
                }
                let (verdict, bytes_in) = ending(&result);
                self.record().end_call(verdict, bytes_in);
                Ok(encode(&result))
            }
            Call::List => {
                let interfaces = &self.capabilities.interfaces;
                let names: Vec<String> = interfaces.iter().map(|one| one.name().to_string()).collect();
                let summaries = interfaces.iter().zip(&names);
                let listing: Vec<_> =
                    summaries.map(|(one, name)| Summary { name, description: one.interface().summary() }).collect();
                let listing = encode(&listing);
                // The embedder registered them, so this is not for a guest to blow up; an empty list says there is none.
                let empty = encode::<[Summary<'_>]>(&[]);
                Ok(encode(&self.lend(&listing, CHUNK_LIMIT).unwrap_or(Payload::Inline(&empty))))
            }
            Call::Describe { interface } => {
                let described = self.capabilities.interfaces.find(interface).map(|found| found.capability.clone());
                let described = match &described {
                    Ok(capability) => self
                        .lend(capability.json().as_bytes(), CHUNK_LIMIT)
                        .map_err(|_| CapabilityError::Budget("the description is too long".into())),
                    Err(error) => Err(error.clone()),
                };
                Ok(encode(&described))
            }
            Call::Drop { interface, resource, handle } => {
                if let Ok(found) = self.capabilities.interfaces.find(interface)
                    && let Some((definition, _)) = found.capability.interface().definition(resource)
                {
                    self.surroundings.resources.release(found.place, definition, handle);
                }
                Ok(encode(&()))
            }
        }
    }

    fn call_capability(
        &self,
        number: u64,
        interface: &str,
        function: &str,
        arguments: &[u8],
    ) -> Result<Result<Vec<u8>, CapabilityError>, Stop> {
        let limit = self.limits.capability_calls;
        if !self.count(LimitName::CapabilityCalls, limit, |usage| &mut usage.capability_calls) {
            return Ok(Err(CapabilityError::Budget(format!(
                "this run may call capabilities {limit} times and has done so\nhint: do more with each call"
            ))));
        }
        let found = self.capabilities.interfaces.find(interface);
        let (found, place, name) = match found.and_then(|found| {
            let (place, function) = found.function(function)?;
            let mut record = self.record();
            record.signature(found.capability.signature(place));
            record.arguments(arguments.len(), || shown(found.capability, place, arguments));
            Ok((found, place, format!("{}.{}", found.capability.name().unversioned(), function.name)))
        }) {
            Ok(found) => found,
            Err(error) => return Ok(Err(error)),
        };
        if let Err(error) = self.admit(&name) {
            return Ok(Err(error));
        }
        if let Err(why) = self.agree_to_capability(found.capability, &name, place, arguments)? {
            return Ok(Err(CapabilityError::Denied(why)));
        }
        let (span, context) = {
            let record = self.record();
            let context = CallContext {
                run: record.recording.run,
                deadline: self.deadline.clone(),
                record: Arc::downgrade(&self.record),
                call: record.begun,
                resources: self.surroundings.resources.of(found.place, number),
            };
            (record.span(), context)
        };
        let _entered = span.enter();
        // What it does on this thread is the embedder's work, not the program's.
        let result = match self.deadline.cpu().exclude(|| found.capability.call(place, arguments, &context)) {
            Reply::Ready(result) => result,
            Reply::Later(future) => self.wait(guarded(future))?,
        };
        Ok(result.map_err(|failure| self.refusal(&name, failure)))
    }

    /// Whether the rules of the policy let the call through, and how often yet.
    fn admit(&self, name: &str) -> Result<(), CapabilityError> {
        let Some((place, rule)) = self.terms.capabilities.rule_for(name).map_err(CapabilityError::Denied)? else {
            return Ok(());
        };
        let mut record = self.record();
        record.rule(rule);
        match rule.calls() {
            Some(limit) if record.count_call(place) > limit => Err(CapabilityError::Budget(format!(
                "the rule `{rule}` allows {limit} calls in a run, and they have been made\nhint: do more with each call"
            ))),
            _ => Ok(()),
        }
    }

    fn agree_to_capability(
        &self,
        capability: &Capability,
        name: &str,
        function: usize,
        arguments: &[u8],
    ) -> Result<Result<(), String>, Stop> {
        let request = || CallRequest {
            capability: "capabilities",
            operation: "call".into(),
            target: name.to_owned(),
            arguments: shown(capability, function, arguments),
            rule: self.terms.capabilities.rule_for(name).ok().flatten().map(|(_, rule)| rule.to_string()),
            reason: String::new(),
        };
        self.agree(self.terms.approval.of_capability(name), || name.to_owned(), request)
    }

    fn refusal(&self, name: &str, failure: CallFailure) -> CapabilityError {
        match failure {
            CallFailure::Invalid(why) => CapabilityError::Invalid(format!("{name}: {why}")),
            CallFailure::Result(EncodeError::TooManyResources) => {
                let limit = self.limits.resources;
                self.record().reached(Breach::new(LimitName::Resources, limit, limit.saturating_add(1)));
                CapabilityError::Exhausted(format!(
                    "{name}: the program holds {limit} resources, as many as it may\nhint: let go of some (`with`, \
                     `close()`; in JavaScript `using`)"
                ))
            }
            failure => CapabilityError::Failed(format!("{name}: {failure}")),
        }
    }
}

/// The arguments, for whoever is asked about the call.
fn shown(capability: &Capability, function: usize, arguments: &[u8]) -> Value {
    let interface = capability.interface();
    let decoded = interface.functions.get(function).filter(|_| arguments.len() <= SHOWN_LIMIT);
    let decoded = decoded.and_then(|function| interface.decode_arguments(function, arguments).ok());
    decoded.unwrap_or_else(|| json!({"arguments_bytes": arguments.len()}))
}

/// Awaits a function of the embedder's; a panic of its is an error of its.
async fn guarded(
    future: impl Future<Output = Result<Vec<u8>, CallFailure>> + Send + 'static,
) -> Result<Vec<u8>, CallFailure> {
    let panicked = |_| Err(CallFailure::Failed("the function panicked".into()));
    abort_on_drop(future).await.unwrap_or_else(panicked)
}

/// How a call ended, and the bytes that came of it.
fn ending(result: &Result<Payload<'_>, CapabilityError>) -> (&'static str, u64) {
    match result {
        Ok(Payload::Inline(bytes)) => ("ok", bytes.len() as u64),
        Ok(Payload::Stored { length, .. }) => ("ok", *length),
        Err(CapabilityError::Missing(_)) => ("missing", 0),
        Err(CapabilityError::Invalid(_)) => ("invalid", 0),
        Err(CapabilityError::Failed(_)) => ("failed", 0),
        Err(CapabilityError::Denied(_)) => ("denied", 0),
        Err(CapabilityError::Budget(_) | CapabilityError::Exhausted(_)) => ("budget", 0),
    }
}
