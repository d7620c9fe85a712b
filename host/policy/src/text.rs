//! Formats a policy as text: every part that will be enforced, one per line.

use std::fmt;

use isolette_types::Unit;

use super::{Limits, Policy, limits::Value};

/// Maximum length of a line with limits, without its label.
const WIDTH: usize = 88;

/// Writes a line with its label.
pub fn line(formatter: &mut fmt::Formatter<'_>, label: &str, text: impl fmt::Display) -> fmt::Result {
    writeln!(formatter, "{label:<12}{text}")
}

impl Policy {
    /// Writes what a run can access, one item per line.
    pub fn write_reach(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        line(formatter, "network", &self.network)?;
        for secret in &self.secrets {
            line(formatter, "secret", secret)?;
        }
        line(formatter, "tools", list(&self.tools))?;
        if !self.tool_patterns.is_empty() {
            line(formatter, "", format_args!("only {}", list(&self.tool_patterns)))?;
        }
        line(formatter, "interfaces", &self.capabilities)?;
        for mount in &self.mounts {
            line(formatter, "mount", mount)?;
        }
        Ok(())
    }

    /// Writes what needs approval, and the limits.
    pub fn write_terms(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        line(formatter, "approval", &self.approval)?;
        write!(formatter, "{}", self.limits)
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_reach(formatter)?;
        self.write_terms(formatter)
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
        for (limit, value) in self.described() {
            let key = limit.name.as_str();
            let text = format!("{} {}", key.strip_prefix("limits.").unwrap_or(key), amount(value, limit.name.unit()));
            match groups.last_mut() {
                Some((group, texts)) if *group == limit.group => texts.push(text),
                _ => groups.push((limit.group, vec![text])),
            }
        }
        let mut lines = Vec::new();
        for (group, texts) in groups {
            let labels = [group].into_iter().chain(std::iter::repeat(""));
            lines.extend(labels.zip(wrapped(&texts)).map(|(label, text)| format!("{label:<12}{text}")));
        }
        formatter.write_str(&lines.join("\n"))
    }
}

fn amount(value: Value, unit: Unit) -> String {
    match value {
        Value::Time(Limits::UNLIMITED_TIME) | Value::Amount(Limits::UNLIMITED) => "unlimited".into(),
        Value::Time(time) => format!("{time:?}"),
        Value::Amount(amount) if unit == Unit::Bytes => bytes(amount),
        Value::Amount(amount) => amount.to_string(),
    }
}

/// Joins texts with commas, in lines of at most [`WIDTH`] characters.
fn wrapped(texts: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for text in texts {
        match lines.last_mut() {
            Some(line) if line.len() + text.len() + 3 <= WIDTH => *line += &format!(", {text}"),
            last => {
                last.into_iter().for_each(|line| line.push(','));
                lines.push(text.clone());
            }
        }
    }
    lines
}

/// Returns the names separated by commas, or `none`.
pub fn list(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

/// Formats a number of bytes with its unit.
pub fn bytes(count: u64) -> String {
    match count {
        Limits::UNLIMITED => "unlimited".into(),
        _ if count >= 1 << 20 && count.is_multiple_of(1 << 20) => format!("{} MiB", count >> 20),
        _ if count >= 1 << 10 && count.is_multiple_of(1 << 10) => format!("{} KiB", count >> 10),
        _ => format!("{count} bytes"),
    }
}
