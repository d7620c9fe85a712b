//! Makes the result of a program: the outcome, a text for models, links to the whole of texts that were cut, and files.

use std::{cell::RefCell, fmt::Write as _};

use isolette::{Error, ExecutionResult};
use isolette_agent::rendering::estimate_tokens;
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::json;

use super::{
    ServerLimits, Shared,
    attachments::attach,
    outcome::{Failure, File, Outcome},
};

/// The key under which a result lists the calls of the program. Clients show it to people, not to models.
const CALLS: &str = "isolette/calls";

/// Maximum number of files that are named as not attached; the others are counted.
const NAMED: usize = 20;

impl Shared {
    /// Makes the result of a run. A program that failed has a result too, marked as an error.
    pub(super) fn report(&self, result: Result<ExecutionResult, Error>) -> CallToolResult {
        let brought = match &result {
            Ok(result) => result,
            Err(error) => match error.partial() {
                Some(partial) => partial,
                None => return refused(Failure::of(error)),
            },
        };
        let links = RefCell::new(Vec::new());
        let rendered = self.rendering.render(result.as_ref(), |part, whole| {
            let (uri, link) = self.kept.link(&format!("{part}.txt"), whole);
            links.borrow_mut().push(link);
            Some(uri)
        });
        let mut outcome = Outcome::of(result.as_ref(), &rendered, &self.rendering);
        let attachments = attach(&mut outcome, brought, &self.limits);
        let mut text = rendered.text;
        if let (Some(failure), Ok(result)) = (&outcome.error, &result)
            && result.error.is_none()
        {
            // The outcome has an error that the run has not: too many files, or an exit code.
            text = format!("error:\n{}\n\n{text}", failure.text());
        }
        text.push_str(&not_attached(&outcome.files, &self.limits));
        outcome.tokens = estimate_tokens(&text);
        let mut reply = CallToolResult::default();
        reply.content.push(ContentBlock::text(text));
        reply.content.extend(links.into_inner());
        reply.content.extend(attachments);
        reply.is_error = Some(!outcome.success);
        reply.structured_content = serde_json::to_value(outcome).ok();
        if !brought.calls.is_empty() {
            let mut meta = MetaObject::default();
            meta.insert(CALLS.to_owned(), json!(brought.calls));
            reply.meta = Some(meta);
        }
        reply
    }
}

/// The result of a program that did not start, in the same form.
pub(super) fn refused(failure: Failure) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(failure.text())]);
    result.structured_content = serde_json::to_value(Outcome::refused(failure)).ok();
    result
}

/// Lists the files that are not attached, because a model assumes that a file that is mentioned is delivered.
fn not_attached(files: &[File], limits: &ServerLimits) -> String {
    let missing: Vec<_> = files.iter().filter(|file| !file.attached).collect();
    if missing.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\n\nnot attached (a result has at most {} files of {} bytes each and {} bytes together):",
        limits.output_files, limits.output_file_bytes, limits.output_total_bytes
    );
    for file in missing.iter().take(NAMED) {
        let _ = write!(text, "\n{} ({} bytes)", file.path, file.size);
    }
    if missing.len() > NAMED {
        let _ = write!(text, "\nand {} more", missing.len() - NAMED);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_attached_is_named_or_counted() {
        let file = |number: usize, attached| File {
            path: format!("/output/{number}"),
            size: 7,
            mime_type: String::new(),
            sha256: None,
            attached,
        };
        let limits = ServerLimits::default();
        assert_eq!(not_attached(&[file(1, true)], &limits), "");
        let reply = not_attached(&[file(1, true), file(2, false)], &limits);
        assert!(reply.ends_with("together):\n/output/2 (7 bytes)") && !reply.contains("/output/1"), "{reply}");
        let many: Vec<_> = (0..100).map(|number| file(number, false)).collect();
        let reply = not_attached(&many, &limits);
        assert!(reply.contains("/output/19 (7 bytes)\nand 80 more") && !reply.contains("/output/20 "), "{reply}");
    }
}
