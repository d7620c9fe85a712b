//! The parameters of an operation: the names of their arguments, and where their values are sent.

use serde_json::Value;

use super::{
    document::{Document, elements, entries, flag, text},
    limits::{PARAMETERS, PATH},
    location::Location,
    name,
    security::Security,
    style::{Style, Writing, encode, scalar},
};
use isolette_tools::naming::free;

/// One parameter.
#[derive(Debug)]
pub(super) struct Parameter {
    /// The name in programs.
    pub(super) argument: String,
    /// The name in the service's API.
    pub(super) name: String,
    pub(super) location: Location,
    pub(super) required: bool,
    encoding: Encoding,
}

#[derive(Clone, Copy, Debug)]
enum Encoding {
    Styled(Writing),
    /// `content` with a JSON media type.
    Json,
    /// `content` with another media type.
    Text,
}

/// A parameter with the document's description of its values.
pub(super) struct Described<'a> {
    pub(super) parameter: Parameter,
    pub(super) schema: Option<&'a Value>,
    pub(super) description: Option<&'a str>,
    /// An example, if it is short.
    pub(super) example: Option<&'a Value>,
    pub(super) is_deprecated: bool,
}

/// The parameters of a path and of an operation, of which the latter take precedence; and undescribed variables of the
/// path template.
pub(super) fn parameters<'a>(
    document: &'a Document,
    security: &Security<'_>,
    path: &str,
    item: &'a Value,
    operation: &'a Value,
) -> Result<Vec<Described<'a>>, String> {
    let mut found: Vec<(Location, &'a str, &'a Value)> = Vec::new();
    for level in [item, operation] {
        let count = elements(level.get("parameters")).count();
        if count > PARAMETERS {
            return Err(format!("it has {count} parameters, the limit is {PARAMETERS}"));
        }
        for parameter in elements(level.get("parameters")) {
            let parameter = document.resolve(parameter)?;
            let (Some(name), Some(location)) =
                (text(parameter, "name"), text(parameter, "in").and_then(Location::named))
            else {
                return Err("it has a parameter without a name, or in a place that OpenAPI does not know".into());
            };
            if is_of_the_host(location, name) || security.is_credential(location, name) {
                continue;
            }
            found.retain(|(other, known, _)| *other != location || !location.is_same_name(known, name));
            found.push((location, name, parameter));
        }
    }
    if path.len() > PATH {
        return Err(format!("its path has {} bytes, the limit is {PATH}", path.len()));
    }
    let mut in_path: Vec<&str> = Vec::new();
    for name in template(path).filter_map(Part::variable) {
        if !in_path.contains(&name) {
            in_path.push(name);
        }
    }
    // A path parameter that the template does not contain cannot be sent.
    found.retain(|(location, name, _)| *location != Location::Path || in_path.contains(name));
    let mut described: Vec<Described<'a>> = Vec::new();
    for name in &in_path {
        if !found.iter().any(|(location, known, _)| *location == Location::Path && known == name) {
            let parameter = parameter(&described, Location::Path, name, &Value::Null)?;
            described.push(Described {
                parameter,
                schema: None,
                description: None,
                example: None,
                is_deprecated: false,
            });
        }
    }
    // Path parameters keep their names if another parameter has the same one.
    found.sort_by_key(|(location, ..)| *location != Location::Path);
    for (location, name, value) in found {
        let schema = value.get("schema").or_else(|| content(value).and_then(|(_, content)| content.get("schema")));
        let parameter = parameter(&described, location, name, value)?;
        described.push(Described {
            parameter,
            schema,
            description: text(value, "description"),
            example: value.get("example").filter(|example| is_short(example)),
            is_deprecated: flag(value, "deprecated"),
        });
    }
    Ok(described)
}

fn is_short(example: &Value) -> bool {
    match example {
        Value::String(text) => text.len() <= 200,
        value => value.is_number() || value.is_boolean(),
    }
}

/// Headers that OpenAPI ignores as parameters: the document specifies them elsewhere, or they belong to the connection.
fn is_of_the_host(location: Location, name: &str) -> bool {
    const HEADERS: [&str; 7] =
        ["accept", "content-type", "authorization", "cookie", "host", "content-length", "accept-encoding"];
    location == Location::Header && HEADERS.iter().any(|header| header.eq_ignore_ascii_case(name))
}

fn parameter(others: &[Described<'_>], location: Location, name: &str, value: &Value) -> Result<Parameter, String> {
    let argument = argument(others, location, name);
    let default = match location {
        Location::Path | Location::Header => Style::Simple,
        Location::Query | Location::Cookie => Style::Form,
    };
    let style = text(value, "style").and_then(Style::named).filter(|style| fits(location, *style)).unwrap_or(default);
    let explode = value.get("explode").and_then(Value::as_bool).unwrap_or(style == Style::Form);
    let encoding = match content(value) {
        Some((media, _)) if super::media::is_json(media) => Encoding::Json,
        Some(_) => Encoding::Text,
        None => {
            let reserved = flag(value, "allowReserved") && location == Location::Query;
            Encoding::Styled(Writing { style, explode, reserved })
        }
    };
    let required = location == Location::Path || flag(value, "required");
    Ok(Parameter { argument, name: name.to_owned(), location, required, encoding })
}

fn fits(location: Location, style: Style) -> bool {
    match style {
        Style::Matrix | Style::Label => location == Location::Path,
        Style::Simple => matches!(location, Location::Path | Location::Header),
        Style::Form => matches!(location, Location::Query | Location::Cookie),
        Style::SpaceDelimited | Style::PipeDelimited | Style::DeepObject => location == Location::Query,
    }
}

/// The first media type of a parameter that has `content` instead of a style.
fn content(parameter: &Value) -> Option<(&String, &Value)> {
    entries(parameter.get("content")).next()
}

/// The name of an argument. `body` is reserved for the body.
fn argument(others: &[Described<'_>], location: Location, name: &str) -> String {
    let taken = |name: &str| name == "body" || others.iter().any(|other| other.parameter.argument == name);
    let plain = name::argument(name);
    if !taken(&plain) {
        return plain;
    }
    free(name::argument(&format!("{}_{name}", location.name())), taken)
}

impl Parameter {
    /// The text in the path, the header or the cookie.
    pub(super) fn expand(&self, value: &Value) -> String {
        let raw = self.location == Location::Header;
        match self.encoding {
            Encoding::Styled(writing) => writing.expand(&self.name, value, raw),
            Encoding::Json if raw => value.to_string(),
            Encoding::Json => encode(&value.to_string(), false),
            Encoding::Text if raw => scalar(value),
            Encoding::Text => encode(&scalar(value), false),
        }
    }

    /// Adds the pairs in the query.
    pub(super) fn pairs(&self, value: &Value, pairs: &mut Vec<(String, String)>) {
        match self.encoding {
            Encoding::Styled(writing) => writing.pairs(&self.name, value, pairs),
            _ => pairs.push((encode(&self.name, false), self.expand(value))),
        }
    }
}

/// A piece of a path template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Literal(&'a str),
    Variable(&'a str),
}

impl<'a> Part<'a> {
    fn variable(self) -> Option<&'a str> {
        match self {
            Self::Variable(name) => Some(name),
            Self::Literal(_) => None,
        }
    }
}

/// The pieces of a path template such as `/users/{id}`.
pub(super) fn template(path: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = path;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let variable = rest.strip_prefix('{').and_then(|after| after.split_once('}'));
        if let Some((name, after)) = variable {
            rest = after;
            return Some(Part::Variable(name));
        }
        let skipped = usize::from(rest.starts_with('{'));
        let end = rest[skipped..].find('{').map_or(rest.len(), |end| end + skipped);
        let (literal, after) = rest.split_at(end);
        rest = after;
        Some(Part::Literal(literal))
    })
}
