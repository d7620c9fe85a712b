//! The client side of a connection to another server: it handles notifications and refuses nearly all requests.

use std::sync::Arc;

use rmcp::{
    ClientHandler, RoleClient,
    model::{ClientConfig, Implementation},
    service::NotificationContext,
};
use tokio::sync::Notify;

/// Receives changes of the list of tools, and refuses all requests of the server: sampling, roots, questions to the
/// user.
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
