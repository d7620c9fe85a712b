//! Sandboxes that keep their state between calls, by handle, and their files.

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use isolette::Session;
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
    pub(super) sandbox_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Path {
    sandbox_id: String,
    #[serde(default)]
    path: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Write {
    sandbox_id: String,
    path: String,
    content: String,
    #[serde(default)]
    encoding: Option<Encoding>,
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
        let entry = self.sandboxes().choose(arguments.language.as_deref())?;
        let handle = self.handles.create(entry.language(), owner(context), || entry.sandbox.session())?;
        Ok(done(self.describe(&handle), format!("created sandbox {}", handle.id)))
    }

    pub(super) fn list_sandboxes(
        &self,
        _: Nothing,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, Failure> {
        let owner = owner(context);
        let handles = self.handles.list(&owner);
        let sandboxes: Vec<_> = handles.iter().map(|handle| self.describe(handle)).collect();
        let lines: Vec<_> = handles.iter().map(|handle| format!("{} ({})", handle.id, handle.language)).collect();
        let text = match (lines.is_empty(), owner) {
            (false, _) => lines.join("\n"),
            (true, Some(_)) => "there are no sandboxes of this session".into(),
            (true, None) => "no sandbox is listed here: requests over this connection do not say whose they are. A sandbox exists all \
                             the same, under the `sandbox_id` that `create_sandbox` has returned"
                .into(),
        };
        Ok(done(json!({ "sandboxes": sandboxes }), text))
    }

    pub(super) async fn reset_sandbox(&self, arguments: One) -> Result<CallToolResult, Failure> {
        let handle = self.handles.find(&arguments.sandbox_id)?;
        let entry = self.sandboxes().choose(Some(handle.language.name()))?;
        let mut session = handle.session().await?;
        *session = entry.sandbox.session().map_err(|error| Failure::of(&error))?;
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
        let place = arguments.path.unwrap_or_else(output);
        let path = place.clone();
        let bytes = self.with_files(&arguments.sandbox_id, move |session| session.read_file(&path, limit)).await?;
        let size = bytes.len();
        let mime_type = mime_guess::from_path(&place).first_or_octet_stream().to_string();
        let mut structured = json!({ "path": place, "size": size, "mime_type": mime_type, "clipped": 0 });
        // Text is returned to the model; other content is passed to the client.
        let blocks = match String::from_utf8(bytes) {
            Ok(text) => {
                let mut link = None;
                let clipped = self.rendering.clip(&text, |whole| {
                    let (uri, block) = self.kept.link("file.txt", whole);
                    link = Some(block);
                    Some(uri)
                });
                structured["clipped"] = json!(clipped.omitted);
                [ContentBlock::text(clipped.text)].into_iter().chain(link).collect()
            }
            Err(error) => vec![content(&place, mime_type, error.into_bytes())],
        };
        let mut result = CallToolResult::success(blocks);
        result.structured_content = Some(structured);
        Ok(result)
    }

    pub(super) async fn write_file(&self, arguments: Write) -> Result<CallToolResult, Failure> {
        let bytes = match arguments.encoding.unwrap_or_default() {
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
        let place = arguments.path.unwrap_or_else(output);
        let path = place.clone();
        let (mut entries, more) =
            self.with_files(&arguments.sandbox_id, move |session| session.list_files(&path)).await?;
        let mut lines: Vec<_> = entries
            .iter()
            .map(|entry| match entry.directory {
                true => format!("{}/", entry.path),
                false => format!("{} ({} bytes)", entry.path, entry.size),
            })
            .collect();
        let total = lines.len();
        let shown = how_many_fit(&lines, self.limits.text_characters);
        let mut link = None;
        if shown < total {
            let (uri, block) = self.kept.link("files.txt", &self.redaction.text(&lines.join("\n")));
            link = Some(block);
            lines.truncate(shown);
            entries.truncate(shown);
            lines.push(format!("[{} of {total} entries left out; all of them are in {uri}]", total - shown));
        }
        if more {
            lines.push("there is more".into());
        }
        let text = if lines.is_empty() { format!("{place} is empty") } else { lines.join("\n") };
        let mut result = done(json!({ "entries": entries, "left_out": total - shown, "more": more }), text);
        result.content.extend(link);
        Ok(result)
    }

    /// Works on the files of a sandbox.
    async fn with_files<T: Send + 'static>(
        &self,
        id: &str,
        work: impl FnOnce(&Session) -> Result<T, isolette::Error> + Send + 'static,
    ) -> Result<T, Failure> {
        self.with_session(&self.handles.find(id)?, move |session| work(session)).await
    }

    /// Works on a session on a thread that may block.
    pub(super) async fn with_session<T: Send + 'static>(
        &self,
        handle: &Arc<Handle>,
        work: impl FnOnce(&mut Session) -> Result<T, isolette::Error> + Send + 'static,
    ) -> Result<T, Failure> {
        let handle = Arc::clone(handle);
        let mut session = handle.session().await?;
        let done = tokio::task::spawn_blocking(move || {
            let result = work(&mut session);
            handle.touch();
            result
        });
        match done.await {
            Ok(result) => result.map_err(|error| Failure::of(&error)),
            Err(_) => Err(Failure::new("Io", "the work on the sandbox failed", "try again")),
        }
    }

    pub(super) fn describe(&self, handle: &Handle) -> Value {
        json!({
            "sandbox_id": handle.id,
            "language": handle.language.name(),
            "expires_in_s": self.handles.remaining(handle).as_secs(),
        })
    }
}

/// Number of leading lines that fit into this number of characters, line ends included.
fn how_many_fit(lines: &[String], characters: usize) -> usize {
    let mut remaining = characters;
    let fits = lines.iter().take_while(|line| match remaining.checked_sub(line.chars().count() + 1) {
        Some(rest) => {
            remaining = rest;
            true
        }
        None => false,
    });
    fits.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_whole() {
        let lines = ["äb", "c", "d"].map(str::to_owned);
        assert_eq!([0, 2, 3, 4, 5, 7].map(|characters| how_many_fit(&lines, characters)), [0, 0, 1, 1, 2, 3]);
    }
}
