//! The input of the macro.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use syn::{
    Error, LitBool, LitStr, Path, Result, Token, braced, bracketed,
    ext::IdentExt as _,
    parse::{Parse, ParseStream},
    token::{Brace, Bracket},
};

const KEYS: &str = "path, interface, implementation, resources and async";

/// The parsed input: `{ path: "wit", interface: "acme:weather/forecast", … }`
pub(crate) struct Input {
    pub(crate) path: LitStr,
    pub(crate) interface: LitStr,
    pub(crate) implementation: Option<Path>,
    /// The types of resources, by the name of the resource in the WIT.
    pub(crate) resources: BTreeMap<String, (Ident, Path)>,
    pub(crate) asynchronous: Asynchronous,
}

/// Which functions are asynchronous.
pub(crate) enum Asynchronous {
    All(bool),
    Some(Vec<LitStr>),
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let content;
        let input = if input.peek(Brace) {
            braced!(content in input);
            &content
        } else {
            input
        };
        let (mut path, mut interface, mut implementation) = (None, None, None);
        let (mut resources, mut asynchronous) = (BTreeMap::new(), Asynchronous::All(false));
        while !input.is_empty() {
            let key = input.call(Ident::parse_any)?;
            input.parse::<Token![:]>()?;
            match key.to_string().as_str() {
                "path" => path = Some(input.parse()?),
                "interface" => interface = Some(input.parse()?),
                "implementation" => implementation = Some(input.parse()?),
                "resources" => resources = parse_resources(input)?,
                "async" => asynchronous = input.parse()?,
                other => {
                    return Err(Error::new(key.span(), format!("unknown key `{other}`\nhint: the keys are {KEYS}")));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        let missing = |key: &str| input.error(format!("`{key}` is missing: `{key}: \"…\"`"));
        Ok(Self {
            path: path.ok_or_else(|| missing("path"))?,
            interface: interface.ok_or_else(|| missing("interface"))?,
            implementation,
            resources,
            asynchronous,
        })
    }
}

/// Parses `{ station: Station, weather-map: crate::Map }`.
fn parse_resources(input: ParseStream<'_>) -> Result<BTreeMap<String, (Ident, Path)>> {
    let content;
    braced!(content in input);
    let mut resources = BTreeMap::new();
    while !content.is_empty() {
        let first = content.call(Ident::parse_any)?;
        let mut name = first.unraw().to_string();
        while content.peek(Token![-]) {
            content.parse::<Token![-]>()?;
            name = format!("{name}-{}", content.call(Ident::parse_any)?);
        }
        content.parse::<Token![:]>()?;
        resources.insert(name, (first, content.parse()?));
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(resources)
}

impl Parse for Asynchronous {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if !input.peek(Bracket) {
            return Ok(Self::All(input.parse::<LitBool>()?.value));
        }
        let content;
        bracketed!(content in input);
        Ok(Self::Some(content.parse_terminated(|name| name.parse::<LitStr>(), Token![,])?.into_iter().collect()))
    }
}
