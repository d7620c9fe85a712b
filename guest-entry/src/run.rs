//! The run of one program.

use isolette_abi::{
    BodyRule, CallStyle, DecodeError, Dialect, Mode, Payload, Start, VERSION, Variable, decode,
    host_call::{self, HostCall},
};

use crate::{
    bindings::isolette::{
        adapter::lifecycle,
        sandbox::runner::{self, Outcome, Request},
        waist::host,
    },
    finish::{finish, refusal},
};

/// The imported `host` interface.
struct Host;

impl HostCall for Host {
    fn call(&mut self, message: &[u8]) -> Vec<u8> {
        host::call(message)
    }
}

/// The other components of the image.
pub(crate) trait Image {
    fn begin(&mut self, start: &[u8]);
    fn run(&mut self, request: &Request) -> Outcome;
    fn finish(&mut self) -> Vec<u8>;
}

struct Components;

impl Image for Components {
    fn begin(&mut self, start: &[u8]) {
        lifecycle::begin(start);
    }

    fn run(&mut self, request: &Request) -> Outcome {
        runner::run(request)
    }

    fn finish(&mut self) -> Vec<u8> {
        lifecycle::finish()
    }
}

/// Runs the program of an encoded [`Start`] and returns an encoded `Finish`.
pub(crate) fn run<W: HostCall + ?Sized>(host: &mut W, image: &mut impl Image, message: &[u8]) -> Vec<u8> {
    // Every version of the message starts with the version number, so that this image can decode it in any message.
    match decode_version(message) {
        Some(VERSION) => {}
        theirs => {
            let theirs = theirs.map_or_else(|| "an unknown version".into(), |version| format!("version {version}"));
            let message = format!(
                "the host uses {theirs} of the host call ABI, this image uses version {VERSION}; hint: rebuild the image with \
                 the tools of this release"
            );
            return refusal("AbiMismatch", &message);
        }
    }
    run_same_version(host, image, message).unwrap_or_else(|DecodeError| {
        refusal(
            "AbiMismatch",
            "a message between host and image is malformed, although both use the same version of the host call ABI",
        )
    })
}

fn run_same_version<W: HostCall + ?Sized>(
    host: &mut W,
    image: &mut impl Image,
    message: &[u8],
) -> Result<Vec<u8>, DecodeError> {
    let start: Start<'_> = decode(message)?;
    let request = Request {
        code: text(host, start.code)?,
        filename: start.filename.into(),
        variables: variables(host, start.variables)?,
        mode: match start.mode {
            Mode::Fresh => runner::Mode::Fresh,
            Mode::Session => runner::Mode::Session,
            Mode::Copy => runner::Mode::Copy,
            Mode::SetUp => runner::Mode::SetUp,
            Mode::Warm => runner::Mode::Warm,
        },
        http_body: match start.http_body {
            BodyRule::Auto => runner::BodyRule::Auto,
            BodyRule::Text => runner::BodyRule::Text,
        },
        tool_calls: style(start.tool_calls),
        interface_calls: style(start.interface_calls),
        dialect: match start.dialect {
            Dialect::Isolette => runner::Dialect::Isolette,
            Dialect::Anthropic => runner::Dialect::Anthropic,
            Dialect::OpenAi => runner::Dialect::Openai,
            Dialect::Codex => runner::Dialect::Codex,
            Dialect::Cloudflare => runner::Dialect::Cloudflare,
        },
    };
    image.begin(message);
    let outcome = image.run(&request);
    let console = image.finish();
    finish(host, &outcome, &console)
}

fn style(style: CallStyle<'_>) -> runner::CallStyle {
    runner::CallStyle { asynchronous: style.asynchronous, reason: style.reason.into() }
}

fn text<W: HostCall + ?Sized>(host: &mut W, payload: Payload<'_>) -> Result<String, DecodeError> {
    String::from_utf8(host_call::fetch(host, payload)?).map_err(|_| DecodeError)
}

fn variables<W: HostCall + ?Sized>(host: &mut W, payload: Payload<'_>) -> Result<Vec<runner::Variable>, DecodeError> {
    let bytes = host_call::fetch(host, payload)?;
    let variables: Vec<Variable<'_>> = decode(&bytes)?;
    let copy = |variable: Variable<'_>| runner::Variable { name: variable.name.into(), json: variable.json.into() };
    Ok(variables.into_iter().map(copy).collect())
}

/// Decodes the version number at the start of a [`Start`].
fn decode_version(message: &[u8]) -> Option<u16> {
    isolette_abi::decode_prefix(message).ok()
}

impl crate::bindings::exports::isolette::waist::guest::Guest for crate::Component {
    fn run(message: Vec<u8>) -> Vec<u8> {
        run(&mut Host, &mut Components, &message)
    }
}
