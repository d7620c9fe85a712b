//! A program that does what most programs do, for engines that want to see one before the first one comes.
//!
//! It runs without any capability: what it asks for is answered here, and nothing of it is ever part of another run.

use std::sync::{Arc, Mutex};

use isolette_abi::{
    BodyRule, Call, Mode, Payload, Start, Variable, decode, encode,
    tools::{self, ToolError},
};

use crate::{
    Language,
    broker::Stop,
    engine::{HostCall, SharedHost},
};

/// The message that starts it.
pub(crate) fn message(language: Language) -> Vec<u8> {
    let code = match language {
        Language::Python => "answer = call_tool('rehearsal', number=1)\nprint(f'{[answer for n in range(3)]}')\n[1, 2]",
        Language::JavaScript | Language::TypeScript => {
            "const answer = call_tool('rehearsal', { number: 1 });\nconsole.log(`${[answer]}`);\n[1, 2]"
        }
    };
    encode(&Start {
        version: isolette_abi::VERSION,
        seed: [0; 32],
        mounts: Vec::new(),
        code: Payload::Inline(code.as_bytes()),
        filename: language.filename(),
        variables: Payload::Inline(&encode(&Vec::<Variable<'_>>::new())),
        mode: Mode::Fresh,
        http_body: BodyRule::Auto,
    })
}

/// Who answers it.
pub(crate) fn host() -> SharedHost {
    Arc::new(Mutex::new(Prompter))
}

struct Prompter;

impl HostCall for Prompter {
    fn call(&mut self, message: &[u8]) -> Result<Vec<u8>, Stop> {
        match decode(message) {
            Ok(Call::Console(_)) => Ok(encode(&())),
            Ok(Call::Tools(tools::Call::Call { .. })) => Ok(encode(&Ok::<_, ToolError>(Payload::Inline(b"1")))),
            _ => Err(Stop::Malformed),
        }
    }
}
