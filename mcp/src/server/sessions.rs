//! Sandboxes that live on, by handle, and their files.

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rmcp::{
    RoleServer,
    model::{CallToolResult, ContentBlock},
    service::RequestContext,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Shared,
    attachments::content,
    handler::{done, owner},
    handles::Handle,
    outcome::Failure,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Create {
    #[serde(default)]
    language: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct One {
    sandbox_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Path {
    sandbox_id: String,
    #[serde(default = "output")]
    path: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Write {
    sandbox_id: String,
    path: String,
    content: String,
    #[serde(default)]
    encoding: Encoding,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Encoding {
    #[default]
    Text,
    Base64,
}

fn output() -> String {
    "/output".into()
}

impl Shared {
    pub(super) fn create_sandbox(
        &self,
        arguments: Create,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, Failure> {
        let lent = self.sandboxes().choose(arguments.language.as_deref())?;
        let handle = self.handles.create(lent.language(), owner(context), || lent.sandbox.session())?;
        Ok(done(self.describe(&handle), format!("created sandbox {}", handle.id)))
    }

    pub(super) fn list_sandboxes(
        &self,
        _: Nothing,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, Failure> {
        let handles = self.handles.list(&owner(context));
        let sandboxes: Vec<_> = handles.iter().map(|handle| self.describe(handle)).collect();
        let lines: Vec<_> = handles.iter().map(|handle| format!("{} ({})", handle.id, handle.language)).collect();
        let text = if lines.is_empty() { "there are no sandboxes of this session".into() } else { lines.join("\n") };
        Ok(done(json!({ "sandboxes": sandboxes }), text))
    }

    pub(super) async fn reset_sandbox(&self, arguments: One) -> Result<CallToolResult, Failure> {
        let handle = self.handles.find(&arguments.sandbox_id)?;
        let lent = self.sandboxes().choose(Some(handle.language.name()))?;
        let mut session = handle.session().await?;
        *session = lent.sandbox.session().map_err(|error| Failure::of(&error))?;
        drop(session);
        handle.touch();
        Ok(done(self.describe(&handle), format!("reset sandbox {}", handle.id)))
    }

    pub(super) fn destroy_sandbox(&self, arguments: One) -> Result<CallToolResult, Failure> {
        self.handles.destroy(&arguments.sandbox_id)?;
        Ok(done(json!({ "destroyed": true }), format!("destroyed sandbox {}", arguments.sandbox_id)))
    }

    pub(super) async fn read_file(&self, arguments: Path) -> Result<CallToolResult, Failure> {
        let limit = self.limits.output_file_bytes;
        let path = arguments.path.clone();
        let bytes = self.with_files(&arguments.sandbox_id, move |session| session.read_file(&path, limit)).await?;
        let size = bytes.len();
        let mime_type = mime_guess::from_path(&arguments.path).first_or_octet_stream().to_string();
        let structured = json!({ "path": arguments.path, "size": size, "mime_type": mime_type });
        // A text is what a model can read at once; anything else is what the client makes of it.
        let block = match String::from_utf8(bytes) {
            Ok(text) => ContentBlock::text(text),
            Err(error) => content(&arguments.path, mime_type, error.into_bytes()),
        };
        let mut result = CallToolResult::success(vec![block]);
        result.structured_content = Some(structured);
        Ok(result)
    }

    pub(super) async fn write_file(&self, arguments: Write) -> Result<CallToolResult, Failure> {
        let bytes = match arguments.encoding {
            Encoding::Text => arguments.content.into_bytes(),
            Encoding::Base64 => STANDARD.decode(arguments.content.trim()).map_err(|error| {
                Failure::new("InvalidArguments", format!("`content` is not base64: {error}"), "pad it with `=`")
            })?,
        };
        let size = bytes.len() as u64;
        let limit = self.limits.output_file_bytes;
        if size > limit {
            return Err(Failure::new(
                "LimitExceeded",
                format!("the file is {size} bytes, the limit is {limit}"),
                "write it in parts, from a program",
            ));
        }
        let path = arguments.path.clone();
        self.with_files(&arguments.sandbox_id, move |session| session.write_file(&path, &bytes)).await?;
        let text = format!("wrote {size} bytes to {}", arguments.path);
        Ok(done(json!({ "path": arguments.path, "size": size }), text))
    }

    pub(super) async fn list_files(&self, arguments: Path) -> Result<CallToolResult, Failure> {
        let path = arguments.path.clone();
        let (entries, more) = self.with_files(&arguments.sandbox_id, move |session| session.list_files(&path)).await?;
        let mut lines: Vec<_> = entries
            .iter()
            .map(|entry| match entry.directory {
                true => format!("{}/", entry.path),
                false => format!("{} ({} bytes)", entry.path, entry.size),
            })
            .collect();
        if more {
            lines.push("there is more".into());
        }
        let text = if lines.is_empty() { format!("{} is empty", arguments.path) } else { lines.join("\n") };
        Ok(done(json!({ "entries": entries, "more": more }), text))
    }

    /// Looks after files where waiting for a disk keeps no other request waiting.
    async fn with_files<T: Send + 'static>(
        &self,
        id: &str,
        work: impl FnOnce(&isolette::Session) -> Result<T, isolette::Error> + Send + 'static,
    ) -> Result<T, Failure> {
        let handle: Arc<Handle> = self.handles.find(id)?;
        let session = handle.session().await?;
        let done = tokio::task::spawn_blocking(move || {
            let result = work(&session);
            handle.touch();
            result
        });
        match done.await {
            Ok(result) => result.map_err(|error| Failure::of(&error)),
            Err(_) => Err(Failure::new("Io", "reading or writing files failed", "try again")),
        }
    }

    fn describe(&self, handle: &Handle) -> Value {
        json!({
            "sandbox_id": handle.id,
            "language": handle.language.name(),
            "expires_in_s": self.handles.left(handle).as_secs(),
        })
    }
}
