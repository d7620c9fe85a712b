//! `isolette:sandbox/http` for `prelude/fetch.js` and `prelude/http.js`.

use rquickjs::{Array, Ctx, Function, Object, Result, TypedArray, Value, function::Flat};

use crate::{
    bindings::isolette::sandbox::http::{self, HttpError, Request, Response},
    engine, lines,
    text::{self, Text},
};

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("sendRequest", Function::new(ctx.clone(), send)?)?;
    host.set("startRequest", Function::new(ctx.clone(), start)?)?;
    host.set("finishRequest", Function::new(ctx.clone(), finish)?)
}

/// The method, the URL, the headers as pairs, the body, the timeout in milliseconds (negative for none), and the maximum number
/// of redirects.
type Asked<'js> = Flat<(Text<'js>, Text<'js>, Array<'js>, TypedArray<'js, u8>, f64, u32)>;

/// Sends a request, and returns its outcome.
fn send<'js>(ctx: Ctx<'js>, asked: Asked<'js>) -> Result<Value<'js>> {
    let request = request(&ctx, asked)?;
    lines::note(&ctx);
    outcome(ctx, http::send(&request))
}

/// Starts a request, and returns its ticket.
fn start<'js>(ctx: Ctx<'js>, asked: Asked<'js>) -> Result<u32> {
    let request = request(&ctx, asked)?;
    lines::note(&ctx);
    Ok(http::start(&request))
}

/// The outcome of a request that has completed.
fn finish(ctx: Ctx<'_>, ticket: u32) -> Result<Value<'_>> {
    outcome(ctx, http::finish(ticket))
}

fn request<'js>(ctx: &Ctx<'js>, asked: Asked<'js>) -> Result<Request> {
    let Flat((method, url, headers, body, timeout, redirects)) = asked;
    let content = engine::content(&body);
    let mut copy = text::buffer(ctx, content.len())?;
    copy.extend_from_slice(content);
    let mut pairs = Vec::new();
    for pair in headers.iter::<Array<'js>>() {
        let pair = pair?;
        let (name, value): (Text<'js>, Text<'js>) = (pair.get(0)?, pair.get(1)?);
        pairs.push((name.to_owned(), value.to_owned()));
    }
    Ok(Request {
        method: method.to_owned(),
        url: url.to_owned(),
        headers: pairs,
        body: copy,
        timeout: (timeout >= 0.0).then_some((timeout * 1e6) as u64),
        redirects,
    })
}

/// The response as an object, or after a failure an array of the error's kind and message.
fn outcome(ctx: Ctx<'_>, result: std::result::Result<Response, HttpError>) -> Result<Value<'_>> {
    match result {
        Ok(response) => {
            let headers = Array::new(ctx.clone())?;
            for (index, (name, value)) in response.headers.into_iter().enumerate() {
                let pair = Array::new(ctx.clone())?;
                pair.set(0, name)?;
                pair.set(1, value)?;
                headers.set(index, pair)?;
            }
            let object = Object::new(ctx.clone())?;
            object.set("status", response.status)?;
            object.set("url", response.url)?;
            object.set("headers", headers)?;
            object.set("body", TypedArray::new(ctx, response.body)?)?;
            object.set("truncated", response.truncated)?;
            Ok(object.into_value())
        }
        Err(error) => {
            let (kind, sentence) = match error {
                HttpError::Denied(sentence) => ("denied", sentence),
                HttpError::Dns(sentence) => ("dns", sentence),
                HttpError::Connect(sentence) => ("connect", sentence),
                HttpError::Tls(sentence) => ("tls", sentence),
                HttpError::Timeout(sentence) => ("timeout", sentence),
                HttpError::TooLarge(sentence) => ("too-large", sentence),
                HttpError::Protocol(sentence) => ("protocol", sentence),
                HttpError::Budget(sentence) => ("budget", sentence),
            };
            let failure = Array::new(ctx)?;
            failure.set(0, kind)?;
            failure.set(1, sentence)?;
            Ok(failure.into_value())
        }
    }
}
