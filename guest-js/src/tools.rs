//! `isolette:sandbox/tools` for `prelude/tools.js`.

use guest_js_text::numbers;
use rquickjs::{
    Array, Ctx, Error, Exception, FromJs as _, Function, IntoJs as _, Object, Result, Value, function::Opt,
};

use crate::{
    bindings::isolette::sandbox::tools::{self, Detail, Query, ToolError},
    hooks, lines, pending,
    text::Text,
};

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("callTool", Function::new(ctx.clone(), call)?)?;
    host.set("startTool", Function::new(ctx.clone(), start)?)?;
    host.set("parseExact", Function::new(ctx.clone(), parse_exact)?)?;
    host.set("listTools", Function::new(ctx.clone(), list)?)?;
    host.set("describeTool", Function::new(ctx.clone(), describe)?)?;
    host.set("searchTools", Function::new(ctx.clone(), search)?)
}

/// Calls a tool, and returns its result.
fn call<'js>(ctx: Ctx<'js>, name: Value<'js>, arguments: Value<'js>) -> Result<Value<'js>> {
    let (name, arguments) = request(&ctx, name, arguments)?;
    lines::note(&ctx);
    result(&ctx, &name, tools::call(&name, &arguments))
}

/// Starts a call, and returns the promise of its result.
fn start<'js>(
    ctx: Ctx<'js>,
    name: Value<'js>,
    arguments: Value<'js>,
    watch: Option<Function<'js>>,
) -> Result<Value<'js>> {
    let (name, arguments) = request(&ctx, name, arguments)?;
    // Without room for the copy, no call is started, since its result could not be awaited.
    let copy = name.copied(&ctx)?;
    lines::note(&ctx);
    let ticket = tools::start(&name, &arguments);
    pending::promise(&ctx, ticket, Box::new(move |ctx, ticket| finish(ctx, &copy, ticket)), watch)
}

/// The name of a tool, and the JSON text of its arguments.
fn request<'js>(ctx: &Ctx<'js>, name: Value<'js>, arguments: Value<'js>) -> Result<(Text<'js>, Text<'js>)> {
    if !name.is_string() {
        return Err(Exception::throw_type(ctx, "call_tool takes the name of a tool and an object of arguments"));
    }
    let name = Text::from_js(ctx, name)?;
    if !arguments.is_object() || arguments.is_array() || arguments.is_function() {
        let name = &*name;
        let message = format!("Tool '{name}' takes its arguments as one object: call_tool('{name}', {{ key: value }})");
        return Err(Exception::throw_type(ctx, &message));
    }
    let text = match ctx.json_stringify(arguments.clone()) {
        Ok(json) => Some(Text::from_js(ctx, json.into_js(ctx)?)?),
        // A BigInt; or something else, which throws again.
        Err(Error::Exception) => {
            ctx.catch();
            None
        }
        Err(error) => return Err(error),
    };
    // `null` may have been a number that JSON does not have.
    match text.filter(|text| !numbers::has_long(text) && !text.contains("null")) {
        Some(text) => Ok((name, text)),
        None => {
            let json = hooks::encode_arguments(ctx, &name, arguments)?;
            Ok((name, Text::from_js(ctx, json)?))
        }
    }
}

/// Parses JSON. Integers that numbers of the language do not have with all their digits are BigInts, which are announced
/// if the JSON has a name.
fn parse_exact<'js>(ctx: Ctx<'js>, json: Text<'js>, name: Opt<Text<'js>>) -> Result<Value<'js>> {
    match numbers::has_long(&json) {
        true => hooks::decode_exact(&ctx, &json, name.0.as_deref()),
        false => ctx.json_parse(&*json),
    }
}

fn finish<'js>(ctx: &Ctx<'js>, name: &str, ticket: u32) -> Result<Value<'js>> {
    result(ctx, name, tools::finish(ticket))
}

fn result<'js>(ctx: &Ctx<'js>, name: &str, outcome: std::result::Result<String, ToolError>) -> Result<Value<'js>> {
    match outcome {
        Ok(json) if numbers::has_long(&json) => {
            hooks::decode_exact(ctx, &json, Some(&format!("the result of tool '{name}'")))
        }
        Ok(json) => ctx.json_parse(json),
        Err(error) => Err(ctx.throw(hooks::tool_error(ctx, name, failure(ctx, error)?)?)),
    }
}

fn list(ctx: Ctx<'_>) -> Result<Array<'_>> {
    let listing = Array::new(ctx.clone())?;
    for (index, summary) in tools::list_tools().into_iter().enumerate() {
        let entry = Object::new(ctx.clone())?;
        entry.set("name", summary.name)?;
        entry.set("description", summary.description)?;
        listing.set(index, entry)?;
    }
    Ok(listing)
}

fn describe<'js>(ctx: Ctx<'js>, name: Text<'js>) -> Result<Value<'js>> {
    match tools::describe_tool(&name) {
        Ok(description) => {
            let entry = Object::new(ctx)?;
            entry.set("name", description.name)?;
            entry.set("description", description.description)?;
            entry.set("input_schema", description.input_schema)?;
            entry.set("output_schema", description.output_schema)?;
            entry.set("declaration", description.declaration)?;
            Ok(entry.into_value())
        }
        Err(error) => Ok(failure(&ctx, error)?.into_value()),
    }
}

/// Returns an object of `tools` and `total`, or after a failure an array of the error's kind and message.
fn search<'js>(
    ctx: Ctx<'js>,
    text: Text<'js>,
    detail: Text<'js>,
    tags: Vec<Text<'js>>,
    limit: f64,
) -> Result<Value<'js>> {
    let query = Query {
        text: text.copied(&ctx)?,
        detail: match &*detail {
            "name" => Detail::Name,
            "detailed" => Detail::Detailed,
            "full" => Detail::Full,
            _ => Detail::Brief,
        },
        tags: tags.iter().map(|tag| tag.copied(&ctx)).collect::<Result<_>>()?,
        // A number out of range becomes the nearest one in it.
        limit: limit as u32,
    };
    let results = match tools::search_tools(&query) {
        Ok(results) => results,
        Err(error) => return Ok(failure(&ctx, error)?.into_value()),
    };
    let found = Array::new(ctx.clone())?;
    for (index, tool) in results.tools.into_iter().enumerate() {
        let entry = Object::new(ctx.clone())?;
        entry.set("name", tool.name)?;
        entry.set("description", tool.description)?;
        entry.set("tags", tool.tags)?;
        entry.set("parameters", tool.parameters)?;
        entry.set("input_schema", tool.input_schema)?;
        entry.set("output_schema", tool.output_schema)?;
        found.set(index, entry)?;
    }
    let outcome = Object::new(ctx)?;
    outcome.set("tools", found)?;
    outcome.set("total", results.total)?;
    Ok(outcome.into_value())
}

/// An array of the kind of an error and its message.
fn failure<'js>(ctx: &Ctx<'js>, error: ToolError) -> Result<Array<'js>> {
    let (kind, sentence) = match error {
        ToolError::UnknownTool(sentence) => ("unknown-tool", sentence),
        ToolError::InvalidArguments(sentence) => ("invalid-arguments", sentence),
        ToolError::Failed(sentence) => ("failed", sentence),
        ToolError::Denied(sentence) => ("denied", sentence),
        ToolError::Budget(sentence) => ("budget", sentence),
    };
    let failure = Array::new(ctx.clone())?;
    failure.set(0, kind)?;
    failure.set(1, sentence)?;
    Ok(failure)
}
