//! Escapes control characters in the text of programs, tools and servers on a terminal. Piped output is written
//! unchanged.

use std::{
    borrow::Cow,
    io::{self, IsTerminal, Write},
};

use isolette::{harmless, visible};

/// Prints a message on standard error, like `eprintln!`.
macro_rules! say {
    ($($arguments:tt)*) => {
        $crate::terminal::say(&format!($($arguments)*))
    };
}

/// Prints a message of the tool on standard error. It may contain untrusted names and texts.
pub(crate) fn say(text: &str) {
    let mut stderr = io::stderr().lock();
    let text = if stderr.is_terminal() { visible(text) } else { Cow::Borrowed(text) };
    // If this fails, there is no way to report it.
    let _ = writeln!(stderr, "{text}");
}

/// Prints the traceback of a program's exception on standard error.
pub(crate) fn say_text(text: &str) {
    let mut stderr = io::stderr().lock();
    let text = read(&stderr, text);
    // If this fails, there is no way to report it.
    let _ = writeln!(stderr, "{text}");
}

/// Prepares output of a program for a stream. It is only read and no decision depends on it, so emoji, joiners and wide
/// spaces are kept.
pub(crate) fn read<'a>(stream: &impl IsTerminal, text: &'a str) -> Cow<'a, str> {
    to_read(stream.is_terminal(), text)
}

fn to_read(is_terminal: bool, text: &str) -> Cow<'_, str> {
    if is_terminal { harmless(text) } else { Cow::Borrowed(text) }
}

/// Prepares names, questions and rules for a stream, on which decisions may depend.
pub(crate) fn shown<'a>(stream: &impl IsTerminal, text: &'a str) -> Cow<'a, str> {
    if stream.is_terminal() { visible(text) } else { Cow::Borrowed(text) }
}

/// Prepares JSON for a stream. On a terminal, invisible characters are escaped as JSON escapes, so that the value is
/// the same.
pub(crate) fn shown_json<'a>(stream: &impl IsTerminal, json: &'a str) -> Cow<'a, str> {
    if stream.is_terminal() { escaped(json) } else { Cow::Borrowed(json) }
}

fn escaped(json: &str) -> Cow<'_, str> {
    if matches!(harmless(json), Cow::Borrowed(_)) {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        match harmless(character.encode_utf8(&mut [0; 4])) {
            Cow::Borrowed(_) => text.push(character),
            // The character can only be in a string: outside of strings JSON contains only printable ASCII and
            // whitespace.
            Cow::Owned(_) => {
                character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| text.push_str(&format!("\\u{unit:04x}")));
            }
        }
    }
    Cow::Owned(text)
}

/// The output of a program, as it arrives.
#[derive(Debug, Default)]
pub(crate) struct Output {
    /// The beginning of a character, or a carriage return, whose continuation may follow.
    begun: Vec<u8>,
}

impl Output {
    pub(crate) fn write(&mut self, stream: &mut (impl Write + IsTerminal), bytes: &[u8]) -> io::Result<()> {
        if !stream.is_terminal() {
            return stream.write_all(bytes);
        }
        stream.write_all(self.add(bytes).as_bytes())
    }

    /// Writes an incomplete rest.
    pub(crate) fn finish(&mut self, stream: &mut (impl Write + IsTerminal)) -> io::Result<()> {
        let rest: String = std::mem::take(&mut self.begun).iter().map(|byte| format!("\\x{byte:02x}")).collect();
        stream.write_all(rest.as_bytes())
    }

    fn add(&mut self, bytes: &[u8]) -> String {
        self.begun.extend_from_slice(bytes);
        let begun = std::mem::take(&mut self.begun);
        let (mut text, mut rest) = (String::with_capacity(begun.len()), &begun[..]);
        while !rest.is_empty() {
            let (valid, error) = match str::from_utf8(rest) {
                Ok(valid) => (valid, None),
                Err(error) => {
                    (str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or_default(), Some(error.error_len()))
                }
            };
            rest = &rest[valid.len()..];
            // CRLF line ends are kept as line ends.
            let whole = valid.strip_suffix('\r').filter(|_| error.is_none());
            text.push_str(&harmless(&whole.unwrap_or(valid).replace("\r\n", "\n")));
            if whole.is_some() {
                self.begun.push(b'\r');
            }
            match error {
                None => {}
                Some(None) => {
                    self.begun.extend_from_slice(rest);
                    rest = &[];
                }
                Some(Some(length)) => {
                    rest[..length].iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
                    rest = &rest[length..];
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_cannot_steer_a_terminal_wherever_its_output_is_cut() {
        let bytes = b"a\x1b[2Jb\r\nc\rd\xc2\x9be \xe2\x80\xae \xe4\xb8\xad \xff\xe2\x80 x\xe2\x80";
        let expected = "a\\u{1b}[2Jb\nc\\u{d}d\\u{9b}e \\u{202e} \u{4e2d} \\xff\\xe2\\x80 x\\xe2\\x80";
        for cut in 0..=bytes.len() {
            let (one, other) = bytes.split_at(cut);
            let mut output = Output::default();
            let mut text = output.add(one) + &output.add(other);
            text.extend(output.begun.iter().map(|byte| format!("\\x{byte:02x}")));
            assert_eq!(text, expected, "cut at {cut}");
        }
        let mut output = Output::default();
        let single: String = bytes.iter().map(|byte| output.add(&[*byte])).collect();
        assert!(expected.starts_with(&single), "{single}");
    }

    #[test]
    fn what_programs_made_is_read_as_they_wrote_it() {
        let text = "\u{1f469}\u{200d}\u{1f4bb} \u{2764}\u{fe0f} \u{646}\u{645}\u{6cc}\u{200c}\u{62e} \u{3000}x";
        assert_eq!(to_read(true, text), text);
        assert_ne!(visible(text), text);
        let steering = "\u{1b}[2J\u{202e}";
        assert_eq!(to_read(true, steering), "\\u{1b}[2J\\u{202e}");
        assert_eq!(to_read(false, steering), steering);
    }

    #[test]
    fn json_stays_json() {
        let value = serde_json::json!({ "a\u{9b}": "\u{202e}\u{e0041} \u{4e2d}\n" });
        let shown = escaped(&value.to_string()).into_owned();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        assert!(shown.contains("\\u009b") && shown.contains("\\udb40\\udc41") && shown.contains('\u{4e2d}'), "{shown}");
    }
}
