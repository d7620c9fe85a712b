//! The running replicas, each of which writes a record about itself.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant, SystemTime},
};

use serde::{Deserialize, Serialize};

use super::Replicas;
use crate::{
    clock::{self, Moment},
    failure::Failure,
};

/// Time for which the record of another replica is cached.
const KNOWN: Duration = Duration::from_secs(1);

/// Maximum number of replicas.
const MEMBERS: usize = 1000;

/// The record of a running replica.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Member {
    /// The URL at which it is reached.
    pub(crate) url: String,
    /// Until when it counts as running.
    until: Moment,
}

/// The replica that has a sandbox or a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(crate) replica: String,
    /// The URL at which it is reached.
    pub(crate) url: String,
}

impl Member {
    fn is_live(&self) -> bool {
        clock::now() < self.until
    }
}

/// The time since a moment. One of the clocks goes on while the machine is suspended.
fn passed((monotonic, wall): (Instant, SystemTime)) -> Duration {
    monotonic.elapsed().max(wall.elapsed().unwrap_or_default())
}

fn key(id: &str) -> String {
    format!("replicas/{id}")
}

impl Replicas {
    /// Keeps the record of this server current, from before it serves until it ends.
    pub(crate) async fn stay(&self) {
        loop {
            if let Err(failure) = self.note().await {
                tracing::warn!("other servers may treat this one as stopped: {}", failure.detail().message);
            }
            tokio::time::sleep(self.settings.lease / 5).await;
        }
    }

    /// Writes the record of this server, with the time until which it counts as running.
    pub(crate) async fn note(&self) -> Result<(), Failure> {
        let Some(url) = self.url.get() else { return Ok(()) };
        let now = (Instant::now(), SystemTime::now());
        // The others wait for a third longer than this server assumes.
        let member = Member { url: url.clone(), until: clock::after(self.lease()) };
        self.objects.put(&key(&self.id), serde_json::to_vec(&member).unwrap_or_default().into()).await?;
        let mut noted = Self::lock(&self.noted);
        if noted.is_some_and(|noted| passed(noted) >= self.settings.lease) {
            self.epoch.fetch_add(1, Ordering::SeqCst);
        }
        *noted = Some(now);
        Ok(())
    }

    /// Deletes the record of this server, so that the others can take over its sandboxes and runs.
    pub(crate) async fn leave(&self) {
        if let Err(error) = self.objects.delete(&key(&self.id)).await {
            tracing::warn!(%error, "other servers wait before they take the sandboxes over");
        }
    }

    /// Whether no other server regards this one as gone.
    pub(crate) fn is_current(&self) -> bool {
        Self::lock(&self.noted).is_some_and(|noted| passed(noted) < self.settings.lease)
    }

    /// The time that it takes to find out that a replica is gone.
    pub(crate) fn lease(&self) -> Duration {
        self.settings.lease * 4 / 3
    }

    /// A number that changes when other servers can have taken over the sandboxes and runs of this one.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::SeqCst)
    }

    /// Another replica, if it runs.
    pub(crate) async fn member(&self, id: &str) -> Result<Option<Member>, Failure> {
        if id == self.id {
            return Ok(None);
        }
        let known = Self::lock(&self.members).get(id).filter(|(read, _)| read.elapsed() < KNOWN).cloned();
        let found = match known {
            Some((_, known)) => known,
            None => {
                let found = self.read::<Member>(&key(id)).await?.map(|(member, _)| member);
                let mut members = Self::lock(&self.members);
                if members.len() >= MEMBERS {
                    members.clear();
                }
                members.insert(id.to_owned(), (Instant::now(), found.clone()));
                found
            }
        };
        Ok(found.filter(Member::is_live))
    }

    /// Whether the replica that a record names runs, or is this one.
    pub(crate) async fn is_held(&self, holder: Option<&str>) -> Result<bool, Failure> {
        match holder {
            Some(holder) => Ok(holder == self.id || self.member(holder).await?.is_some()),
            None => Ok(false),
        }
    }

    /// Another replica that has a sandbox or a run, if it runs.
    pub(crate) async fn holder(&self, id: &str) -> Result<Option<Holder>, Failure> {
        Ok(self.member(id).await?.map(|member| Holder { replica: id.to_owned(), url: member.url }))
    }

    /// Waits until another replica does not run any more.
    pub(crate) async fn until_gone(&self, id: &str) {
        loop {
            tokio::time::sleep(KNOWN).await;
            // If the store cannot be read, it is unknown whether the replica runs.
            if matches!(self.member(id).await, Ok(None)) {
                return;
            }
        }
    }

    /// All other running replicas, by their identifiers.
    pub(crate) async fn others(&self) -> Result<Vec<(String, Member)>, Failure> {
        let mut others = Vec::new();
        for listed in self.objects.list("replicas", MEMBERS).await? {
            let id = listed.key.rsplit('/').next().unwrap_or_default();
            if let Some(member) = self.member(id).await? {
                others.push((id.to_owned(), member));
            }
        }
        others.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(others)
    }

    /// Deletes the records of replicas that ended long ago.
    pub(super) async fn forget_members(&self, before: SystemTime) -> Result<(), Failure> {
        for listed in self.objects.list("replicas", MEMBERS).await? {
            if listed.modified < before {
                self.objects.delete(&listed.key).await?;
            }
        }
        Ok(())
    }
}
