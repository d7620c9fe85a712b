//! Clients that want to hear when the tools have changed.
//!
//! In older revisions of the protocol every client that has shaken hands is told; in newer ones a client asks to be told,
//! with a request that stays open.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use rmcp::{Peer, RoleServer, service::SubscriptionContext};
use tokio::{sync::watch, time::timeout};

/// How long a client may take to hear it. One that does not read keeps nobody else waiting for longer.
const HEARING: Duration = Duration::from_secs(5);

#[derive(Debug, Default)]
pub(super) struct Listeners {
    /// How often the tools have changed.
    changes: watch::Sender<u64>,
    /// Those of older revisions.
    peers: Mutex<Vec<Peer<RoleServer>>>,
}

impl Listeners {
    /// Tells this client too, from now on and for as long as it is there.
    pub(super) fn add(&self, peer: Peer<RoleServer>) {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        peers.retain(|peer| !peer.is_transport_closed());
        peers.push(peer);
    }

    /// Has everybody told.
    pub(super) fn tools_changed(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    /// Tells clients of older revisions, for as long as it is polled.
    pub(super) async fn tell(&self) {
        let mut changes = self.changes.subscribe();
        while changes.changed().await.is_ok() {
            let peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner).clone();
            for peer in peers.into_iter().filter(|peer| !peer.is_transport_closed()) {
                tokio::spawn(async move { timeout(HEARING, peer.notify_tool_list_changed()).await });
            }
        }
    }

    /// Tells the client of a newer revision that asked, until it has heard enough.
    pub(super) async fn follow(&self, subscription: SubscriptionContext) {
        let mut changes = self.changes.subscribe();
        loop {
            tokio::select! {
                () = subscription.cancelled() => return,
                changed = changes.changed() => if changed.is_err() { return },
            }
            let told = timeout(HEARING, subscription.sink().notify_tool_list_changed()).await;
            if !matches!(told, Ok(Ok(()))) {
                return;
            }
        }
    }
}
