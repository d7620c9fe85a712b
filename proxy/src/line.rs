//! Reads lines of a bounded length.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _};

use crate::Failure;

/// The next line, or why it cannot be read; `None` at the end of the input. What follows a line that cannot be read is read.
pub(crate) async fn next(
    input: &mut (impl AsyncBufRead + Unpin),
    limit: usize,
) -> io::Result<Option<Result<String, Failure>>> {
    let most = u64::try_from(limit).unwrap_or(u64::MAX).max(1);
    let mut line = Vec::new();
    if (&mut *input).take(most.saturating_add(1)).read_until(b'\n', &mut line).await? == 0 {
        return Ok(None);
    }
    if line.len() > limit && !line.ends_with(b"\n") {
        loop {
            line.clear();
            if (&mut *input).take(most).read_until(b'\n', &mut line).await? == 0 || line.ends_with(b"\n") {
                break;
            }
        }
        return Ok(Some(Err(Failure::usage(format!("a request has more than {limit} bytes"), "send less at a time"))));
    }
    Ok(Some(String::from_utf8(line).map_err(|_| Failure::usage("invalid request: not UTF-8", "write it as UTF-8"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(mut input: &[u8]) -> Vec<Option<String>> {
        let mut found = Vec::new();
        while let Some(line) = next(&mut input, 4).await.unwrap() {
            found.push(line.ok());
        }
        found
    }

    #[tokio::test]
    async fn a_line_that_cannot_be_read_does_not_hide_the_next_one() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(lines(b"abcd\nabcde\nx\n").await, [text("abcd\n"), None, text("x\n")]);
        assert_eq!(lines(b"\xff\nx").await, [None, text("x")]);
        assert_eq!(lines(b"123456789012345").await, [None]);
        assert_eq!(lines(b"").await, []);
    }
}
