//! Custom interfaces: which of their functions a program may call, and how often.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use wildmatch::WildMatchPattern;

use isolette_types::Error;

/// `*` matches any text; no other character is special.
type Pattern = WildMatchPattern<'*', '\0'>;

/// The custom interfaces of a sandbox, and which of their functions may be called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CapabilityPolicy {
    /// The names of the registered interfaces, with their versions. Default: none.
    pub served: Vec<String>,
    /// Rules for the functions that may be called. Without any rule, all functions of the registered interfaces: to
    /// register an interface is to grant it. With rules, the first one that matches decides, and a call that matches
    /// none is denied.
    pub allow: Vec<CapabilityRule>,
}

/// One line that allows calls: `acme:weather/forecast` for all functions of an interface, in any version;
/// `acme:weather/forecast.get` for one; `acme:weather/forecast.station.name` for one of a resource. `*` matches any
/// text. A number after it is the maximum number of calls that the rule allows in one run: `acme:weather/forecast.get
/// 10`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct CapabilityRule {
    pattern: String,
    calls: Option<u64>,
}

impl CapabilityRule {
    /// Returns how many calls the rule allows in one run. `None` if it does not limit them.
    #[must_use]
    pub fn calls(&self) -> Option<u64> {
        self.calls
    }

    /// Returns whether the rule applies to a function, written as `acme:weather/forecast.get`.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        let pattern = Pattern::new(&self.pattern);
        // A rule for an interface applies to all of its functions.
        pattern.matches(name) || name.split_once('.').is_some_and(|(interface, _)| pattern.matches(interface))
    }
}

impl CapabilityPolicy {
    /// Returns the index of the rule that allows a call, and the rule. `None` if there are no rules, so that the call
    /// is allowed.
    ///
    /// # Errors
    /// A message for the program, if no rule allows the call.
    pub fn rule_for(&self, name: &str) -> Result<Option<(usize, &CapabilityRule)>, String> {
        if self.allow.is_empty() {
            return Ok(None);
        }
        match self.allow.iter().enumerate().find(|(_, rule)| rule.matches(name)) {
            Some(found) => Ok(Some(found)),
            None => {
                let rules: Vec<_> = self.allow.iter().map(ToString::to_string).collect();
                Err(format!(
                    "{name} exists, but the policy does not allow it (allowed are: {})\n\
                     hint: do without it, and say what it was needed for",
                    rules.join(", ")
                ))
            }
        }
    }
}

impl FromStr for CapabilityRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let bad = |why: &str| {
            Error::invalid(
                format!("capability rule `{}` {why}", text.escape_debug()),
                "write an interface (`acme:weather/forecast`) or a function of it (`acme:weather/forecast.get`), if need \
                 be with a number of calls behind it (`acme:weather/forecast.get 10`)",
            )
        };
        let mut words = text.split_whitespace();
        let pattern = words.next().ok_or_else(|| bad("says nothing"))?;
        if pattern != "*" && !(pattern.contains(':') && pattern.contains('/')) {
            return Err(bad("does not name an interface"));
        }
        if pattern.contains('@') {
            return Err(bad("names a version, and a rule is for all of them"));
        }
        let calls =
            words.next().map(|number| number.parse().map_err(|_| bad("ends with something else than a number")));
        match words.next() {
            Some(_) => Err(bad("has too many words")),
            None => Ok(Self { pattern: pattern.to_owned(), calls: calls.transpose()? }),
        }
    }
}

impl fmt::Display for CapabilityRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.pattern)?;
        self.calls.map_or(Ok(()), |calls| write!(formatter, " {calls}"))
    }
}

impl From<CapabilityRule> for String {
    fn from(rule: CapabilityRule) -> Self {
        rule.to_string()
    }
}

impl TryFrom<String> for CapabilityRule {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl fmt::Display for CapabilityPolicy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.served.is_empty() {
            return formatter.write_str("none");
        }
        formatter.write_str(&self.served.join(", "))?;
        for (index, rule) in self.allow.iter().enumerate() {
            write!(formatter, "{} {rule}", if index == 0 { "; only" } else { "," })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(rules: &[&str]) -> CapabilityPolicy {
        CapabilityPolicy { served: vec![], allow: rules.iter().map(|rule| rule.parse().unwrap()).collect() }
    }

    #[test]
    fn rules_are_read_as_they_are_written() {
        for text in ["acme:weather/forecast", "acme:weather/forecast.get 10", "acme:*/*.station.*", "*"] {
            assert_eq!(text.parse::<CapabilityRule>().unwrap().to_string(), text);
        }
        for text in
            ["", "forecast", "acme:weather", "acme:weather/forecast ten", "a:b/c 1 2", "a:b/c@1.0.0", "a:b/c -1"]
        {
            assert!(text.parse::<CapabilityRule>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_interface_stands_for_its_functions_and_nothing_else() {
        let rule: CapabilityRule = "acme:weather/forecast".parse().unwrap();
        assert!(rule.matches("acme:weather/forecast.get"));
        assert!(rule.matches("acme:weather/forecast.station.name"));
        assert!(!rule.matches("acme:weather/forecasts.get"));
        let rule: CapabilityRule = "acme:weather/forecast.station".parse().unwrap();
        assert!(!rule.matches("acme:weather/forecast.station.name"));
    }

    #[test]
    fn without_rules_everything_served_may_be_called_and_with_rules_only_what_they_say() {
        assert_eq!(policy(&[]).rule_for("a:b/c.f"), Ok(None));
        let some = policy(&["a:b/c.f 3", "a:b/c.g"]);
        assert_eq!(some.rule_for("a:b/c.f").unwrap().unwrap().1.calls(), Some(3));
        assert_eq!(some.rule_for("a:b/c.g").unwrap().unwrap().0, 1);
        assert!(some.rule_for("a:b/c.h").unwrap_err().contains("allowed are: a:b/c.f 3, a:b/c.g"));
    }
}
