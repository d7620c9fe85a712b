//! Asking a person, through the client, whether a program may do something.
//!
//! Older revisions of the protocol let a server ask while a call is under way. Newer ones do not: the call is answered with
//! the question, and the client calls again with the answer. The program waits meanwhile, under a name that only that
//! client knows. A client that can do neither is never taken for one that agreed.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

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

use super::{
    handles::chance,
    outcome::Failure,
    running::{Question, Running},
};

/// The name of the question among those that a client is sent.
const QUESTION: &str = "approval";

/// Characters of arguments that a person is shown: the beginning and the end, and how much is missing between them.
const SHOWN: usize = 2_000;

/// Characters of a program. Somebody who agrees to it as a whole should have read it.
const SHOWN_OF_PROGRAM: usize = 20_000;

/// How a client can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// While the call is under way.
    During,
    /// By answering the call with the question.
    Between,
    /// Not at all.
    None,
}

impl Way {
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let form = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
        match form {
            // One that names neither form nor URL has forms.
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

/// Refuses on behalf of a client that cannot ask.
pub(super) fn nobody(question: Question) {
    let denied = Decision::deny(
        "this needs somebody's approval, and the client cannot ask anybody (it has not declared `elicitation`)",
    );
    let _ = question.answer.send(denied);
}

/// What a client is sent to ask a person, where it comes back with the answer.
pub(super) fn question(request: &CallRequest, redaction: &Redaction) -> InputRequest {
    InputRequest::Elicitation(ElicitRequest::new(form(request, redaction)))
}

/// What a person is asked.
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

/// Secrets go first: what is left of one that was cut in two would not be known for one.
fn shown(text: &str, limit: usize, redaction: &Redaction) -> String {
    clip(&visible(&redaction.text(text)), limit, None).text
}

/// Programs that wait for an answer, each under a name that nobody can guess.
#[derive(Clone, Default)]
pub(super) struct Parked(Arc<Mutex<HashMap<String, (Running, Question)>>>);

impl Parked {
    /// Keeps a program until it is asked for, or until its time is up in any case.
    pub(super) fn park(
        &self,
        running: Running,
        question: Question,
        patience: Duration,
        redaction: &Redaction,
    ) -> InputRequiredResult {
        let request = self::question(&question.request, redaction);
        let name = chance();
        self.lock().insert(name.clone(), (running, question));
        let (parked, forgotten) = (self.clone(), name.clone());
        tokio::spawn(async move {
            tokio::time::sleep(patience).await;
            parked.lock().remove(&forgotten);
        });
        InputRequiredResult::new(Some(BTreeMap::from([(QUESTION.to_owned(), request)])), Some(name))
    }

    /// Gives the program back to whoever knows its name, and the answer to the program.
    pub(super) fn resume(&self, name: &str, responses: Option<&InputResponses>) -> Result<Running, Failure> {
        let (running, question) = self.lock().remove(name).ok_or_else(|| {
            Failure::new("NotWaiting", "no program waits for this answer", "call again without `requestState`")
        })?;
        let answer = responses.and_then(|responses| responses.get(QUESTION)).cloned();
        let answer = answer.and_then(|answer| serde_json::from_value::<ElicitResult>(answer).ok());
        let decision =
            answer.map_or_else(|| Decision::deny("the client brought no answer"), |answer| decision(&answer));
        let _ = question.answer.send(decision);
        Ok(running)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, (Running, Question)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
    fn nothing_is_hidden_from_whoever_decides() {
        for hidden in
            ["\u{e0041}", "\u{fe0f}", "\u{3164}", "\u{115f}", "\u{2800}", "\u{180e}", "\u{34f}", "\u{a0}", "\u{e000}"]
        {
            let told = shown(&format!("pay{hidden}"), SHOWN, &Redaction::default());
            assert!(!told.contains(hidden) && told.starts_with("pay\\u{"), "{told}");
        }
    }

    #[test]
    fn nothing_hides_behind_what_is_long() {
        let code = format!("first\n{}\nlast", "# long\n".repeat(10_000));
        let told = shown(&code, SHOWN_OF_PROGRAM, &Redaction::default());
        assert!(told.starts_with("first\n") && told.ends_with("\nlast"), "{}", &told[..100]);
        assert!(told.contains("[50011 of 70011 characters left out]"), "{}", &told[..100]);
    }
}
