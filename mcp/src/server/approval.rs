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

use isolette::{
    Redaction,
    policy::{CallRequest, Decision},
};
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

/// Characters of arguments that a person is shown.
const SHOWN: usize = 2_000;

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

/// What a person is asked.
pub(super) fn form(request: &CallRequest, redaction: &Redaction) -> ElicitRequestParams {
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: redaction.text(&message(request)),
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

fn message(request: &CallRequest) -> String {
    let arguments = request.arguments.to_string();
    let shown: String = arguments.chars().take(SHOWN).collect();
    let more = if shown.len() < arguments.len() { "…" } else { "" };
    let what = match request.capability {
        "tools" => format!("call the tool `{}` with {shown}{more}", request.target),
        "http" => format!("send {} {} with {shown}{more}", request.operation, request.target),
        _ => format!("run, with {shown}{more}"),
    };
    format!("A program wants to {what}\nAllow it? ({})", request.reason)
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
        let request = InputRequest::Elicitation(ElicitRequest::new(form(&question.request, redaction)));
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
