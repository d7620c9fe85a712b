//! The figures of a program as lines of JSON, read while they are sent.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, Read as _},
    mem,
};

use axum::body::Bytes;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;
use tokio::task::spawn_blocking;

use super::text::line;
use crate::sandboxes::LiveSandbox;

/// Maximum number of figures that a program shows. More are files that can be read.
const FIGURES: usize = 100;

/// Maximum number of figures whose paths are named if they are not shown.
const NAMED: usize = 10;

/// Number of bytes that are read at a time. It is a multiple of 3, so that base64 has no padding before its end.
const PART: u64 = 48 << 10;

/// The line of a figure before and after its bytes.
const BEFORE: &[u8] = br#"{"type":"result","is_main_result":false,"png":""#;
const AFTER: &[u8] = b"\"}\n";

/// The figures that a program shows.
pub(super) struct ShownFigures {
    /// The paths of those that follow, in the guest.
    paths: VecDeque<String>,
    /// How many more are shown, and with how many bytes.
    count: usize,
    bytes: u64,
    /// The one that is being sent, and how much of it remains.
    open: Option<(File, u64)>,
    /// The paths of those that are not shown.
    left_out: Vec<String>,
}

impl ShownFigures {
    /// All figures together have at most `bytes`.
    pub(super) fn new(paths: Vec<String>, bytes: u64) -> Self {
        Self { paths: paths.into(), count: FIGURES, bytes, open: None, left_out: Vec::new() }
    }

    /// The next part of the lines of figures, or `None` after the last one. A figure that another program has removed has none.
    ///
    /// # Errors
    /// If a figure becomes shorter while it is sent.
    pub(super) async fn next(&mut self, sandbox: &LiveSandbox) -> io::Result<Option<Bytes>> {
        if let Some((file, remaining)) = self.open.take() {
            return self.part(file, remaining).await.map(Some);
        }
        while let Some(path) = self.paths.pop_front() {
            let wanted = path.clone();
            let opened = sandbox.files().within(move |folder| folder.open_file(&wanted, u64::MAX)).await;
            let Ok((file, length)) = opened else { continue };
            if self.count == 0 || length > self.bytes {
                self.left_out.push(path);
                continue;
            }
            self.count -= 1;
            self.bytes -= length;
            self.open = Some((file, length));
            return Ok(Some(Bytes::from_static(BEFORE)));
        }
        Ok(self.rest())
    }

    async fn part(&mut self, mut file: File, remaining: u64) -> io::Result<Bytes> {
        if remaining == 0 {
            return Ok(Bytes::from_static(AFTER));
        }
        let length = remaining.min(PART);
        let read = spawn_blocking(move || {
            let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
            file.read_exact(&mut bytes)?;
            Ok::<_, io::Error>((file, STANDARD.encode(bytes)))
        });
        let (file, text) = read.await.map_err(io::Error::other)??;
        self.open = Some((file, remaining - length));
        Ok(text.into())
    }

    /// A line that names figures that are not shown.
    fn rest(&mut self) -> Option<Bytes> {
        let left_out = mem::take(&mut self.left_out);
        if left_out.is_empty() {
            return None;
        }
        let named = left_out.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if left_out.len() > NAMED { ", …" } else { "" };
        let text = format!(
            "{} more figures are not shown, and can be read as files: {named}{more}\n\
             hint: show fewer or smaller ones at a time, or read them with files.read",
            left_out.len()
        );
        let mut lines = Vec::new();
        line(&mut lines, &json!({ "type": "result", "is_main_result": false, "text": text }));
        Some(lines.into())
    }
}
