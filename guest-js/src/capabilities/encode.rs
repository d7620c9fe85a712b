//! From values to bytes.
//!
//! While an object is read, the program's own getters may run, and change anything. Nothing here keeps what they could.

use rquickjs::{Atom, Class, Ctx, Object, Value};

use super::{
    handle::Handle,
    interface::Interface,
    lists,
    mismatch::Failure,
    numbers,
    shape::{Field, KnownText, Record, Shape},
};
use crate::{engine, text};

pub(super) type Outcome = Result<(), Failure>;

/// Collects the arguments of one call.
pub(crate) struct Encoder<'a, 'js> {
    pub(super) ctx: &'a Ctx<'js>,
    interface: &'a Interface,
    bytes: Vec<u8>,
    /// What the call hands over, with the handles of what it gives away. What it lends lives as long as this: getters and
    /// iterators make values that nobody else holds.
    handed: Vec<(Class<'js, Handle>, Option<u32>)>,
}

impl<'a, 'js> Encoder<'a, 'js> {
    pub(crate) fn new(ctx: &'a Ctx<'js>, interface: &'a Interface) -> Self {
        Self { ctx, interface, bytes: Vec::new(), handed: Vec::new() }
    }

    pub(crate) fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// What was given away has not arrived.
    pub(crate) fn take_back(&self) {
        for (resource, handle) in &self.handed {
            if let Some(handle) = handle {
                resource.borrow().take_back(*handle);
            }
        }
    }

    /// How much there is depends on the program, and there may not be as much memory.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Outcome {
        self.bytes.try_reserve(bytes.len()).map_err(|_| text::out_of_memory(self.ctx))?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// A length, or the number of items. Nothing in 32 bits of memory is longer.
    pub(super) fn push_length(&mut self, length: usize) -> Outcome {
        self.push(&u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes())
    }

    /// Puts a length where another one was written before.
    pub(super) fn correct_length(&mut self, at: usize, length: usize) {
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        if let Some(bytes) = self.bytes.get_mut(at..at + 4) {
            bytes.copy_from_slice(&length.to_le_bytes());
        }
    }

    pub(super) fn position(&self) -> usize {
        self.bytes.len()
    }

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
        let handle = if owned { class.borrow().give() } else { class.borrow().lend() };
        let Some(handle) = handle else {
            let came = "one that is closed, or was given away".to_owned();
            return Err(Failure::mismatch(false, format!("a {name} that the program has"), came, None));
        };
        self.handed.push((class, owned.then_some(handle)));
        self.push(&handle.to_le_bytes())
    }

    pub(super) fn object(&self, value: &Value<'js>) -> Option<Object<'js>> {
        value.as_object().cloned()
    }

    pub(super) fn member(&self, object: &Object<'js>, field: &Field) -> Result<Value<'js>, Failure> {
        let key: Atom<'js> = restore(self.ctx, &field.key)?;
        let value: Value<'js> = object.get(key)?;
        if field.is_usual && value.is_function() {
            return Ok(Value::new_undefined(self.ctx.clone()));
        }
        Ok(value)
    }

    pub(super) fn tag(&self, value: &Value<'js>) -> Result<Option<String>, Failure> {
        if !value.is_object() {
            return Ok(None);
        }
        let tag: Value<'js> = self.get(value, "tag")?;
        Ok(if tag.is_string() { tag.get().ok() } else { None })
    }

    pub(super) fn val(&self, value: &Value<'js>) -> Result<Value<'js>, Failure> {
        self.get(value, "val")
    }

    pub(super) fn get(&self, value: &Value<'js>, name: &str) -> Result<Value<'js>, Failure> {
        match value.as_object() {
            Some(object) => Ok(object.get(name)?),
            None => Ok(Value::new_undefined(self.ctx.clone())),
        }
    }
}

/// A text that was kept.
pub(super) fn restore<'js>(ctx: &Ctx<'js>, text: &KnownText) -> rquickjs::Result<Atom<'js>> {
    text.clone().restore(ctx)
}
