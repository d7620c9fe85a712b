//! What is said of a value that is not what a parameter takes: where it is, what is wanted, what came.

use std::fmt::Write as _;

use rquickjs::{Ctx, Error, Exception, Type, Value};

use crate::text::Text;

/// In characters of a text that is shown.
const LONGEST: usize = 60;

/// Why a value could not be encoded.
pub(crate) enum Failure {
    Mismatch(Box<Mismatch>),
    /// The program's own code threw, or there is no memory.
    Thrown(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Thrown(error)
    }
}

/// A value that does not fit. Whoever is around it adds where it is, the innermost first.
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

    /// The value has the right type, and there is none like it.
    pub(crate) fn range<'js>(wanted: impl Into<String>, value: &Value<'js>, hint: Option<String>) -> Self {
        Self::mismatch(true, wanted.into(), shown(value).unwrap_or_else(|| described(value)), hint)
    }

    /// Anything else; `came` continues the sentence behind "not".
    pub(crate) fn mismatch(out_of_range: bool, wanted: String, came: String, hint: Option<String>) -> Self {
        Self::Mismatch(Box::new(Mismatch { out_of_range, wanted, came, hint, path: Vec::new() }))
    }

    /// Says that the value is inside of another one: `.name` or `[3]`.
    pub(crate) fn inside(mut self, place: impl FnOnce() -> String) -> Self {
        if let Self::Mismatch(mismatch) = &mut self {
            mismatch.path.push(place());
        }
        self
    }

    /// The exception that the program sees.
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
        Type::Array => "an array",
        Type::Function | Type::Constructor => "a function",
        Type::Undefined | Type::Null | Type::String | Type::Symbol | Type::BigInt => value.type_name(),
        _ => "an object",
    };
    match shown(value) {
        Some(shown) => format!("the {kind} {shown}"),
        None => kind.to_owned(),
    }
}

/// A short value as it may be written. Nothing of the program's is called for it.
fn shown(value: &Value<'_>) -> Option<String> {
    if let Some(truth) = value.as_bool() {
        return Some(truth.to_string());
    }
    if let Some(number) = value.as_number() {
        return Some(match number {
            f64::INFINITY => "Infinity".to_owned(),
            f64::NEG_INFINITY => "-Infinity".to_owned(),
            _ if number.abs() < 1e15 => number.to_string(),
            _ => format!("{number:?}"),
        });
    }
    if value.is_string() {
        let text: Text<'_> = value.get().ok()?;
        let mut shown: String = text.chars().take(LONGEST).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        return Some(format!("{shown:?}"));
    }
    None
}
