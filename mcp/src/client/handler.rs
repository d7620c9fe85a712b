//! What a server may do to its client: nearly nothing.

use std::sync::Arc;

use rmcp::{
    ClientHandler, RoleClient,
    model::{ClientConfig, Implementation},
    service::NotificationContext,
};
use tokio::sync::Notify;

/// Hears that the list of tools has changed, and grants no request: no sampling, no roots, no questions to a person.
#[derive(Clone, Debug)]
pub(super) struct Handler {
    pub(super) changed: Arc<Notify>,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        info.client_info = Implementation::new("isolette", env!("CARGO_PKG_VERSION"));
        info
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }
}
