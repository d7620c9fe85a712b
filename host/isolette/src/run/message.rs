//! The parts of the first message to a guest.

use isolette_abi::{CallStyle, Payload, Variable, encode};
use isolette_policy::check_variable;
use isolette_types::{CallMode, ChosenMode, Dialect, Error, Unit};
use serde_json::Value;

use crate::broker::Broker;

pub(super) fn style(chosen: Option<&ChosenMode>) -> CallStyle<'_> {
    chosen.map_or(CallStyle { asynchronous: false, reason: "" }, |chosen| CallStyle {
        asynchronous: chosen.mode == CallMode::Async,
        reason: &chosen.reason,
    })
}

pub(super) fn dialect(dialect: Dialect) -> isolette_abi::Dialect {
    match dialect {
        Dialect::Anthropic => isolette_abi::Dialect::Anthropic,
        Dialect::OpenAi => isolette_abi::Dialect::OpenAi,
        Dialect::Codex => isolette_abi::Dialect::Codex,
        Dialect::Cloudflare => isolette_abi::Dialect::Cloudflare,
        _ => isolette_abi::Dialect::Isolette,
    }
}

/// Passes a payload to the guest, inline if it is at most `inline` bytes long.
pub(super) fn provide<'a>(
    broker: &mut Broker,
    what: &'static str,
    bytes: &'a [u8],
    inline: usize,
) -> Result<Payload<'a>, Error> {
    broker.provide(bytes, inline).map_err(|limit| Error::LimitExceeded {
        what,
        unit: Unit::Bytes,
        limit,
        used: bytes.len() as u64,
    })
}

/// The variables of the sandbox, overridden by those of the run, encoded.
pub(super) fn variables(sandbox: &[(String, Value)], run: &[(String, Value)]) -> Result<Vec<u8>, Error> {
    for (name, _) in run {
        check_variable(name)?;
    }
    let inherited = sandbox.iter().filter(|(name, _)| !run.iter().any(|(other, _)| other == name));
    let texts: Vec<_> = inherited.chain(run).map(|(name, value)| (name, value.to_string())).collect();
    let variables: Vec<_> = texts.iter().map(|(name, json)| Variable { name, json }).collect();
    Ok(encode(&variables))
}
