//! Conditions of `cfg`.

/// Whether a condition holds in tests only: it is `test`, or an `all` that contains such a condition.
pub(super) fn requires_tests(condition: &[&str]) -> bool {
    match condition {
        ["test"] => true,
        ["all", "(", parts @ .., ")"] => {
            let mut depth = 0_usize;
            let mut separated = parts.split(|text| {
                match *text {
                    "(" => depth += 1,
                    ")" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0 && *text == ","
            });
            separated.any(requires_tests)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tokens::tokens, requires_tests};

    #[test]
    fn only_what_never_holds_outside_of_tests_requires_them() {
        let requires = |text| requires_tests(&tokens(text).iter().map(|token| token.text).collect::<Vec<_>>());
        for text in ["test", "all(test)", "all(unix, test)", "all(any(unix, windows), all(test, not(windows)))"] {
            assert!(requires(text), "{text}");
        }
        for text in
            ["unix", "not(test)", "any(test, unix)", "all(unix, not(test))", "all(any(test, unix), windows)", ""]
        {
            assert!(!requires(text), "{text}");
        }
    }
}
