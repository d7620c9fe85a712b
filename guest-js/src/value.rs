//! The value of a program: the global `result`, or the value of its last statement.

use guest_js_text::rewrite;
use rquickjs::{Array, Ctx, FromJs, Result, Value};

use crate::{
    bindings::exports::isolette::sandbox::runner,
    event_loop::{self, Finished},
    hooks,
    text::Text,
};

/// Gets the value, waits for it if it is a promise, and encodes it. If a program consists of one function, it is called for the
/// value.
pub(crate) fn of_program<'js>(ctx: &Ctx<'js>, completion: Value<'js>, code: &str) -> Result<Option<runner::Value>> {
    if !completion.is_function() {
        let result = hooks::result(ctx)?;
        let chosen = if result.is_undefined() { &completion } else { &result };
        if let Some(value) = simple(chosen) {
            return Ok(value);
        }
    }
    let callable = completion.is_function() && rewrite::is_one_function(code);
    let mut value = hooks::value(ctx, completion.clone(), callable)?;
    if let Some(promise) = value.clone().into_promise() {
        value = match event_loop::finish(ctx, &promise)? {
            Finished::Settled(settled) => settled,
            Finished::Handled => return Ok(None),
            Finished::Pending => hooks::unsettled_value(ctx, completion)?,
        };
    }
    if value.is_undefined() {
        return Ok(None);
    }
    let pair = Array::from_js(ctx, value)?;
    let json: Text<'js> = pair.get(0)?;
    Ok(Some(runner::Value { json: json.copied(ctx)?, exact: pair.get(1)? }))
}

/// Most values need no code of the prelude. A short run is fast because it touches little memory.
fn simple(value: &Value<'_>) -> Option<Option<runner::Value>> {
    if value.is_undefined() {
        return Some(None);
    }
    let json = match (value.as_bool(), value.as_int()) {
        (Some(truth), _) => truth.to_string(),
        (_, Some(number)) => number.to_string(),
        _ if value.is_null() => "null".to_owned(),
        _ => return None,
    };
    Some(Some(runner::Value { json, exact: true }))
}
