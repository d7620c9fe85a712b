//! Routes requests to the replica that has their sandbox or run.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use http::Method;
use percent_encoding::percent_decode_str;
use tokio::time::Instant;

use super::{e2b, forward, uninterrupted::uninterrupted};
use crate::{
    caller::Caller,
    execution,
    failure::Failure,
    replicas::{Holder, Replicas},
    sandboxes::Place,
    shared::Shared,
    store::rows::SandboxRow,
};

/// Interval between attempts to reach a replica that does not answer, until it counts as gone.
const TRIED_EVERY: Duration = Duration::from_millis(250);

/// The sandbox or the run that a request is about.
enum Subject {
    Sandbox { text: String, is_changed: bool },
    Run(String),
}

/// Answers requests about sandboxes and runs that this replica has, or takes over; passes others on.
pub(super) async fn route(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let Some(replicas) = &shared.resources.replicas else { return next.run(request).await };
    let Some(subject) = subject(&request) else { return next.run(request).await };
    if !replicas.is_current() {
        return Failure::no_shared_store().into_response();
    }
    match answer(&shared, replicas, subject, request, next).await {
        Ok(response) => response,
        Err(failure) => failure.into_response(),
    }
}

async fn answer(
    shared: &Arc<Shared>,
    replicas: &Replicas,
    subject: Subject,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let (claim, subject) = (Arc::new(Claim::of(&request)), Arc::new(subject));
    let is_passed_on = forward::is_passed_on(request.headers());
    let until = Instant::now() + replicas.lease() * 2;
    loop {
        let (shared_, claim, subject) = (Arc::clone(shared), Arc::clone(&claim), Arc::clone(&subject));
        // It goes on if the caller goes away: a sandbox that was taken over has to be made whole.
        let there = uninterrupted(async move { subject.place(&shared_, &claim).await }).await?;
        let Some(holder) = there else { break };
        if is_passed_on || Instant::now() > until {
            return Err(Failure::busy("what was asked for moves between servers", "send the request again"));
        }
        if forward::answers(&holder.url).await {
            return forward::forward(shared, holder, request).await;
        }
        tokio::time::sleep(TRIED_EVERY).await;
    }
    let changed = match &*subject {
        Subject::Sandbox { text, is_changed: true } => shared.sandboxes.known(claim.caller.as_deref(), text),
        _ => None,
    };
    let response = next.run(request).await;
    let Some(sandbox) = changed.filter(|_| response.status().is_success()) else { return Ok(response) };
    // A sandbox that was deleted is not written.
    if !shared.sandboxes.has(&sandbox) {
        return Ok(response);
    }
    let shared = Arc::clone(shared);
    uninterrupted(async move { sandbox.publish(&shared.resources).await }).await?;
    Ok(response)
}

impl Subject {
    /// The replica that has it, or `None` if this one has it or it does not exist.
    async fn place(&self, shared: &Arc<Shared>, claim: &Claim) -> Result<Option<Holder>, Failure> {
        match (self, &claim.caller) {
            (Self::Sandbox { text, .. }, _) => place_of_sandbox(shared, claim, text).await,
            (Self::Run(id), Some(caller)) => execution::place(shared, caller, id).await,
            (Self::Run(_), None) => Ok(None),
        }
    }
}

/// The right with which a request is made.
struct Claim {
    caller: Option<Arc<str>>,
    /// The right to one sandbox.
    sandbox: Option<e2b::SandboxClaim>,
}

impl Claim {
    fn of(request: &Request) -> Self {
        Self {
            caller: request.extensions().get::<Caller>().map(|caller| Arc::clone(&caller.name)),
            sandbox: e2b::SandboxClaim::of(request.headers(), request.method(), request.uri()),
        }
    }

    fn is_for(&self, row: &SandboxRow) -> bool {
        match (&self.caller, &self.sandbox) {
            (Some(caller), _) => *row.owner == **caller,
            (None, Some(claim)) => claim.is_for(&row.access),
            (None, None) => false,
        }
    }
}

async fn place_of_sandbox(shared: &Arc<Shared>, claim: &Claim, text: &str) -> Result<Option<Holder>, Failure> {
    let Some(replicas) = &shared.resources.replicas else { return Ok(None) };
    let known = shared.sandboxes.known(claim.caller.as_deref(), text);
    let id = match (&known, &claim.caller) {
        (Some(sandbox), _) if sandbox.holding.is_held() => sandbox.id.clone(),
        (_, Some(caller)) => replicas.id_of(caller, text).await?,
        (_, None) => text.to_owned(),
    };
    if let Some(copy) = known.filter(|copy| copy.id != id) {
        // The sandbox that had this name before is not the one that has it now, or does not exist.
        shared.sandboxes.drop_copies_named(&shared.resources, &copy.owner, Some(text)).await?;
    }
    if !crate::id::is_name(&id) {
        return Ok(None);
    }
    match shared.sandboxes.place(&shared.resources, &id, |row| claim.is_for(row)).await? {
        Place::Here => Ok(None),
        Place::There(holder) => Ok(Some(holder)),
    }
}

/// Reads the path as the router does.
fn subject(request: &Request) -> Option<Subject> {
    let decode = |segment: &str| percent_decode_str(segment).decode_utf8().ok().map(String::from);
    let segments: Vec<String> = request.uri().path().split('/').skip(1).map(decode).collect::<Option<_>>()?;
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let sandbox = |text: &str, is_changed| Some(Subject::Sandbox { text: text.to_owned(), is_changed });
    match segments[..] {
        // The end of a program is written before it is acknowledged, and a sandbox that is paused is let go.
        ["v1", "sandboxes", id, "runs" | "pause"] => sandbox(id, false),
        ["v1", "sandboxes", id, ..] | ["e2b", "sandboxes", id, ..] | ["e2b", "v2", "sandboxes", id, ..] => {
            sandbox(id, !is_read)
        }
        ["v1", "runs"] => sandbox(&sandbox_of_list(request)?, false),
        ["v1", "runs", id, ..] => Some(Subject::Run(id.to_owned())),
        ["e2b", "execute" | "health"] => sandbox(&e2b::sandbox(request.headers())?, false),
        // What is only read is sent with POST too.
        ["e2b", "filesystem.Filesystem", "Stat" | "ListDir"] => sandbox(&e2b::sandbox(request.headers())?, false),
        ["e2b", "contexts" | "files" | "filesystem.Filesystem", ..] => {
            sandbox(&e2b::sandbox(request.headers())?, !is_read)
        }
        _ => None,
    }
}

/// The sandbox whose runs are listed.
fn sandbox_of_list(request: &Request) -> Option<String> {
    let pairs = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(request.uri()).ok()?;
    pairs.0.into_iter().find(|(key, _)| key == "sandbox").map(|(_, id)| id)
}
