//! Calls for files: applies checks, quota and audit to the file capability.

use std::{borrow::Cow, sync::PoisonError};

use isolette_abi::{
    decode_prefix, encode,
    files::{Call, FileError},
};
use isolette_policy::{CallRequest, Limits, Need};
use isolette_types::CapabilityKind;
use serde_json::{Value, json};
use sha2::Digest as _;

use super::{
    Broker, Record, Scope, Stop,
    call_error::CallError as _,
    calls::SHOWN_CHARACTERS,
    decisions::Asking,
    guard::{Agreed, GuardedCall, Output, Performed},
    open_call::CallNumber,
};
use crate::{audit::SHOWN_LIMIT, guest_context::GuestContext};

/// Separates the two paths of a rename in a record.
const BECOMES: &str = " -> ";

impl Broker {
    pub(super) fn files(&mut self, call: &Call<'_>) -> Result<Vec<u8>, Stop> {
        let guest = self.scope.guest.clone();
        Ok(match self.guard(&FileCall { call, guest: &guest })? {
            Ok(reply) => reply.output.0,
            Err(error) => encode::<Result<(), _>>(&Err(error)),
        })
    }
}

struct FileCall<'a> {
    call: &'a Call<'a>,
    guest: &'a GuestContext,
}

/// A reply that is not an error, encoded. It fits into a message, and may be longer than one chunk of a payload.
struct Reply(Vec<u8>);

impl Output for Reply {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn long(&mut self) -> Option<&mut Vec<u8>> {
        None
    }
}

impl GuardedCall for FileCall<'_> {
    type Checked = ();
    type Output = Reply;
    type Error = FileError;

    fn begin(&self, record: &mut Record, limits: &Limits) -> CallNumber {
        if !record.recording.is_heard() {
            return record.next_number();
        }
        let (operation, path) = described(self.call);
        // The variable data that the target does not contain.
        let (written, digested): (&[u8], &[u8]) = match *self.call {
            Call::Write { bytes, .. } => (bytes, bytes),
            Call::Rename { target, .. } => (&[], target.as_bytes()),
            _ => (&[], &[]),
        };
        let call = record.begin_call(limits, CapabilityKind::Files, operation, &target(self.call), written.len());
        if let Some(rule) = self.guest.files.rule(path) {
            record.rule(call, rule);
        }
        record.digest(call, |hasher| hasher.update(digested));
        record.arguments(call, length(self.call), || arguments(self.call));
        call
    }

    fn check(&self, _: CallNumber, _: &Scope) -> Result<Result<(), FileError>, Stop> {
        Ok(Ok(()))
    }

    fn agree(&self, call: CallNumber, (): &(), scope: &Scope) -> Result<Agreed, Stop> {
        let (operation, path) = described(self.call);
        let request = || {
            let rule = self.guest.files.rule(path);
            CallRequest::new(CapabilityKind::Files, operation, path, shown(self.call)).rule(rule)
        };
        scope.agree((call, Asking::ForNow), Need::Nothing, || format!("{operation} {path}"), request)
    }

    /// Programs only get an error number here, so the reason goes to the record.
    fn refused(&self, call: CallNumber, reason: String, scope: &Scope) -> FileError {
        scope.record().note(call, &reason);
        FileError::denied(reason)
    }

    fn perform(&self, _: CallNumber, (): (), scope: &Scope) -> Performed<'_, Result<Reply, FileError>> {
        let mut quota = self.guest.quota.lock().unwrap_or_else(PoisonError::into_inner);
        let reply = self.guest.files.answer(self.call, &mut quota, &self.guest.locks);
        let limit_hit = quota.limit_hit();
        drop(quota);
        if let Some(limit_hit) = limit_hit {
            scope.record().reached(limit_hit);
        }
        Performed::Now(match decode_prefix::<Result<(), FileError>>(&reply) {
            Ok(Err(error)) => Err(error),
            _ => Ok(Reply(reply)),
        })
    }

    fn no_room(&self, _: u64) -> FileError {
        FileError::Io
    }

    fn bytes_in(&self, reply: &Reply) -> u64 {
        match self.call {
            Call::Read { .. } | Call::List { .. } => reply.0.len() as u64,
            _ => 0,
        }
    }
}

/// The operation and the path.
fn described<'a>(call: &Call<'a>) -> (&'static str, &'a str) {
    match *call {
        Call::Stat { path } => ("stat", path),
        Call::Read { path, .. } => ("read", path),
        Call::Write { path, .. } => ("write", path),
        Call::List { path, .. } => ("list", path),
        Call::Create { path, .. } => ("create", path),
        Call::Remove { path, .. } => ("remove", path),
        Call::Rename { source, .. } => ("rename", source),
        Call::Resize { path, .. } => ("resize", path),
        Call::SetModified { path, .. } => ("set-modified", path),
        Call::Lock { path, .. } => ("lock", path),
    }
}

/// The path as it is recorded. A rename records both paths, and each is cut so that the other is always visible.
fn target<'a>(call: &Call<'a>) -> Cow<'a, str> {
    let Call::Rename { source, target } = *call else { return Cow::Borrowed(described(call).1) };
    let room = SHOWN_CHARACTERS - BECOMES.len();
    let most = if source.len().saturating_add(target.len()) <= room { room } else { room / 2 };
    let cut = |path: &'a str| path.char_indices().nth(most).map_or(path, |(end, _)| &path[..end]);
    Cow::Owned(format!("{}{BECOMES}{}", cut(source), cut(target)))
}

/// The arguments, for the approver.
fn shown(call: &Call<'_>) -> Value {
    match length(call) {
        long if long > SHOWN_LIMIT => json!({ "arguments_bytes": long }),
        _ => arguments(call),
    }
}

/// Length of the part of the arguments that a guest can make arbitrarily long, in bytes.
fn length(call: &Call<'_>) -> usize {
    if let Call::Rename { target, .. } = call { target.len() } else { 0 }
}

/// The arguments without the path, and without the bytes of a write, which are content and covered by the digest.
fn arguments(call: &Call<'_>) -> Value {
    match *call {
        Call::Stat { .. } => json!({}),
        Call::Read { offset, length, .. } => json!({ "offset": offset, "length": length }),
        Call::Write { offset, bytes, .. } => json!({ "offset": offset, "bytes": bytes.len() }),
        Call::List { skip, .. } => json!({ "skip": skip }),
        Call::Create { kind, .. } | Call::Remove { kind, .. } => {
            json!({ "kind": format!("{kind:?}").to_ascii_lowercase() })
        }
        Call::Rename { target, .. } => json!({ "target": target }),
        Call::Resize { size, .. } => json!({ "size": size }),
        Call::SetModified { modified, .. } => json!({ "modified": modified }),
        Call::Lock { lock, start, length, test, .. } => {
            let kind = format!("{lock:?}").to_ascii_lowercase();
            json!({ "kind": kind, "start": start, "length": length, "test": test })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_names_are_on_record() {
        let rename = |source, other| target(&Call::Rename { source, target: other }).into_owned();
        assert_eq!(rename("/output/a", "/output/b"), "/output/a -> /output/b");
        let long = "é".repeat(300);
        assert_eq!(rename(&long, "/output/b"), format!("{} -> /output/b", "é".repeat(126)));
        assert_eq!(rename("/output/a", &long), format!("/output/a -> {}", "é".repeat(126)));
        assert_eq!(rename(&long, &long).chars().count(), SHOWN_CHARACTERS);
        assert_eq!(target(&Call::Stat { path: "/output/a" }), "/output/a");
    }

    #[test]
    fn unread_arguments_are_not_shown() {
        let long = "x".repeat(SHOWN_LIMIT + 1);
        let rename = Call::Rename { source: "/output/a", target: &long };
        assert_eq!(shown(&rename), json!({ "arguments_bytes": SHOWN_LIMIT + 1 }));
        assert_eq!(shown(&Call::Rename { source: "/a", target: "/b" }), json!({ "target": "/b" }));
    }
}
