//! Calls for files: the capability and its quota, and the audit.

use std::sync::PoisonError;

use isolette_abi::{
    decode_prefix, encode,
    files::{Call, FileError},
};
use serde_json::{Value, json};
use sha2::Digest as _;

use super::{Broker, Stop, calls::FILES};
use crate::policy::{CallRequest, Need};

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
            record.note(&why);
            record.end_call("denied", 0);
            return Ok(encode::<Result<(), _>>(&Err(FileError::Access)));
        }
        let mut quota = self.surroundings.quota.lock().unwrap_or_else(PoisonError::into_inner);
        let reply = self.surroundings.files.answer(call, &mut quota);
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
            arguments: arguments(call),
            rule: self.surroundings.files.rule(path),
            reason: String::new(),
        };
        self.agree(Need::Nothing, || format!("{operation} {path}"), request)
    }

    fn begin_file_call(&self, call: &Call<'_>) {
        let (operation, path) = described(call);
        let written: &[u8] = if let Call::Write { bytes, .. } = call { bytes } else { &[] };
        let rule = self.surroundings.files.rule(path);
        let mut record = self.record();
        record.begin_call(&self.limits, FILES, operation, path, written.len());
        if let Some(rule) = rule {
            record.rule(rule);
        }
        record.digest(|hasher| hasher.update(written));
        record.arguments(0, || arguments(call));
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
    }
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
