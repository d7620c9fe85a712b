//! Adds the files that a program wrote to `/output` to the content of a result.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use isolette::ExecutionResult;
use rmcp::model::{ContentBlock, ResourceContents};

use super::{
    ServerLimits,
    outcome::{Failure, File, Outcome},
};

/// Lists the files in the outcome and returns the contents of those that may be attached, in the same order.
///
/// More files than may be attached are a failure of the run, so that missing files are noticed; a file that is too long
/// is only listed.
pub(crate) fn attach(outcome: &mut Outcome, result: &ExecutionResult, limits: &ServerLimits) -> Vec<ContentBlock> {
    let mut remaining = limits.output_total_bytes;
    let mut contents = Vec::new();
    for (index, file) in result.files.iter().enumerate() {
        let limit = remaining.min(limits.output_file_bytes);
        let mime_type = mime_guess::from_path(&file.path).first_or_octet_stream().to_string();
        let bytes = (index < limits.output_files && file.size <= limit)
            .then(|| result.read_output(&file.path, limit).ok())
            .flatten();
        outcome.files.push(File {
            path: file.path.clone(),
            size: file.size,
            mime_type: mime_type.clone(),
            sha256: file.sha256.clone(),
            attached: bytes.is_some(),
        });
        if let Some(bytes) = bytes {
            remaining -= bytes.len() as u64;
            contents.push(content(&file.path, mime_type, bytes));
        }
    }
    let count = result.files.len();
    if count > limits.output_files && outcome.error.is_none() {
        outcome.success = false;
        outcome.error = Some(Failure::new(
            "OutputLimit",
            format!("the program left {count} files in /output; {} are attached", limits.output_files),
            "write fewer files, or put them into one archive",
        ));
    }
    contents
}

/// Converts a file into the most specific kind of content.
pub(crate) fn content(path: &str, mime_type: String, bytes: Vec<u8>) -> ContentBlock {
    let uri = format!("isolette://{path}");
    match mime_type.split('/').next() {
        Some("image") => return ContentBlock::image(STANDARD.encode(bytes), mime_type),
        Some("audio") => return ContentBlock::audio(STANDARD.encode(bytes), mime_type),
        _ => {}
    }
    let contents = match String::from_utf8(bytes) {
        Ok(text) => ResourceContents::text(text, uri),
        Err(error) => ResourceContents::blob(STANDARD.encode(error.as_bytes()), uri),
    };
    ContentBlock::resource(contents.with_mime_type(mime_type))
}
