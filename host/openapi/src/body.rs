//! The body of a request: the argument `body`, and its encoding.

use std::collections::{HashMap, HashSet};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};

use super::{
    binary::{file, is_binary},
    document::{Document, entries, flag, shown, text},
    limits::ENTRIES,
    media, multipart,
    schema::Schemas,
    style::{Style, Writing, encode, scalar},
};

/// How bodies of one operation are encoded. If the operation accepts several media types, it is the one that is easiest
/// for programs to write.
#[derive(Debug)]
pub(super) struct Body {
    media: String,
    kind: Kind,
    pub(super) required: bool,
}

#[derive(Debug)]
enum Kind {
    Json,
    Form(HashMap<String, Writing>),
    Multipart(Fields),
    Text,
    Binary,
}

/// Special encodings of the fields of a multipart form.
#[derive(Debug, Default)]
struct Fields {
    files: HashSet<String>,
    media: HashMap<String, String>,
}

impl Body {
    /// The body of an operation and the schema of its argument; `None` if it has no body.
    pub(super) fn of<'a>(
        document: &'a Document,
        operation: &'a Value,
        schemas: &mut Schemas<'a>,
    ) -> Result<Option<(Self, Value)>, String> {
        let Some(body) = operation.get("requestBody") else {
            return Ok(None);
        };
        let body = document.resolve(body)?;
        let Some((name, content)) =
            entries(body.get("content")).take(ENTRIES).min_by_key(|(media, _)| rank(&media::essence(media)))
        else {
            return Ok(None);
        };
        let schema = content.get("schema").unwrap_or(&Value::Null);
        let encoding = content.get("encoding");
        let kind = match rank(&media::essence(name)) {
            0 | 1 => Kind::Json,
            2 => Kind::Form(form_writings(encoding)),
            3 => Kind::Multipart(Fields::of(document, schema, encoding)),
            4 => Kind::Text,
            _ => Kind::Binary,
        };
        let mut argument = match kind {
            Kind::Json => schemas.add(schema)?,
            Kind::Form(_) => schemas.add(document.resolve(schema)?)?,
            Kind::Multipart(_) => {
                schemas.takes_files();
                schemas.add(document.resolve(schema)?)?
            }
            Kind::Text => json!({"type": "string", "description": format!("Text of the type {}", shown(name))}),
            Kind::Binary => file(),
        };
        if let (Some(fields), Some(description)) = (argument.as_object_mut(), text(body, "description"))
            && !fields.contains_key("description")
        {
            fields.insert("description".into(), super::document::cut(description.trim(), 500).into());
        }
        // A range of media types is replaced by one type that it contains.
        let media = match name.as_str() {
            "*/*" | "application/*" => "application/json",
            "text/*" => "text/plain",
            name if name.contains('*') => "application/octet-stream",
            name => name,
        };
        Ok(Some((Self { media: media.into(), kind, required: flag(body, "required") }, argument)))
    }

    /// Returns the content type and the bytes of a value.
    pub(super) fn encode(&self, value: &Value) -> Result<(String, Vec<u8>), String> {
        let plain = |bytes: Vec<u8>| Ok((self.media.clone(), bytes));
        match &self.kind {
            Kind::Json => plain(value.to_string().into_bytes()),
            Kind::Form(writings) => {
                let mut pairs = Vec::new();
                for (name, value) in object(value)? {
                    form_field(name, value, writings.get(name), &mut pairs);
                }
                let pairs: Vec<_> = pairs.into_iter().map(|(key, value)| format!("{key}={value}")).collect();
                plain(pairs.join("&").into_bytes())
            }
            Kind::Multipart(fields) => {
                let mut form = multipart::Form::new(&media::essence(&self.media));
                for (name, value) in object(value)? {
                    match value {
                        Value::Array(values) => {
                            values.iter().try_for_each(|value| fields.part(&mut form, name, value))?;
                        }
                        value => fields.part(&mut form, name, value)?,
                    }
                }
                Ok(form.finish())
            }
            Kind::Text => plain(scalar(value).into_bytes()),
            Kind::Binary => {
                let content = Content::of(value)?;
                Ok((content.media.map_or_else(|| self.media.clone(), str::to_owned), content.bytes))
            }
        }
    }
}

/// The preference among several media types; the lowest rank is used.
fn rank(essence: &str) -> u8 {
    match essence {
        "application/json" => 0,
        json if media::is_json(json) => 1,
        "application/x-www-form-urlencoded" => 2,
        multipart if multipart.starts_with("multipart/") => 3,
        text if media::is_text(text) => 4,
        _ => 5,
    }
}

/// A value that a program passed for an argument that may be bytes.
struct Content<'a> {
    bytes: Vec<u8>,
    name: Option<&'a str>,
    media: Option<&'a str>,
}

impl<'a> Content<'a> {
    fn of(value: &'a Value) -> Result<Self, String> {
        let bytes = match (value, text(value, "base64"), text(value, "text")) {
            (Value::Object(_), Some(base64), None) => STANDARD
                .decode(base64.trim())
                .map_err(|error| format!("the field `base64` of a file is not base64: {error}"))?,
            (Value::Object(_), None, Some(text)) => text.as_bytes().to_vec(),
            (Value::Object(_), ..) => return Err("a file has either the field `base64` or the field `text`".into()),
            (value, ..) => scalar(value).into_bytes(),
        };
        Ok(Self { bytes, name: text(value, "filename"), media: text(value, "media_type") })
    }

    /// Whether an object can only be a file.
    fn is(value: &Value) -> bool {
        let keys = ["base64", "text", "filename", "media_type"];
        value.as_object().is_some_and(|fields| {
            (fields.contains_key("base64") || fields.contains_key("text"))
                && fields.keys().all(|key| keys.contains(&key.as_str()))
        })
    }
}

fn object(value: &Value) -> Result<&Map<String, Value>, String> {
    value
        .as_object()
        .ok_or_else(|| "the argument `body` must be an object, one field for each field of the form".into())
}

/// The fields of a form for which the document specifies a style.
fn form_writings(encoding: Option<&Value>) -> HashMap<String, Writing> {
    entries(encoding)
        .filter(|(_, encoding)| ["style", "explode", "allowReserved"].iter().any(|key| encoding.get(key).is_some()))
        .map(|(name, encoding)| {
            let style = text(encoding, "style").and_then(Style::named).unwrap_or(Style::Form);
            let explode = encoding.get("explode").and_then(Value::as_bool).unwrap_or(style == Style::Form);
            (name.clone(), Writing { style, explode, reserved: false })
        })
        .collect()
}

/// Without a style, an object is written as JSON, and a list as one pair per element.
fn form_field(name: &str, value: &Value, writing: Option<&Writing>, pairs: &mut Vec<(String, String)>) {
    match (writing, value) {
        (Some(writing), value) => writing.pairs(name, value, pairs),
        (None, Value::Null) => {}
        (None, Value::Array(values)) => values.iter().for_each(|value| {
            pairs.push((encode(name, false), encode(&scalar(value), false)));
        }),
        (None, value) => pairs.push((encode(name, false), encode(&scalar(value), false))),
    }
}

impl Fields {
    fn of(document: &Document, schema: &Value, encoding: Option<&Value>) -> Self {
        let mut fields = Self::default();
        let properties = document.resolve(schema).ok().and_then(|schema| schema.get("properties"));
        for (name, property) in entries(properties) {
            let property = document.resolve(property).unwrap_or(property);
            let items = property.get("items").and_then(|items| document.resolve(items).ok());
            if [Some(property), items].into_iter().flatten().any(is_binary) {
                fields.files.insert(name.clone());
            }
        }
        for (name, encoding) in entries(encoding) {
            let first = text(encoding, "contentType").and_then(|types| types.split(',').next()).map(str::trim);
            if let Some(media) = first.filter(|media| !media.contains('*')) {
                fields.media.insert(name.clone(), media.to_owned());
            }
        }
        fields
    }

    fn part(&self, form: &mut multipart::Form, name: &str, value: &Value) -> Result<(), String> {
        let media = self.media.get(name).map(String::as_str);
        if value.is_null() {
            return Ok(());
        }
        if self.files.contains(name) || Content::is(value) {
            let content = Content::of(value)?;
            let media = content.media.or(media).unwrap_or("application/octet-stream");
            form.part(name, Some(content.name.unwrap_or(name)), Some(media), &content.bytes)
        } else if value.is_object() || value.is_array() {
            form.part(name, None, Some(media.unwrap_or("application/json")), value.to_string().as_bytes())
        } else {
            form.part(name, None, media, scalar(value).as_bytes())
        }
    }
}
