//! Errors for values that do not match a parameter: position, expected type and actual value.

use std::fmt::Write as _;

use rquickjs::{Coerced, Ctx, Error, Exception, Type, Value};

use crate::text::Text;

/// The maximum length of a shown text, in characters.
const LONGEST: usize = 60;

/// Why a value could not be encoded.
pub(crate) enum Failure {
    Mismatch(Box<Mismatch>),
    /// Code of the program threw an exception, or there is not enough memory.
    Thrown(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Thrown(error)
    }
}

/// A value that does not match. The enclosing encoders add its path, the innermost part first.
pub(crate) struct Mismatch {
    out_of_range: bool,
    wanted: String,
    came: String,
    hint: Option<String>,
    path: Vec<String>,
}

impl Failure {
    /// The value has a wrong type.
    pub(crate) fn type_of<'js>(wanted: impl Into<String>, value: &Value<'js>, hint: Option<&str>) -> Self {
        Self::mismatch(false, wanted.into(), described(value), hint.map(str::to_owned))
    }

    /// The value has the right type, but is invalid.
    pub(crate) fn range<'js>(wanted: impl Into<String>, value: &Value<'js>, hint: Option<String>) -> Self {
        Self::mismatch(true, wanted.into(), shown(value).unwrap_or_else(|| described(value)), hint)
    }

    /// Any other error; `came` continues the sentence after "not".
    pub(crate) fn mismatch(out_of_range: bool, wanted: String, came: String, hint: Option<String>) -> Self {
        Self::Mismatch(Box::new(Mismatch { out_of_range, wanted, came, hint, path: Vec::new() }))
    }

    /// Adds a part of the path: `.name` or `[3]`.
    pub(crate) fn inside(mut self, place: impl FnOnce() -> String) -> Self {
        if let Self::Mismatch(mismatch) = &mut self {
            mismatch.path.push(place());
        }
        self
    }

    /// Returns the exception for the program.
    pub(crate) fn throw(self, ctx: &Ctx<'_>, function: &str) -> Error {
        let mismatch = match self {
            Self::Thrown(error) => return error,
            Self::Mismatch(mismatch) => mismatch,
        };
        let place: String = mismatch.path.iter().rev().map(String::as_str).collect();
        let place = place.trim_start_matches('.');
        let mut text = format!("{function}(…): {place} must be {}, not {}", mismatch.wanted, mismatch.came);
        if let Some(hint) = &mismatch.hint {
            let _ = write!(text, "\nhint: {hint}");
        }
        if mismatch.out_of_range { Exception::throw_range(ctx, &text) } else { Exception::throw_type(ctx, &text) }
    }
}

fn described(value: &Value<'_>) -> String {
    let kind = match value.type_of() {
        Type::Int | Type::Float => "number",
        Type::Bool => "boolean",
        Type::BigInt => "bigint",
        Type::Array => "an array",
        Type::Function | Type::Constructor => "a function",
        Type::Symbol => "a symbol",
        Type::Undefined | Type::Null | Type::String => value.type_name(),
        _ => "an object",
    };
    match shown(value) {
        Some(shown) => format!("the {kind} {shown}"),
        None => kind.to_owned(),
    }
}

/// Formats a short value, without running code of the program.
fn shown(value: &Value<'_>) -> Option<String> {
    if let Some(truth) = value.as_bool() {
        return Some(truth.to_string());
    }
    if let Some(number) = value.as_number() {
        return Some(match number {
            f64::INFINITY => "Infinity".to_owned(),
            f64::NEG_INFINITY => "-Infinity".to_owned(),
            _ if number.abs() < 1e21 => number.to_string(),
            _ => format!("{number:?}"),
        });
    }
    if value.is_string() {
        let text: Text<'_> = value.get().ok()?;
        return Some(format!("{:?}", beginning(&text)));
    }
    if value.is_big_int() {
        let digits: Coerced<String> = value.get().ok()?;
        return Some(beginning(&(digits.0 + "n")));
    }
    None
}

fn beginning(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
