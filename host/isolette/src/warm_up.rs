//! The warm-up program, which engines may run before the first real program to prefault what most programs use.
//!
//! It runs without any capability: its host calls are answered here, and none of its state is part of another run.

use std::sync::{Arc, Mutex};

use isolette_abi::{
    BodyRule, Call, CallStyle, Dialect, Mode, Payload, Start, Variable, decode, encode,
    tools::{self, ToolError},
};

use isolette_deadline::Stop;
use isolette_engine::{HostCall, SharedHost, WarmUp};
use isolette_types::Language;

/// The warm-up run for an image of a language.
pub(crate) fn of(language: Language) -> WarmUp {
    let [code, short] = programs(language);
    WarmUp { message: message(language, code), short: message(language, short), host }
}

/// A program that uses what most programs use, and one that does as little as any.
fn programs(language: Language) -> [&'static str; 2] {
    match language {
        Language::Python => {
            ["answer = call_tool('warm_up', number=1)\nprint(f'{[answer for n in range(3)]}')\n[1, 2]", "print(1)"]
        }
        Language::JavaScript | Language::TypeScript => [
            "const answer = call_tool('warm_up', { number: 1 });\nconsole.log(`${[answer]}`);\n[1, 2]",
            "console.log(1)",
        ],
        // The source language of a component is unknown.
        _ => ["", ""],
    }
}

/// The message that starts a program.
fn message(language: Language, code: &str) -> Vec<u8> {
    encode(&Start {
        version: isolette_abi::VERSION,
        seed: [0; 32],
        mounts: Vec::new(),
        code: Payload::Inline(code.as_bytes()),
        filename: language.filename(),
        variables: Payload::Inline(&encode(&Vec::<Variable<'_>>::new())),
        mode: Mode::Fresh,
        http_body: BodyRule::Auto,
        tool_calls: CallStyle { asynchronous: false, reason: "" },
        interface_calls: CallStyle { asynchronous: false, reason: "" },
        dialect: Dialect::Isolette,
    })
}

/// The host that answers the warm-up program.
fn host() -> SharedHost {
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

#[cfg(test)]
mod tests {
    use isolette_abi::{console::Output, console::Stream};

    use super::*;

    #[test]
    fn an_image_understands_the_message() {
        for language in Language::ALL {
            let WarmUp { message, short, .. } = of(language);
            for message in [message, short] {
                let start: Start<'_> = decode(&message).unwrap();
                assert_eq!(start.version, isolette_abi::VERSION);
                let Payload::Inline(variables) = start.variables else { panic!("{:?}", start.variables) };
                assert_eq!(decode::<Vec<Variable<'_>>>(variables).unwrap(), []);
            }
        }
    }

    #[test]
    fn what_the_program_asks_for_is_answered_and_nothing_else() {
        let host = host();
        let mut host = host.lock().unwrap();
        let line = Call::Console(Output { stream: Stream::Stdout, bytes: b"[1]\n" });
        assert_eq!(host.call(&encode(&line)), Ok(encode(&())));
        let call = Call::Tools(tools::Call::Call { name: "warm_up", arguments: Payload::Inline(b"{}"), line: 1 });
        let reply = host.call(&encode(&call)).unwrap();
        assert_eq!(decode::<Result<Payload<'_>, ToolError>>(&reply).unwrap(), Ok(Payload::Inline(b"1")));
        assert_eq!(host.call(&encode(&Call::Tools(tools::Call::List))), Err(Stop::Malformed));
    }
}
