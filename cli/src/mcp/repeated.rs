//! The arguments of this call, for a later call by an application.

use std::ffi::OsString;

use isolette::Error;

/// Flags whose values are paths, or may be.
const PATHS: [&str; 11] = [
    "--audit",
    "--config",
    "--image",
    "--input",
    "--mount",
    "--openapi",
    "--output",
    "--policy",
    "--secret",
    "--state",
    "--token",
];

/// Returns the arguments of this call without `--print-config`. Relative paths become absolute, since an application
/// starts the server in another working directory; paths in the commands of other servers cannot be recognized.
pub(super) fn arguments(given: impl Iterator<Item = OsString>) -> Result<Vec<String>, Error> {
    let text = |argument: OsString| {
        argument.into_string().map_err(|argument| Error::InvalidArgument {
            message: format!("`{}` is not UTF-8, which settings require", argument.display()),
            hint: "use another name or a link".into(),
        })
    };
    let mut kept = Vec::new();
    let mut given = given.map(text);
    while let Some(argument) = given.next().transpose()? {
        let (flag, value) = argument.split_once('=').map_or((&*argument, None), |(flag, value)| (flag, Some(value)));
        match (flag, value) {
            ("--print-config", Some(_)) => {}
            ("--print-config", None) => drop(given.next()),
            (flag, Some(value)) if PATHS.contains(&flag) => kept.push(format!("{flag}={}", place_of(flag, value))),
            (flag, None) if PATHS.contains(&flag) => {
                let value = given.next().transpose()?.map(|value| place_of(flag, &value));
                kept.extend([flag.to_owned()].into_iter().chain(value));
            }
            _ => kept.push(argument),
        }
    }
    Ok(kept)
}

fn place_of(flag: &str, value: &str) -> String {
    match flag {
        "--openapi" if value.contains("://") => value.to_owned(),
        "--mount" => value
            .split_once(':')
            .map_or_else(|| value.to_owned(), |(host, guest)| format!("{}:{guest}", absolute(host))),
        "--secret" | "--token" => match value.split_once("file:") {
            Some((before, path)) if before.is_empty() || before.ends_with('=') => {
                format!("{before}file:{}", absolute(path))
            }
            _ => value.to_owned(),
        },
        _ => absolute(value),
    }
}

fn absolute(path: &str) -> String {
    std::path::absolute(path).map_or_else(|_| path.to_owned(), |path| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(given: &[&str]) -> Vec<String> {
        arguments(given.iter().map(OsString::from)).unwrap()
    }

    #[test]
    fn the_call_is_repeated_without_what_was_for_this_one() {
        let given =
            ["mcp", "--profile", "codemode", "--print-config", "claude", "--config", "/a/b.toml", "--timeout=5s"];
        assert_eq!(again(&given), ["mcp", "--profile", "codemode", "--config", "/a/b.toml", "--timeout=5s"]);
        let kept = again(&["mcp", "--print-config=cursor", "--config=x.toml"]);
        assert_eq!(kept, ["mcp".to_owned(), format!("--config={}", absolute("x.toml"))]);
    }

    #[test]
    fn paths_are_those_that_they_are_from_here() {
        let mount = format!("{}:/data:rw", absolute("x"));
        assert_eq!(
            again(&["mcp", "--input", "data", "--openapi=http://a/b", "--mount", "x:/data:rw", "--allow=data"]),
            ["mcp", "--input", &absolute("data"), "--openapi=http://a/b", "--mount", &mount, "--allow=data"]
        );
        let file = |name: &str| format!("file:{}", absolute(name));
        assert_eq!(
            again(&["--secret", "a=file:b", "--secret=c=env:D", "--token=file:t"]),
            ["--secret", &format!("a={}", file("b")), "--secret=c=env:D", &format!("--token={}", file("t"))]
        );
    }

    #[cfg(unix)]
    #[test]
    fn what_settings_cannot_say_is_refused() {
        use std::os::unix::ffi::OsStringExt as _;

        let refused = arguments([OsString::from_vec(vec![b'x', 0xff])].into_iter()).unwrap_err();
        assert!(refused.to_string().contains("is not UTF-8"), "{refused}");
    }
}
