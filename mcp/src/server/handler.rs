//! Handles the requests of the protocol.

use std::sync::Arc;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, ContentBlock,
        GetTaskParams, GetTaskResult, Implementation, JsonObject, ListPromptsRequestMethod, ListPromptsResult,
        ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
        ResourceContents, ServerCapabilities, ServerConfig, SubscriptionFilter, Tool, UpdateTaskParams,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{Server, client::Client, outcome::Failure, profile::Profile, report::refused, secrets::redacted};
use crate::{connection::Connection, measured::RequestMemory};

/// How long clients may cache a listing, in milliseconds.
const LISTING_FRESH_MS: u64 = 60_000;

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let implementation = Implementation::new("isolette", env!("CARGO_PKG_VERSION")).with_title("Isolette");
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().enable_resources();
        let capabilities = if self.shared.offers_tasks() { capabilities.enable_tasks() } else { capabilities };
        ServerConfig::new(capabilities.build())
            .with_server_info(implementation)
            .with_instructions(self.shared.instructions())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.shared.tools())
            .with_ttl_ms(LISTING_FRESH_MS)
            .with_cache_scope(CacheScope::Private))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.shared.tool(name)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.shared.listeners.add(context.peer);
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.shared.listeners.follow(context).await;
        Ok(())
    }

    /// There are no prompts, and the server does not declare them.
    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match self.shared.kept.read(&request.uri) {
            Some(text) => Ok(ReadResourceResult::new(vec![ResourceContents::text(text, request.uri)]).into()),
            None => Err(ErrorData::resource_not_found(
                "there is no such text, or it was kept for long enough",
                Some(json!({ "uri": request.uri })),
            )),
        }
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !self.shared.offers(&request.name) {
            return Err(ErrorData::invalid_params(format!("unknown tool: {}", request.name), None));
        }
        if let Some(memory) = RequestMemory::of(&context.extensions) {
            memory.is_parsed();
        }
        let shared = &self.shared;
        let runs = matches!(request.name.as_ref(), "execute_code" | "execute");
        // A call that brings an answer to a parked program is accepted during shutdown, so that the program can end.
        if shared.stopping.is_cancelled() && request.request_state.is_none() {
            let stopping = Failure::new("Stopping", "the server is stopping", "call again when it is back");
            return Ok(if runs { refused(stopping) } else { failed(&stopping) }.into());
        }
        if runs {
            let answered = shared.execute(request, &context).await;
            return Ok(answered.unwrap_or_else(|failure| redacted(refused(failure), &shared.redaction).into()));
        }
        let arguments = request.arguments.unwrap_or_default();
        let result = match request.name.as_ref() {
            "create_sandbox" => parse(arguments).and_then(|arguments| shared.create_sandbox(arguments, &context)),
            "list_sandboxes" => parse(arguments).and_then(|arguments| shared.list_sandboxes(arguments, &context)),
            "reset_sandbox" => match parse(arguments) {
                Ok(arguments) => shared.reset_sandbox(arguments).await,
                Err(failure) => Err(failure),
            },
            "destroy_sandbox" => parse(arguments).and_then(|arguments| shared.destroy_sandbox(arguments)),
            "snapshot_sandbox" => match parse(arguments) {
                Ok(arguments) => shared.snapshot_sandbox(arguments).await,
                Err(failure) => Err(failure),
            },
            "fork_sandbox" => match parse(arguments) {
                Ok(arguments) => shared.fork_sandbox(arguments, &context).await,
                Err(failure) => Err(failure),
            },
            "restore_sandbox" => match parse(arguments) {
                Ok(arguments) => shared.restore_sandbox(arguments, &context).await,
                Err(failure) => Err(failure),
            },
            "delete_snapshot" => parse(arguments).and_then(|arguments| shared.delete_snapshot(arguments)),
            "read_file" => match parse(arguments) {
                Ok(arguments) => shared.read_file(arguments).await,
                Err(failure) => Err(failure),
            },
            "write_file" => match parse(arguments) {
                Ok(arguments) => shared.write_file(arguments).await,
                Err(failure) => Err(failure),
            },
            "list_files" => match parse(arguments) {
                Ok(arguments) => shared.list_files(arguments).await,
                Err(failure) => Err(failure),
            },
            "search" => parse(arguments).and_then(|arguments| shared.search(arguments)),
            "get_schema" => parse(arguments).and_then(|arguments| shared.get_schema(arguments)),
            "get_execute_syntax" => parse(arguments).and_then(|arguments| shared.get_execute_syntax(arguments)),
            other => return Err(ErrorData::invalid_params(format!("unknown tool: {other}"), None)),
        };
        Ok(redacted(result.unwrap_or_else(|failure| failed(&failure)), &shared.redaction).into())
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        self.shared.task(&request.task_id).await.map(GetTaskResult::new)
    }

    async fn update_task(&self, request: UpdateTaskParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.shared.update_task(&request.task_id, &request.input_responses).await
    }

    async fn cancel_task(&self, request: CancelTaskParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.shared.tasks.cancel(&request.task_id)
    }
}

/// The result of a call that failed, with the reason for the model.
fn failed(failure: &Failure) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(failure.text())]);
    result.structured_content = Some(json!({ "error": failure }));
    result
}

/// The result of a call that succeeded: JSON for programs, and text for models.
pub(super) fn done(structured: Value, text: String) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(structured);
    result
}

pub(super) fn parse<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, Failure> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|error| Failure::new("InvalidArguments", error.to_string(), "look at the tool's input schema"))
}

/// The client that the queue counts a request for.
pub(super) fn client(context: &RequestContext<RoleServer>) -> Client {
    match Connection::of(&context.extensions) {
        None => Client::Stdio,
        // Each request may come over a connection of its own, so the port is ignored.
        Some(connection) => Client::Http(connection.session.unwrap_or(connection.machine)),
    }
}

/// The address of the client for logs, without credentials.
pub(super) fn address(context: &RequestContext<RoleServer>) -> String {
    Connection::of(&context.extensions).map_or_else(|| "stdio".to_owned(), |connection| connection.peer)
}

/// The owner, who sees a sandbox in lists: the client of standard input and output, or a protocol session. `None`
/// without either.
pub(super) fn owner(context: &RequestContext<RoleServer>) -> Option<Client> {
    match Connection::of(&context.extensions) {
        None => Some(Client::Stdio),
        Some(connection) => connection.session.map(Client::Http),
    }
}

/// Schemas and arguments are objects in the protocol.
pub(super) fn object(value: Value) -> Arc<JsonObject> {
    Arc::new(match value {
        Value::Object(object) => object,
        other => JsonObject::from_iter([("const".to_owned(), other)]),
    })
}

impl super::Shared {
    fn offers(&self, name: &str) -> bool {
        // The alias is not listed, so that a model does not have to choose between two equal tools.
        self.tool(name).is_some() || (self.profile == Profile::CodeMode && name == "execute")
    }
}
