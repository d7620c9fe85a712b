//! Encoding of values.

use rquickjs::{Class, Value};

use super::{
    encoder::{Encoder, Outcome},
    handle::Handle,
    lists,
    mismatch::Failure,
    numbers,
    shape::{Record, Shape},
};
use crate::{engine, text};

impl<'js> Encoder<'_, 'js> {
    pub(crate) fn encode(&mut self, shape: &Shape, value: Value<'js>) -> Outcome {
        match shape {
            Shape::Bool => match value.as_bool() {
                Some(truth) => self.push(&[u8::from(truth)]),
                None => Err(Failure::type_of("bool", &value, Some("Boolean(value) makes one"))),
            },
            Shape::Number(number) => numbers::encode(self, *number, &value),
            Shape::U64 | Shape::S64 => numbers::encode_long(self, matches!(shape, Shape::S64), &value),
            Shape::Char => self.char(&value),
            Shape::String => self.string(&value),
            Shape::List(item) => lists::encode(self, item, value),
            Shape::Option { some, nested } => self.option(some, *nested, value),
            Shape::Tuple(shapes) => self.tuple(shapes, value),
            Shape::Result { ok, error } => self.result(ok.as_deref(), error.as_deref(), value),
            Shape::Record(record) => self.record(record, value),
            Shape::Flags(flags) => self.flags(flags, value),
            Shape::Variant(variant) => self.variant(variant, value),
            Shape::Enum(cases) => self.enumeration(cases, &value),
            Shape::Handle { owned, resource, name } => self.handle(*owned, *resource, name, &value),
        }
    }

    fn string(&mut self, value: &Value<'js>) -> Outcome {
        let Some(string) = value.as_string() else { return Err(Failure::type_of("string", value, None)) };
        let string = string.clone().to_cstring().map_err(|_| text::out_of_memory(self.ctx))?;
        let bytes = engine::bytes_of(&string);
        if std::str::from_utf8(bytes).is_err() {
            let hint = "it holds half a surrogate pair; value.toWellFormed() replaces it".to_owned();
            return Err(Failure::range("string", value, Some(hint)));
        }
        self.push_length(bytes.len())?;
        self.push(bytes)
    }

    fn char(&mut self, value: &Value<'js>) -> Outcome {
        let wanted = "char (a string of one character)";
        let Some(string) = value.as_string() else { return Err(Failure::type_of(wanted, value, None)) };
        let string = string.clone().to_cstring().map_err(|_| text::out_of_memory(self.ctx))?;
        let mut letters = std::str::from_utf8(engine::bytes_of(&string)).unwrap_or_default().chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => self.push(&u32::from(letter).to_le_bytes()),
            _ => Err(Failure::range(wanted, value, None)),
        }
    }

    fn option(&mut self, some: &Shape, nested: bool, value: Value<'js>) -> Outcome {
        if value.is_undefined() || value.is_null() {
            return self.push(&[0]);
        }
        let tag = if nested { self.tag(&value)? } else { None };
        match tag.as_deref() {
            Some("none") => self.push(&[0]),
            Some("some") => {
                self.push(&[1])?;
                let inner = self.val(&value)?;
                self.encode(some, inner).map_err(|failure| failure.inside(|| ".val".into()))
            }
            _ => {
                self.push(&[1])?;
                self.encode(some, value)
            }
        }
    }

    fn tuple(&mut self, shapes: &[Shape], value: Value<'js>) -> Outcome {
        let wanted = || format!("an array of {}", shapes.len());
        let Some(array) = value.as_array() else { return Err(Failure::type_of(wanted(), &value, None)) };
        if array.len() != shapes.len() {
            return Err(Failure::mismatch(false, wanted(), format!("of {}", array.len()), None));
        }
        for (index, shape) in shapes.iter().enumerate() {
            self.encode(shape, array.get(index)?).map_err(|failure| failure.inside(|| format!("[{index}]")))?;
        }
        Ok(())
    }

    fn record(&mut self, record: &Record, value: Value<'js>) -> Outcome {
        let Some(object) = self.object(&value) else {
            let fields: Vec<&str> = record.fields.iter().map(|field| field.name.as_str()).collect();
            let hint = format!("it is an object: {{ {} }}", fields.join(", "));
            return Err(Failure::type_of(&record.name, &value, Some(&hint)));
        };
        for field in &record.fields {
            let value = self.member(&object, field)?;
            self.encode(&field.shape, value).map_err(|failure| failure.inside(|| format!(".{}", field.name)))?;
        }
        Ok(())
    }

    fn handle(&mut self, owned: bool, resource: usize, name: &str, value: &Value<'js>) -> Outcome {
        let found = value.as_object().and_then(Class::<Handle>::from_object);
        let Some(class) = found.filter(|class| class.borrow().is_of(&self.interface.name, resource)) else {
            return Err(Failure::type_of(name, value, None));
        };
        let handle = if owned { class.borrow().give() } else { class.borrow().borrowed() };
        let Some(handle) = handle else {
            let came = "one that is closed, or was given away".to_owned();
            return Err(Failure::mismatch(false, format!("a {name} that the program has"), came, None));
        };
        self.passed.push(class, owned.then_some(handle));
        self.push(&handle.to_le_bytes())
    }
}
