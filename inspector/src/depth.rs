//! Values that are nested more deeply than they can be read.

/// Maximum depth of a line, within what `serde_json` reads.
const DEPTH: usize = 100;

/// The replacement for a value that is nested too deeply.
const LEFT_OUT: &[u8] = b"\"[nested too deeply to be shown]\"";

/// The JSON without values that are nested too deeply. A program must not be able to hide its calls by an argument of one of them.
pub(crate) fn cut(json: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(json.len());
    let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
    for &byte in json {
        let mut is_kept = depth <= DEPTH;
        if in_text {
            in_text = byte != b'"' || is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
        } else {
            match byte {
                b'"' => in_text = true,
                b'[' | b'{' => {
                    depth += 1;
                    if depth == DEPTH + 1 {
                        kept.extend_from_slice(LEFT_OUT);
                    }
                    is_kept = depth <= DEPTH;
                }
                b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        if is_kept {
            kept.push(byte);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn only_what_is_too_deep_is_left_out() {
        let shallow = br#"{"a":["]]]]\"[[[[\\",{"b":{}}],"c":1}"#;
        assert_eq!(cut(shallow), shallow);
        let deep = format!(r#"{{"a":{}"\"]"{},"b":[2]}}"#, "[".repeat(100_000), "]".repeat(100_000));
        let found: Value = serde_json::from_slice(&cut(deep.as_bytes())).unwrap();
        assert_eq!(found["b"][0], 2);
        assert!(found["a"].to_string().contains("nested too deeply"));
    }
}
