//! The broker's side of a paused run, as it is saved: what the program was told, what it has used, and what it waits for, but
//! no rights and no limits.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use isolette_abi::tickets::Wait;
use isolette_policy::CallRequest;
use isolette_types::{CallRecord, Error, LimitHit, PausedCall, Truncated, Unit, Usage};
use isolette_work::{self as work, reserve_for_call, values::value_bytes};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::{
    Broker, Record,
    asked::{Asked, Deferred},
    open_call::{CallNumber, OpenCall},
    pause::WaitsFor,
};

/// The broker's side of a paused run.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedBroker {
    record: SavedRecord,
    /// Calls without an answer.
    calls: Vec<SavedCall>,
    waits_for: SavedWait,
    last_ticket: u32,
    /// Replies that the program has not got, by ticket.
    replies: Vec<(u32, Bytes)>,
    /// Payloads that the program has sent or can fetch, by handle, and the next handle.
    payloads: Vec<(u32, Bytes)>,
    next_payload: u32,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedCall {
    number: u64,
    ticket: Option<Ticket>,
    asked: SavedAsked,
    record: Option<SavedCallRecord>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedAsked {
    /// The result of a deferred tool.
    Result { name: String, arguments: Value },
    /// An approval, of a call in the form in which guests submit calls.
    Approval { request: CallRequest, what: String, submitted: Bytes, is_deferred: bool },
}

impl From<&Asked> for SavedAsked {
    fn from(asked: &Asked) -> Self {
        match asked {
            Asked::Result { name, arguments } => Self::Result { name: name.clone(), arguments: arguments.clone() },
            Asked::Approval { request, what, submitted, is_deferred } => Self::Approval {
                request: request.clone(),
                what: what.clone(),
                submitted: Bytes(submitted.clone()),
                is_deferred: *is_deferred,
            },
        }
    }
}

impl From<SavedAsked> for Asked {
    fn from(saved: SavedAsked) -> Self {
        match saved {
            SavedAsked::Result { name, arguments } => Self::Result { name, arguments },
            SavedAsked::Approval { request, what, submitted: Bytes(submitted), is_deferred } => {
                Self::Approval { request, what, submitted, is_deferred }
            }
        }
    }
}

/// The ticket of a submitted call, and the bytes of its arguments as the program sent them.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ticket {
    number: u32,
    length: u64,
}

/// The record of a call before its end.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedCallRecord {
    record: CallRecord,
    lasted: Duration,
    listed: bool,
    audited: Option<u64>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedWait {
    /// The result of a call that was not submitted.
    Call(u64),
    /// Replies to these tickets.
    Tickets { tickets: Vec<u32>, all: bool },
    /// The messages that there are.
    Nothing,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedRecord {
    stdout: Bytes,
    stderr: Bytes,
    truncated: Truncated,
    usage: Usage,
    calls: Vec<CallRecord>,
    limits_reached: Vec<LimitHit>,
    slept: Duration,
    http_bytes: u64,
    http_time: Duration,
    begun: u64,
    listed: u64,
    /// The number of calls that each rule has allowed.
    by_rule: Vec<(String, u64)>,
}

/// Bytes, in JSON as Base64.
#[derive(Clone, Deserialize)]
#[serde(try_from = "String")]
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl TryFrom<String> for Bytes {
    type Error = base64::DecodeError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        STANDARD.decode(text).map(Self)
    }
}

impl SavedBroker {
    pub(crate) fn calls(&self) -> Vec<PausedCall> {
        let call = |call: &SavedCall| Asked::from(call.asked.clone()).shown(CallNumber(call.number));
        self.calls.iter().map(call).collect()
    }
}

impl Broker {
    /// Saves this side of a run that is paused. Nothing changes for the program.
    ///
    /// # Errors
    /// What stands in the way.
    pub(crate) fn save(&mut self) -> Result<SavedBroker, String> {
        // What has completed becomes a reply now, since results of tools are values of this process.
        while let Some((ticket, finish)) = self.in_flight.next_finished() {
            let reply = finish(self);
            self.in_flight.keep_last_reply(ticket, reply);
        }
        if self.in_flight.tickets().any(|ticket| !self.pause.calls().any(|(_, call)| call.ticket == Some(ticket))) {
            return Err("a call that is not answered later has not completed".into());
        }
        let waits_for = match self.pause.waits_for() {
            Some(WaitsFor::Call(number, None)) => SavedWait::Call(number.0),
            Some(WaitsFor::Replies(Some(wait))) => SavedWait::Tickets { tickets: wait.tickets.clone(), all: wait.all },
            Some(WaitsFor::Replies(None)) => SavedWait::Nothing,
            _ => return Err("it does not wait for an answer".into()),
        };
        let record = self.record();
        let calls = self.pause.calls().map(|(number, call)| SavedCall {
            number: number.0,
            ticket: call.ticket.map(|ticket| Ticket { number: ticket, length: self.in_flight.length(ticket) }),
            asked: SavedAsked::from(&call.asked),
            record: record.open_calls.get(number).map(|open| SavedCallRecord {
                record: open.record.clone(),
                lasted: open.began.elapsed(),
                listed: open.listed,
                audited: open.number,
            }),
        });
        let calls = calls.collect();
        let rules = &self.scope.policy.capabilities.allow;
        Ok(SavedBroker {
            record: record.save(|rule| rules.get(rule).map(ToString::to_string)),
            calls,
            waits_for,
            last_ticket: self.in_flight.last_ticket(),
            replies: self.in_flight.kept_replies().map(|(ticket, reply)| (*ticket, Bytes(reply.clone()))).collect(),
            payloads: self.transfers.payloads().map(|(handle, payload)| (handle, Bytes(payload.to_vec()))).collect(),
            next_payload: self.transfers.next(),
        })
    }

    /// Takes this side of a run over that was paused in another process.
    pub(crate) fn restore(&mut self, saved: SavedBroker) -> Result<(), Error> {
        let rules = self.scope.policy.capabilities.allow.clone();
        self.record().restore(saved.record, |text| rules.iter().position(|rule| rule.to_string() == text));
        self.in_flight
            .restore(saved.last_ticket, saved.replies.into_iter().map(|(ticket, Bytes(reply))| (ticket, reply)));
        let payloads = saved.payloads.into_iter().map(|(handle, Bytes(payload))| (handle, payload));
        self.transfers.restore(saved.next_payload, payloads).map_err(|used| Error::LimitExceeded {
            what: "what the program and the host send each other",
            unit: Unit::Bytes,
            limit: self.limits().payload,
            used,
        })?;
        for call in saved.calls {
            let number = CallNumber(call.number);
            let asked = Asked::from(call.asked);
            let text = asked.arguments().to_string();
            let exceeded = |limit, used| Error::LimitExceeded {
                what: "the arguments of the calls that wait",
                unit: Unit::Bytes,
                limit,
                used,
            };
            let (limit, used) = self.arguments_with(text.as_bytes());
            if used > limit {
                return Err(exceeded(limit, used));
            }
            let memory = work::Call::of(Arc::clone(&self.scope.interrupt));
            memory.within(|| reserve_for_call(value_bytes(text.as_bytes()))).map_err(|why| Error::Unavailable {
                what: "memory for the calls that wait".into(),
                reason: why.to_string(),
                hint: "try again when the host is less busy".into(),
            })?;
            if let Some(open) = call.record {
                self.record().reopen(number, open);
            }
            let ticket = call.ticket.map(|ticket| {
                self.in_flight.begin_deferred(ticket.number, number, ticket.length);
                ticket.number
            });
            self.pause.add(number, Deferred::new(asked, memory, ticket));
        }
        let waits_for = match saved.waits_for {
            SavedWait::Call(number) if self.pause.calls().any(|(other, _)| other.0 == number) => {
                WaitsFor::Call(CallNumber(number), None)
            }
            SavedWait::Call(_) => {
                return Err(Error::invalid("the call is missing that the paused program waits for", "save it again"));
            }
            SavedWait::Tickets { tickets, all } => WaitsFor::Replies(Some(Wait { tickets, all, timeout: None })),
            SavedWait::Nothing => WaitsFor::Replies(None),
        };
        self.pause.wait(waits_for);
        Ok(())
    }
}

impl Record {
    fn save(&self, rule: impl Fn(usize) -> Option<String>) -> SavedRecord {
        SavedRecord {
            stdout: Bytes(self.stdout.clone()),
            stderr: Bytes(self.stderr.clone()),
            truncated: self.truncated,
            usage: self.usage,
            calls: self.calls.clone(),
            limits_reached: self.limits_reached.clone(),
            slept: self.slept,
            http_bytes: self.http_bytes,
            http_time: self.http_time,
            begun: self.begun.0,
            listed: self.listed,
            by_rule: self.by_rule.iter().filter_map(|(index, count)| Some((rule(*index)?, *count))).collect(),
        }
    }

    /// Takes over what was recorded in another process, in a record without any calls.
    fn restore(&mut self, saved: SavedRecord, rule: impl Fn(&str) -> Option<usize>) {
        (self.stdout, self.stderr) = (saved.stdout.0, saved.stderr.0);
        (self.truncated, self.usage, self.calls) = (saved.truncated, saved.usage, saved.calls);
        (self.limits_reached, self.slept) = (saved.limits_reached, saved.slept);
        (self.http_bytes, self.http_time) = (saved.http_bytes, saved.http_time);
        (self.begun, self.listed) = (CallNumber(saved.begun), saved.listed);
        // A rule that this policy does not have allows nothing more.
        self.by_rule = saved.by_rule.iter().filter_map(|(text, count)| Some((rule(text)?, *count))).collect();
    }

    /// Takes the record of a call over that has not ended.
    fn reopen(&mut self, number: CallNumber, saved: SavedCallRecord) {
        let SavedCallRecord { record, lasted, listed, audited } = saved;
        let now = Instant::now();
        let open_call = OpenCall {
            span: self.span_of(record.capability, &record.operation, &record.target, 0),
            began: now.checked_sub(lasted).unwrap_or(now),
            record,
            listed,
            number: audited,
            hops: Vec::new(),
        };
        self.open_calls.insert(number, Box::new(open_call));
    }
}
