//! Splits a command into words and operators, as a shell does, without what only a shell can do.

/// A part of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A word, without its quotes.
    Word(String),
    /// `&&`
    And,
    /// `>`
    Into,
}

/// Splits a command. What is between quotes, and at their sides, is one word.
///
/// # Errors
/// A text that names the syntax that is not possible here, or the quote that is not closed.
pub fn split(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let operator = match character {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next().ok_or("the quote ' is not closed")? {
                        '\'' => break,
                        inner => word.push(inner),
                    }
                }
                continue;
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next().ok_or("the quote \" is not closed")? {
                        '"' => break,
                        '\\' => match characters.next().ok_or("the quote \" is not closed")? {
                            escaped @ ('"' | '\\' | '$' | '`') => word.push(escaped),
                            other => word.extend(['\\', other]),
                        },
                        refused @ ('$' | '`') => return Err(format!("`{refused}` is not replaced here")),
                        inner => word.push(inner),
                    }
                }
                continue;
            }
            '\\' => {
                word.get_or_insert_default().push(characters.next().ok_or("nothing follows the \\ at the end")?);
                continue;
            }
            ' ' | '\t' => None,
            '&' if characters.next_if_eq(&'&').is_some() => Some(Token::And),
            '>' if characters.peek() != Some(&'>') => Some(Token::Into),
            '&' | '>' | '|' | ';' | '<' | '(' | ')' | '$' | '`' | '*' | '?' | '\n' => {
                return Err(format!("`{}` is not possible here", character.escape_debug()));
            }
            '#' | '~' if word.is_none() => return Err(format!("a word cannot begin with `{character}` here")),
            other => {
                word.get_or_insert_default().push(other);
                continue;
            }
        };
        tokens.extend(word.take().map(Token::Word));
        tokens.extend(operator);
    }
    tokens.extend(word.map(Token::Word));
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        let word = |token| match token {
            Token::Word(word) => word,
            Token::And => "[and]".into(),
            Token::Into => "[into]".into(),
        };
        split(text).unwrap().into_iter().map(word).collect()
    }

    #[test]
    fn quotes_keep_what_is_between_them() {
        assert_eq!(words(r#"python3 -c 'print("a b")' x"#), ["python3", "-c", "print(\"a b\")", "x"]);
        assert_eq!(words(r#"echo "a \"b\" \n" c\ d '' e"f"'g'"#), ["echo", "a \"b\" \\n", "c d", "", "efg"]);
        assert_eq!(words("echo 'a && b > c'&&ls>out"), ["echo", "a && b > c", "[and]", "ls", "[into]", "out"]);
        assert!(words("  ").is_empty());
    }

    #[test]
    fn what_only_a_shell_can_do_is_refused() {
        for text in
            ["a | b", "a; b", "a & b", "a >> b", "a < b", "$(a)", "`a`", "\"$HOME\"", "*.py", "a\nb", "~/a", "# a"]
        {
            assert!(split(text).is_err(), "{text}");
        }
        assert_eq!(split("echo 'a").unwrap_err(), "the quote ' is not closed");
    }

    proptest! {
        #[test]
        fn quoted_words_are_what_they_were(words in proptest::collection::vec("[^']{0,20}", 0..5)) {
            let text = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
            let split: Vec<_> = split(&text).unwrap();
            prop_assert_eq!(split, words.into_iter().map(Token::Word).collect::<Vec<_>>());
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,80}") {
            let _ = split(&text);
        }
    }
}
