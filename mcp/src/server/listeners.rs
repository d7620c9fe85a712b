//! Notifies clients when the tools have changed.
//!
//! In older revisions of the protocol every initialized client is notified; in newer ones a client subscribes with a
//! request that stays open.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use rmcp::{Peer, RoleServer, service::SubscriptionContext};
use tokio::{sync::watch, time::timeout};

/// Timeout of one notification, so that a client that does not read delays others only that long.
const NOTIFICATION_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug, Default)]
pub(super) struct Listeners {
    /// Number of changes of the tools.
    changes: watch::Sender<u64>,
    /// Clients of older revisions.
    peers: Mutex<Vec<Peer<RoleServer>>>,
}

impl Listeners {
    /// Adds a client of an older revision, until it disconnects.
    pub(super) fn add(&self, peer: Peer<RoleServer>) {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        peers.retain(|peer| !peer.is_transport_closed());
        peers.push(peer);
    }

    /// Reports a change to all clients.
    pub(super) fn tools_changed(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    /// Notifies clients of older revisions, as long as it is polled.
    pub(super) async fn notify_peers(&self) {
        let mut changes = self.changes.subscribe();
        while changes.changed().await.is_ok() {
            let peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner).clone();
            for peer in peers.into_iter().filter(|peer| !peer.is_transport_closed()) {
                tokio::spawn(async move { timeout(NOTIFICATION_TIMEOUT, peer.notify_tool_list_changed()).await });
            }
        }
    }

    /// Notifies a client of a newer revision that has subscribed, until the subscription ends.
    pub(super) async fn follow(&self, subscription: SubscriptionContext) {
        let mut changes = self.changes.subscribe();
        loop {
            tokio::select! {
                () = subscription.cancelled() => return,
                changed = changes.changed() => if changed.is_err() { return },
            }
            let notified = timeout(NOTIFICATION_TIMEOUT, subscription.sink().notify_tool_list_changed()).await;
            if !matches!(notified, Ok(Ok(()))) {
                return;
            }
        }
    }
}
