//! Encoding of values that are one of several cases, or a set of flags.

use rquickjs::{FromJs, Value};

use super::{
    encoder::{Encoder, Outcome},
    mismatch::Failure,
    shape::{Record, Shape, Variant},
};
use crate::text::Text;

/// The maximum number of members of a type that are listed.
const FEW: usize = 12;

impl<'js> Encoder<'_, 'js> {
    pub(super) fn flags(&mut self, flags: &Record, value: Value<'js>) -> Outcome {
        let names = || flags.fields.iter().map(|flag| flag.name.as_str());
        let wanted = || format!("{} ({})", flags.name, listed(names()));
        let Some(object) = self.object(&value).filter(|_| !value.is_array()) else {
            let hint = names().next().map(|name| format!("it is an object of booleans, such as {{ {name}: true }}"));
            return Err(Failure::type_of(wanted(), &value, hint.as_deref()));
        };
        let mut bytes = vec![0; flags.fields.len().div_ceil(8)];
        let mut known = 0;
        for (bit, flag) in flags.fields.iter().enumerate() {
            let value = self.member(&object, flag)?;
            match value.as_bool() {
                Some(truth) => bytes[bit / 8] |= u8::from(truth) << (bit % 8),
                None if value.is_undefined() => continue,
                None => return Err(Failure::type_of("bool", &value, None).inside(|| format!(".{}", flag.name))),
            }
            known += 1;
        }
        // An unknown flag would otherwise be ignored silently.
        if object.keys::<Value<'js>>().len() > known
            && let Some(Ok(other)) = object.keys::<String>().find(|key| match key {
                Ok(key) => !names().any(|name| name == key),
                Err(_) => false,
            })
        {
            return Err(Failure::mismatch(false, wanted(), format!("something with {other}"), None));
        }
        self.push(&bytes)
    }

    pub(super) fn enumeration(&mut self, cases: &Variant, value: &Value<'js>) -> Outcome {
        let wanted = || format!("{} ({})", cases.name, listed(cases.cases.iter().map(|case| case.name.as_str())));
        if !value.is_string() {
            return Err(Failure::type_of(wanted(), value, None));
        }
        match self.case(cases, value)? {
            Some(index) => self.push_case(cases, index),
            None => Err(Failure::range(wanted(), value, None)),
        }
    }

    pub(super) fn variant(&mut self, variant: &Variant, value: Value<'js>) -> Outcome {
        let tags = || listed(variant.cases.iter().map(|case| case.name.as_str()));
        if self.object(&value).is_none() {
            let first = variant.cases.first().map_or("", |case| &case.name);
            let hint = format!("it is an object with a tag, such as {{ tag: {first:?} }}");
            return Err(Failure::type_of(format!("{} ({})", variant.name, tags()), &value, Some(&hint)));
        }
        let tag: Value<'js> = self.get(&value, "tag")?;
        let index = if tag.is_string() { self.case(variant, &tag)? } else { None };
        let Some((index, case)) = index.and_then(|index| Some((index, variant.cases.get(index)?))) else {
            return Err(Failure::range(format!("one of {}", tags()), &tag, None).inside(|| ".tag".into()));
        };
        self.push_case(variant, index)?;
        self.payload(case.shape.as_ref(), &value)
    }

    pub(super) fn result(&mut self, ok: Option<&Shape>, error: Option<&Shape>, value: Value<'js>) -> Outcome {
        let (number, shape) = match self.tag(&value)?.as_deref() {
            Some("ok") => (0, ok),
            Some("err") => (1, error),
            _ => return Err(Failure::type_of("{ tag: \"ok\", val } or { tag: \"err\", val }", &value, None)),
        };
        self.push(&[number])?;
        self.payload(shape, &value)
    }

    fn payload(&mut self, shape: Option<&Shape>, value: &Value<'js>) -> Outcome {
        let Some(shape) = shape else { return Ok(()) };
        let inner = self.val(value)?;
        self.encode(shape, inner).map_err(|failure| failure.inside(|| ".val".into()))
    }

    /// Returns the case with a name.
    fn case(&self, cases: &Variant, name: &Value<'js>) -> Result<Option<usize>, Failure> {
        let name: Text<'js> = Text::from_js(self.ctx, name.clone())?;
        Ok(cases.cases.iter().position(|case| case.name == *name))
    }

    fn push_case(&mut self, cases: &Variant, index: usize) -> Outcome {
        self.push(&index.to_le_bytes()[..cases.discriminant().min(size_of::<usize>())])
    }
}

/// Lists names, unless there are too many.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.len() > FEW {
        return format!("{}, … {} in all", names[..FEW].join(", "), names.len());
    }
    names.join(", ")
}
