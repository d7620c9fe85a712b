//! Reads the program, and determines its language.

use std::{
    fs::File,
    io::{self, IsTerminal as _, Read as _},
    path::Path,
};

use isolette::{Error, Language, policy::PolicyFile};

/// Maximum number of bytes that are read of a program; a sandbox would refuse a longer one anyway.
const READ_LIMIT: u64 = 64 << 20;

/// Where `--input` and `--output` are mounted.
const INPUT: &str = "/input";
const OUTPUT: &str = "/output";

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

/// Returns the path of a program's file in the sandbox, if a mount of the policy contains it: the program finds the files beside
/// it there, and modules, as a program on a computer does.
pub(crate) fn path_inside(file: &Path, policy: &PolicyFile) -> Option<String> {
    let file = file.canonicalize().ok()?;
    let fixed = [(policy.input.as_ref(), INPUT), (policy.output.as_ref(), OUTPUT)];
    let fixed = fixed.into_iter().filter_map(|(host, guest)| Some((host?, guest)));
    let mounts = policy.mounts.iter().map(|mount| (&mount.host, mount.guest.as_str()));
    let inside = mounts.chain(fixed).filter_map(|(host, guest)| {
        let rest = file.strip_prefix(host.canonicalize().ok()?).ok()?;
        Some(format!("{}/{}", guest.trim_end_matches('/'), rest.to_str()?))
    });
    // The mount of the nearest folder.
    inside.min_by_key(|path| path.matches('/').count())
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
    // The first code block of a text names its language.
    let fences = code.lines().filter_map(|line| line.trim_start().strip_prefix("```"));
    for tag in fences.map(|fence| fence.trim_start_matches('`').trim_start()) {
        match tag {
            _ if tag.starts_with("py") => return Language::Python,
            _ if tag.starts_with("ts") || tag.starts_with("typescript") => return Language::TypeScript,
            _ if tag.starts_with("js") || tag.starts_with("javascript") => return Language::JavaScript,
            _ => {}
        }
    }
    match code.lines().next().unwrap_or_default() {
        first if first.starts_with("#!") && (first.contains("node") || first.contains("qjs")) => Language::JavaScript,
        first if first.starts_with("#!") => Language::Python,
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
        assert_eq!(guess("Import this, const:\n````python\nlet = 1\n````"), Language::Python);
        assert_eq!(guess("First:\n```bash\nnpm i\n```\n  ```js\n  print(1)\n  ```"), Language::JavaScript);
    }
}
