//! The header of a hostile program: two comments, of which the first says what it does and the second how it may end.
//!
//! ```text
//! # Tasks that always have one more to do.
//! # expect: timeout or host call rate
//! ```

use isolette::Language;

use super::Expectation;

/// What the first lines of a file say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What the program does.
    pub description: String,
    /// How it may end.
    pub expectation: Expectation,
}

impl Header {
    /// Reads it from the beginning of a program.
    ///
    /// # Errors
    /// A line is missing or malformed, or an ending is unknown: then the error lists those that there are.
    pub fn parse(code: &str, language: Language) -> Result<Self, String> {
        let sign = if language == Language::Python { "# " } else { "// " };
        let mut lines = code.lines();
        let description = lines
            .next()
            .and_then(|line| line.strip_prefix(sign))
            .filter(|line| line.ends_with('.') && !line.starts_with("expect:"))
            .ok_or_else(|| format!("line 1 has to be `{sign}SENTENCE.`, which says what the program does"))?;
        let endings =
            lines.next().and_then(|line| line.strip_prefix(sign)?.strip_prefix("expect: ")).ok_or_else(|| {
                format!("line 2 has to be `{sign}expect: ENDING [or ENDING]…`, which says how it may end")
            })?;
        if lines.next().is_some_and(|line| !line.is_empty()) {
            return Err("line 3 has to be empty: the header has two lines".into());
        }
        Ok(Self { description: description.to_owned(), expectation: endings.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_the_same_two_lines() {
        let python = Header::parse("# It loops.\n# expect: timeout or memory\n\npass\n", Language::Python).unwrap();
        let javascript = Header::parse("// It loops.\n// expect: timeout or memory\n", Language::JavaScript).unwrap();
        assert_eq!(python, javascript);
        assert_eq!(python.description, "It loops.");
        assert_eq!(python.expectation.to_string(), "timeout or memory");
    }

    #[test]
    fn a_malformed_line_is_named_by_its_number() {
        for (code, line) in [
            ("", "line 1"),
            ("// A comment of another language.\n# expect: timeout\n", "line 1"),
            ("# No sentence\n# expect: timeout\n", "line 1"),
            ("# expect: timeout\n\npass\n", "line 1"),
            ("# It loops.\n\npass\n", "line 2"),
            ("# It loops.\n# timeout\n", "line 2"),
            ("# It loops.\n# expect: timeout\npass\n", "line 3"),
        ] {
            let error = Header::parse(code, Language::Python).unwrap_err();
            assert!(error.starts_with(line), "{code:?}: {error}");
        }
    }
}
