//! Approval by a person, whom the client asks.
//!
//! Older revisions of the protocol let a server send a question while a call is in flight. Newer ones do not: the
//! server answers the call with the question, and the client repeats the call with the answer. A client that supports
//! neither is treated as a refusal.

use std::collections::BTreeMap;

use isolette::{CapabilityKind, Redaction, policy::CallRequest, policy::Decision, visible};
use isolette_agent::rendering::clip;
use rmcp::{
    RoleServer,
    model::{
        ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, InputRequest,
        InputRequiredResult, InputResponses, ProtocolVersion,
    },
    service::RequestContext,
};

use super::control::Question;

/// The key of the question in the input requests of a result.
const QUESTION: &str = "approval";

/// Maximum number of characters of the arguments in a question: the beginning and the end, with the omitted length
/// between.
const SHOWN: usize = 2_000;

/// Maximum number of characters of a program in a question. The approver of a program should see all of it.
const SHOWN_OF_PROGRAM: usize = 20_000;

/// The way in which a client can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// With a request while the call is in flight.
    During,
    /// By answering the call with the question.
    Between,
    /// It cannot be asked.
    None,
}

impl Way {
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let form = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
        match form {
            // A client that declares neither form nor URL supports forms.
            Some(elicitation) if elicitation.form.is_some() || elicitation.url.is_none() => {}
            _ => return Self::None,
        }
        let newer = |version: &ProtocolVersion| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str();
        match context.protocol_version() {
            Some(version) if newer(&version) => Self::Between,
            _ => Self::During,
        }
    }
}

/// Denies because the client cannot ask a person.
pub(super) fn deny_unasked(question: Question) {
    let denied =
        Decision::deny("this needs approval, and the client cannot ask for it (it has not declared `elicitation`)");
    let _ = question.answer.send(denied);
}

/// The question as an input request of a result, for clients that repeat the call with the answer.
pub(super) fn question(request: &CallRequest, redaction: &Redaction) -> InputRequest {
    InputRequest::Elicitation(ElicitRequest::new(form(request, redaction)))
}

/// The question as an elicitation form.
pub(super) fn form(request: &CallRequest, redaction: &Redaction) -> ElicitRequestParams {
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message(request, redaction),
        requested_schema: ElicitationSchema::new(BTreeMap::new()),
    }
}

pub(super) fn decision(answer: &ElicitResult) -> Decision {
    match answer.action {
        ElicitationAction::Accept => Decision::Allow,
        ElicitationAction::Decline => Decision::deny("the user declined"),
        _ => Decision::deny("the user cancelled the question"),
    }
}

fn message(request: &CallRequest, redaction: &Redaction) -> String {
    let CallRequest { capability, operation, target, arguments, reason, .. } = request;
    let what = match arguments["code"].as_str() {
        Some(code) if *capability == CapabilityKind::Program => {
            format!("run:\n\n{}\n", shown(code, SHOWN_OF_PROGRAM, redaction))
        }
        _ => {
            let [operation, target, arguments] =
                [operation, target, &arguments.to_string()].map(|text| shown(text, SHOWN, redaction));
            match *capability {
                CapabilityKind::Tools => format!("call the tool `{target}` with {arguments}"),
                CapabilityKind::Http => format!("send {operation} {target} with {arguments}"),
                _ => format!("do this: {operation} {target} with {arguments}"),
            }
        }
    };
    format!("A program wants to {what}\nAllow it? ({})", shown(reason, SHOWN, redaction))
}

/// Secrets are removed first: part of a secret that was cut in two would not be recognized.
fn shown(text: &str, limit: usize, redaction: &Redaction) -> String {
    clip(&visible(&redaction.text(text)), limit, None).text
}

/// The decision in the answers to a call, for the question that was in its response.
pub(super) fn answered(responses: Option<&InputResponses>) -> Decision {
    let answer = responses.and_then(|responses| responses.get(QUESTION)).cloned();
    let answer = answer.and_then(|answer| serde_json::from_value::<ElicitResult>(answer).ok());
    answer.map_or_else(|| Decision::deny("the client brought no answer"), |answer| decision(&answer))
}

/// The response to a call with a question, which the client repeats with the answer and the name.
pub(super) fn response(request: &CallRequest, name: String, redaction: &Redaction) -> InputRequiredResult {
    let questions = BTreeMap::from([(QUESTION.to_owned(), question(request, redaction))]);
    InputRequiredResult::new(Some(questions), Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_shown_as_it_is_written() {
        let code = "x = \"a\"\nprint(x)\n# hunter2 \u{202e}\u{1b}[2J";
        assert_eq!(
            shown(code, SHOWN_OF_PROGRAM, &Redaction::new(["hunter2"])),
            "x = \"a\"\nprint(x)\n# [redacted] \\u{202e}\\u{1b}[2J"
        );
    }

    #[test]
    fn nothing_is_hidden_from_the_approver() {
        for hidden in
            ["\u{e0041}", "\u{fe0f}", "\u{3164}", "\u{115f}", "\u{2800}", "\u{180e}", "\u{34f}", "\u{a0}", "\u{e000}"]
        {
            let text = shown(&format!("pay{hidden}"), SHOWN, &Redaction::default());
            assert!(!text.contains(hidden) && text.starts_with("pay\\u{"), "{text}");
        }
    }

    #[test]
    fn nothing_hides_behind_what_is_long() {
        let code = format!("first\n{}\nlast", "# long\n".repeat(10_000));
        let text = shown(&code, SHOWN_OF_PROGRAM, &Redaction::default());
        assert!(text.starts_with("first\n") && text.ends_with("\nlast"), "{}", &text[..100]);
        assert!(text.contains("[50011 of 70011 characters left out]"), "{}", &text[..100]);
    }
}
