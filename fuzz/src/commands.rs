//! Commands for `isolette exec --cmd`, compared with a reader of the words of POSIX shells.

use isolette_proxy::{
    command::{Program, steps},
    words::{Token, split},
};

/// Reads a command, and asserts that it means what it means to a shell.
///
/// # Panics
/// If it is not so.
pub fn assert_read(command: &str) {
    let Ok(tokens) = split(command) else {
        assert!(steps(command).is_err(), "what has no words is no command");
        return;
    };
    // The same words, quoted, are the same words.
    let quoted: Vec<String> = tokens.iter().map(quote).collect();
    assert_eq!(split(&quoted.join(" ")).as_ref(), Ok(&tokens), "{command:?}");
    let words: Option<Vec<&str>> =
        tokens.iter().map(|token| if let Token::Word(word) = token { Some(word.as_str()) } else { None }).collect();
    // Shells read a line that is continued as one line, which is refused or is text here.
    if let (Some(words), false) = (&words, command.contains(['\n', '\r'])) {
        assert_eq!(shlex::split(command).expect("a shell reads it"), *words, "{command:?}");
    }
    let Ok(steps) = steps(command) else { return };
    assert_eq!(steps.len(), 1 + tokens.iter().filter(|token| **token == Token::And).count());
    for (step, tokens) in steps.into_iter().zip(tokens.split(|token| *token == Token::And)) {
        if let Program::Python(program) = step.program {
            if let Some(call) = program.lines().last().and_then(|line| line.strip_prefix("_run(")?.strip_suffix(')')) {
                let (name, arguments): (String, Vec<String>) =
                    serde_json::from_str(&format!("[{call}]")).expect("texts in one line");
                let words = std::iter::once(name).chain(arguments).map(Token::Word);
                assert!(tokens.iter().cloned().take_while(|token| *token != Token::Into).eq(words), "{command:?}");
            }
            let line = program.lines().find_map(|line| line.strip_prefix("sys.argv = ")).expect("the arguments");
            let arguments: Vec<String> = serde_json::from_str(line).expect("texts in one line");
            let is_word = |text: &String| tokens.iter().any(|token| matches!(token, Token::Word(word) if word == text));
            assert!(arguments.iter().all(is_word), "{command:?}: {arguments:?}");
        }
    }
}

fn quote(token: &Token) -> String {
    match token {
        Token::Word(word) => format!("'{}'", word.replace('\'', "'\\''")),
        Token::And => "&&".into(),
        Token::Into => ">".into(),
    }
}
