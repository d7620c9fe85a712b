//! Brings requests to the replica that has what they are about.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, Method, StatusCode};
use subtle::ConstantTimeEq as _;
use tokio::time::Instant;

use super::{e2b, forward};
use crate::{
    caller::Caller,
    execution,
    failure::Failure,
    replicas::{Holder, Replicas},
    sandboxes::Place,
    shared::Shared,
    store::rows::SandboxRow,
};

/// How often a replica that does not answer is tried until it counts as gone.
const TRIED_EVERY: Duration = Duration::from_millis(250);

/// What a request is about.
enum Subject {
    Sandbox(String),
    Run(String),
}

/// Answers requests about sandboxes and runs that this replica has, or takes over; passes others on.
pub(super) async fn route(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let Some(replicas) = &shared.resources.replicas else { return next.run(request).await };
    let Some(subject) = subject(&request) else { return next.run(request).await };
    if !replicas.is_current() {
        let message = "this server cannot reach the store that it shares with others";
        let failure = Failure::new(StatusCode::SERVICE_UNAVAILABLE, "Unavailable", message, "send the request again");
        return failure.into_response();
    }
    match answer(&shared, replicas, &subject, request, next).await {
        Ok(response) => response,
        Err(failure) => failure.into_response(),
    }
}

async fn answer(
    shared: &Arc<Shared>,
    replicas: &Replicas,
    subject: &Subject,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let claim = Claim::of(&request);
    let is_passed_on = request.headers().contains_key(forward::PASSED_ON);
    let until = Instant::now() + replicas.lease() * 2;
    loop {
        let there = match subject {
            Subject::Sandbox(text) => place_of_sandbox(shared, replicas, &claim, text).await?,
            Subject::Run(id) => match &claim.caller {
                Some(caller) => execution::place(shared, caller, id).await?,
                None => None,
            },
        };
        let Some(holder) = there else { break };
        if is_passed_on || Instant::now() > until {
            return Err(Failure::busy("what was asked for moves between servers", "send the request again"));
        }
        if forward::answers(&holder.url).await {
            return forward::forward(replicas, &holder, request).await;
        }
        tokio::time::sleep(TRIED_EVERY).await;
    }
    // The end of a program is acknowledged with its run.
    let path = request.uri().path();
    let is_change = !matches!(*request.method(), Method::GET | Method::HEAD)
        && !path.ends_with("/runs")
        && !path.ends_with("/execute");
    let response = next.run(request).await;
    if let Subject::Sandbox(text) = subject
        && is_change
        && response.status().is_success()
        && let Some(sandbox) = shared.sandboxes.known(claim.caller.as_deref(), text)
    {
        sandbox.publish(&shared.resources).await?;
    }
    Ok(response)
}

/// By what right a request is made.
struct Claim {
    caller: Option<Arc<str>>,
    /// Of a sandbox.
    access: Option<String>,
}

impl Claim {
    fn of(request: &Request) -> Self {
        Self {
            caller: request.extensions().get::<Caller>().map(|caller| Arc::clone(&caller.name)),
            access: e2b::access_token(request.headers()).map(str::to_owned),
        }
    }

    fn is_for(&self, row: &SandboxRow) -> bool {
        match (&self.caller, &self.access) {
            (Some(caller), _) => *row.owner == **caller,
            (None, Some(token)) => bool::from(token.as_bytes().ct_eq(row.access.as_bytes())),
            (None, None) => false,
        }
    }
}

async fn place_of_sandbox(
    shared: &Arc<Shared>,
    replicas: &Replicas,
    claim: &Claim,
    text: &str,
) -> Result<Option<Holder>, Failure> {
    let known = shared.sandboxes.known(claim.caller.as_deref(), text);
    let id = match (known, &claim.caller) {
        (Some(sandbox), _) if sandbox.holding.is_held() => sandbox.id.clone(),
        (_, Some(caller)) => replicas.id_of(caller, text).await?,
        (_, None) => text.to_owned(),
    };
    if !crate::id::is_name(&id) {
        return Ok(None);
    }
    match shared.sandboxes.place(&shared.resources, &id, |row| claim.is_for(row)).await? {
        Place::Here => Ok(None),
        Place::There(holder) => Ok(Some(holder)),
    }
}

fn subject(request: &Request) -> Option<Subject> {
    let path = request.uri().path();
    let path = path.strip_prefix(e2b::PATH).map_or((path, false), |rest| (rest, true));
    let mut segments = path.0.split('/').skip(1).map(str::to_owned);
    match (path.1, segments.next()?.as_str()) {
        (false, "v1") | (true, "v2") => subject_in(segments, request),
        (true, "sandboxes") => segments.next().map(Subject::Sandbox),
        (true, "execute" | "contexts" | "files") => e2b::sandbox(request.headers()).map(Subject::Sandbox),
        _ => None,
    }
}

fn subject_in(mut segments: impl Iterator<Item = String>, request: &Request) -> Option<Subject> {
    match segments.next()?.as_str() {
        "sandboxes" => segments.next().map(Subject::Sandbox),
        "runs" => match segments.next() {
            Some(id) => Some(Subject::Run(id)),
            None => sandbox_of_list(request).map(Subject::Sandbox),
        },
        _ => None,
    }
}

/// The sandbox whose runs are listed.
fn sandbox_of_list(request: &Request) -> Option<String> {
    let pairs = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(request.uri()).ok()?;
    pairs.0.into_iter().find(|(key, _)| key == "sandbox").map(|(_, id)| id)
}

/// Whether a request was passed on by another replica.
pub(super) fn is_passed_on(headers: &HeaderMap) -> bool {
    headers.contains_key(forward::PASSED_ON)
}
