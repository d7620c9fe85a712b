//! URLs according to the WHATWG standard, for `prelude/url.js`.

use rquickjs::{Array, Ctx, Function, Object, Result};
use url::{Url, quirks};

use crate::text::Text;

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("parseUrl", Function::new(ctx.clone(), parse)?)?;
    host.set("changeUrl", Function::new(ctx.clone(), change)?)
}

/// The parts of a URL, or `null` if it is invalid.
fn parse<'js>(ctx: Ctx<'js>, url: Text<'js>, base: Option<Text<'js>>) -> Result<Option<Array<'js>>> {
    let parsed = match base {
        None => Url::parse(&url),
        Some(base) => Url::parse(&base).and_then(|base| base.join(&url)),
    };
    parsed.ok().map(|url| parts(&ctx, &url)).transpose()
}

/// The parts after an assignment to one of them; an invalid value changes nothing.
fn change<'js>(ctx: Ctx<'js>, url: Text<'js>, part: Text<'js>, value: Text<'js>) -> Result<Option<Array<'js>>> {
    let Ok(mut url) = Url::parse(&url) else { return Ok(None) };
    let _ = match &*part {
        "protocol" => quirks::set_protocol(&mut url, &value),
        "username" => quirks::set_username(&mut url, &value),
        "password" => quirks::set_password(&mut url, &value),
        "host" => quirks::set_host(&mut url, &value),
        "hostname" => quirks::set_hostname(&mut url, &value),
        "port" => quirks::set_port(&mut url, &value),
        "pathname" => {
            quirks::set_pathname(&mut url, &value);
            Ok(())
        }
        "search" => {
            quirks::set_search(&mut url, &value);
            Ok(())
        }
        "hash" => {
            quirks::set_hash(&mut url, &value);
            Ok(())
        }
        _ => Err(()),
    };
    parts(&ctx, &url).map(Some)
}

/// In the order of the names in `prelude/url.js`.
fn parts<'js>(ctx: &Ctx<'js>, url: &Url) -> Result<Array<'js>> {
    let array = Array::new(ctx.clone())?;
    let parts = [
        quirks::href(url),
        quirks::protocol(url),
        quirks::username(url),
        quirks::password(url),
        quirks::host(url),
        quirks::hostname(url),
        quirks::port(url),
        quirks::pathname(url),
        quirks::search(url),
        quirks::hash(url),
    ];
    for (index, part) in parts.into_iter().enumerate() {
        array.set(index, part)?;
    }
    array.set(10, quirks::origin(url))?;
    Ok(array)
}
