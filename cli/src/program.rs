//! Reads the program, and determines its language.

use std::{
    fs::File,
    io::{self, IsTerminal as _, Read as _},
    path::Path,
};

use isolette::{Error, Language};

/// Maximum number of bytes that are read of a program; a sandbox would refuse a longer one anyway.
const READ_LIMIT: u64 = 64 << 20;

pub(crate) struct Program {
    pub(crate) code: String,
    pub(crate) language: Language,
    pub(crate) filename: Option<String>,
}

impl Program {
    /// Reads the program of one of the two flags.
    pub(crate) fn read(code: Option<&str>, file: Option<&Path>, language: Option<Language>) -> Result<Self, Error> {
        let (code, filename) = match (code, file) {
            (Some(code), _) => (code.to_owned(), None),
            (None, Some(path)) if path == Path::new("-") => (read_input()?, None),
            (None, Some(path)) => (read_file(path)?, Some(path.display().to_string())),
            // The command line parser requires one of them.
            (None, None) => (String::new(), None),
        };
        let by_ending = file.and_then(Language::from_path);
        let language = language.or(by_ending).unwrap_or_else(|| guess(&code));
        Ok(Self { code, language, filename })
    }
}

/// Reads a program from standard input.
pub(crate) fn read_input() -> Result<String, Error> {
    if io::stdin().is_terminal() {
        say!("reading the program from the terminal; end it with Ctrl-D");
    }
    read(io::stdin(), "standard input")
}

/// Reads a program from a file.
pub(crate) fn read_file(path: &Path) -> Result<String, Error> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| io_error(&name, error))?;
    read(file, &name)
}

fn read(reader: impl io::Read, name: &str) -> Result<String, Error> {
    let mut bytes = Vec::new();
    reader.take(READ_LIMIT).read_to_end(&mut bytes).map_err(|error| io_error(name, error))?;
    String::from_utf8(bytes).map_err(|error| Error::InvalidArgument {
        message: format!("{name} is not UTF-8 (byte {} cannot be read)", error.utf8_error().valid_up_to()),
        hint: "save the program as UTF-8".into(),
    })
}

fn io_error(name: &str, source: io::Error) -> Error {
    Error::Io { context: format!("cannot read the program from {name}"), source }
}

/// Guesses the language from the source: JavaScript if there are more signs of it than of Python, else Python.
pub(crate) fn guess(code: &str) -> Language {
    const SIGNS: [&str; 12] = [
        "console.",
        "const ",
        "let ",
        "var ",
        "=> ",
        "=>{",
        "===",
        "function ",
        "function(",
        "async () ",
        "new Promise",
        "//",
    ];
    const COUNTER_SIGNS: [&str; 6] = ["def ", "import ", "print(", "elif ", "None", "lambda "];
    let count = |signs: &[&str]| signs.iter().filter(|sign| code.contains(**sign)).count();
    match code.lines().next().unwrap_or_default() {
        first if first.starts_with("#!") && (first.contains("node") || first.contains("qjs")) => Language::JavaScript,
        first if first.starts_with("#!") || first.starts_with("```py") => Language::Python,
        first if first.starts_with("```ts") || first.starts_with("```typescript") => Language::TypeScript,
        first if first.starts_with("```js") || first.starts_with("```javascript") => Language::JavaScript,
        _ if count(&SIGNS) > count(&COUNTER_SIGNS) => Language::JavaScript,
        _ => Language::Python,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_recognised_by_their_look() {
        for python in [
            "1 + 1",
            "print('x')",
            "import json\nresult = 1",
            "x = [n for n in range(3)]",
            "",
            "def f():\n  return 1 // 2",
        ] {
            assert_eq!(guess(python), Language::Python, "{python}");
        }
        for javascript in ["console.log(1)", "const x = 1; x", "[1].map((x) => x + 1)", "return 1 // one", "let a = 1;"]
        {
            assert_eq!(guess(javascript), Language::JavaScript, "{javascript}");
        }
        assert_eq!(guess("```python\nconst = 1\n```"), Language::Python);
        assert_eq!(guess("```ts\nlet a: number = 1\n```"), Language::TypeScript);
    }
}
