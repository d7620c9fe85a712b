//! Calls for files: the capability and its quota, and the audit.

use std::{borrow::Cow, sync::PoisonError};

use isolette_abi::{
    decode_prefix, encode,
    files::{Call, FileError},
};
use serde_json::{Value, json};
use sha2::Digest as _;

use super::{
    Broker, Stop,
    calls::{FILES, SHOWN_CHARACTERS},
};
use crate::{
    audit::SHOWN_LIMIT,
    policy::{CallRequest, Need},
};

/// Between the two paths of a file that gets another name.
const BECOMES: &str = " -> ";

impl Broker {
    pub(super) fn files(&self, call: &Call<'_>) -> Result<Vec<u8>, Stop> {
        let on_record = self.record().recording.is_heard();
        if on_record {
            self.begin_file_call(call);
        }
        if !self.terms.checks.is_empty()
            && let Err(why) = self.agree_to_file_call(call)?
        {
            // Programs expect a number here, so the words are for the record.
            let mut record = self.record();
            let call = record.begun;
            record.note(call, &why);
            record.end_call("denied", 0);
            return Ok(encode::<Result<(), _>>(&Err(FileError::Access)));
        }
        let mut quota = self.surroundings.quota.lock().unwrap_or_else(PoisonError::into_inner);
        let reply = self.surroundings.files.answer(call, &mut quota, &self.surroundings.locks);
        let breach = quota.breach();
        drop(quota);
        if let Some(breach) = breach {
            self.record().reached(breach);
        }
        if on_record {
            let bytes_in = match call {
                Call::Read { .. } | Call::List { .. } => reply.len() as u64,
                _ => 0,
            };
            match decode_prefix::<Result<(), FileError>>(&reply) {
                Ok(Err(error)) => self.record().end_call(verdict(error), 0),
                _ => self.record().end_call("ok", bytes_in),
            }
        }
        Ok(reply)
    }

    fn agree_to_file_call(&self, call: &Call<'_>) -> Result<Result<(), String>, Stop> {
        let (operation, path) = described(call);
        let request = || CallRequest {
            capability: FILES,
            operation: operation.into(),
            target: path.into(),
            arguments: shown(call),
            rule: self.surroundings.files.rule(path),
            reason: String::new(),
        };
        self.agree(Need::Nothing, || format!("{operation} {path}"), request)
    }

    fn begin_file_call(&self, call: &Call<'_>) {
        let (operation, path) = described(call);
        // What is not in the target, as far as that goes.
        let (written, digested): (&[u8], &[u8]) = match *call {
            Call::Write { bytes, .. } => (bytes, bytes),
            Call::Rename { target, .. } => (&[], target.as_bytes()),
            _ => (&[], &[]),
        };
        let rule = self.surroundings.files.rule(path);
        let mut record = self.record();
        record.begin_call(&self.limits, FILES, operation, &target(call), written.len());
        if let Some(rule) = rule {
            record.rule(rule);
        }
        record.digest(|hasher| hasher.update(digested));
        record.arguments(length(call), || arguments(call));
    }
}

/// What is done, and with which file.
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

/// With which file, as it is put on record: a file may be replaced by another name's, so both are there, and neither can be
/// made so long that the other does not show.
fn target<'a>(call: &Call<'a>) -> Cow<'a, str> {
    let Call::Rename { source, target } = *call else { return Cow::Borrowed(described(call).1) };
    let room = SHOWN_CHARACTERS - BECOMES.len();
    let most = if source.len().saturating_add(target.len()) <= room { room } else { room / 2 };
    let cut = |path: &'a str| path.char_indices().nth(most).map_or(path, |(end, _)| &path[..end]);
    Cow::Owned(format!("{}{BECOMES}{}", cut(source), cut(target)))
}

/// The arguments, for whoever is asked about the call.
fn shown(call: &Call<'_>) -> Value {
    match length(call) {
        long if long > SHOWN_LIMIT => json!({ "arguments_bytes": long }),
        _ => arguments(call),
    }
}

/// Bytes of what a guest may make long of the arguments.
fn length(call: &Call<'_>) -> usize {
    if let Call::Rename { target, .. } = call { target.len() } else { 0 }
}

/// All but the path, and but the bytes that are written: they are content, and the digest is theirs.
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

fn verdict(error: FileError) -> &'static str {
    match error {
        FileError::Access | FileError::ReadOnly => "denied",
        FileError::NotFound => "missing",
        FileError::NoSpace | FileError::FileTooLarge | FileError::TooManyFiles => "budget",
        _ => "failed",
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
    fn arguments_that_nobody_would_read_are_not_shown() {
        let long = "x".repeat(SHOWN_LIMIT + 1);
        let rename = Call::Rename { source: "/output/a", target: &long };
        assert_eq!(shown(&rename), json!({ "arguments_bytes": SHOWN_LIMIT + 1 }));
        assert_eq!(shown(&Call::Rename { source: "/a", target: "/b" }), json!({ "target": "/b" }));
    }
}
