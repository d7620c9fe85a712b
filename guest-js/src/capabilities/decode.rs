//! From bytes to values. What is read comes from the host, who has checked it.

use std::rc::Rc;

use rquickjs::{Array, Atom, BigInt, Class, Ctx, Object, String as JsString, Value};

use super::{
    encode::restore,
    handle::Handle,
    interface::Interface,
    lists,
    shape::{Record, Shape, Variant},
};

/// Why bytes are no value.
pub(crate) enum Broken {
    /// They are not what the interface says.
    Contract,
    /// There is no memory for it.
    Thrown(rquickjs::Error),
}

impl From<rquickjs::Error> for Broken {
    fn from(error: rquickjs::Error) -> Self {
        Self::Thrown(error)
    }
}

/// Reads the result of one call.
pub(crate) struct Decoder<'a, 'js> {
    pub(super) ctx: &'a Ctx<'js>,
    interface: &'a Interface,
    rest: &'a [u8],
}

impl<'a, 'js> Decoder<'a, 'js> {
    pub(crate) fn new(ctx: &'a Ctx<'js>, interface: &'a Interface, bytes: &'a [u8]) -> Self {
        Self { ctx, interface, rest: bytes }
    }

    /// Nothing may be left.
    pub(crate) fn finish(&self) -> Result<(), Broken> {
        if self.rest.is_empty() { Ok(()) } else { Err(Broken::Contract) }
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Broken> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Broken::Contract)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Broken> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn length(&mut self) -> Result<usize, Broken> {
        Ok(self.word(4)? as usize)
    }

    fn word(&mut self, size: usize) -> Result<u64, Broken> {
        let mut wide = [0; 8];
        wide[..size].copy_from_slice(self.take(size)?);
        Ok(u64::from_le_bytes(wide))
    }

    pub(crate) fn decode(&mut self, shape: &Shape) -> Result<Value<'js>, Broken> {
        let ctx = self.ctx;
        Ok(match shape {
            Shape::Bool => Value::new_bool(ctx.clone(), self.byte()? != 0),
            Shape::Number(number) => number.decode(ctx, self.take(number.size())?),
            Shape::U64 => BigInt::from_u64(ctx.clone(), self.word(8)?)?.into_value(),
            Shape::S64 => BigInt::from_i64(ctx.clone(), self.word(8)?.cast_signed())?.into_value(),
            Shape::Char => {
                let letter = char::from_u32(self.length()? as u32).ok_or(Broken::Contract)?;
                self.text(letter.encode_utf8(&mut [0; 4]))?
            }
            Shape::String => {
                let length = self.length()?;
                let text = std::str::from_utf8(self.take(length)?).map_err(|_| Broken::Contract)?;
                self.text(text)?
            }
            Shape::List(item) => lists::decode(self, item)?,
            Shape::Option { some, nested } => self.option(some, *nested)?,
            Shape::Tuple(shapes) => {
                let array = Array::new(ctx.clone())?;
                for (index, shape) in shapes.iter().enumerate() {
                    array.set(index, self.decode(shape)?)?;
                }
                array.into_value()
            }
            Shape::Result { ok, error } => {
                let (tag, shape) = if self.byte()? == 0 { ("ok", ok) } else { ("err", error) };
                let tag = self.text(tag)?;
                self.tagged(tag, shape.as_deref())?
            }
            Shape::Record(record) => self.record(record)?,
            Shape::Flags(flags) => self.flags(flags)?,
            Shape::Variant(variant) => {
                let case = self.case(variant)?;
                let tag = restore(ctx, &case.text)?.to_value()?;
                self.tagged(tag, case.shape.as_ref())?
            }
            Shape::Enum(cases) => restore(ctx, &self.case(cases)?.text)?.to_value()?,
            Shape::Handle { resource, .. } => self.handle(*resource)?,
        })
    }

    fn text(&self, text: &str) -> Result<Value<'js>, Broken> {
        Ok(JsString::from_str(self.ctx.clone(), text)?.into_value())
    }

    fn option(&mut self, some: &Shape, nested: bool) -> Result<Value<'js>, Broken> {
        let is_there = self.byte()? != 0;
        if nested {
            let tag = self.text(if is_there { "some" } else { "none" })?;
            return self.tagged(tag, is_there.then_some(some));
        }
        if is_there { self.decode(some) } else { Ok(Value::new_undefined(self.ctx.clone())) }
    }

    fn tagged(&mut self, tag: Value<'js>, shape: Option<&Shape>) -> Result<Value<'js>, Broken> {
        let object = Object::new(self.ctx.clone())?;
        object.set("tag", tag)?;
        if let Some(shape) = shape {
            object.set("val", self.decode(shape)?)?;
        }
        Ok(object.into_value())
    }

    fn record(&mut self, record: &Record) -> Result<Value<'js>, Broken> {
        let object = Object::new(self.ctx.clone())?;
        for field in &record.fields {
            let value = self.decode(&field.shape)?;
            let key: Atom<'js> = restore(self.ctx, &field.key)?;
            object.set(key, value)?;
        }
        Ok(object.into_value())
    }

    fn flags(&mut self, flags: &Record) -> Result<Value<'js>, Broken> {
        let bytes = self.take(flags.fields.len().div_ceil(8))?;
        let object = Object::new(self.ctx.clone())?;
        for (bit, flag) in flags.fields.iter().enumerate() {
            let key: Atom<'js> = restore(self.ctx, &flag.key)?;
            object.set(key, bytes[bit / 8] >> (bit % 8) & 1 != 0)?;
        }
        Ok(object.into_value())
    }

    fn case<'b>(&mut self, cases: &'b Variant) -> Result<&'b super::shape::Case, Broken> {
        let number = self.word(cases.discriminant())? as usize;
        cases.cases.get(number).ok_or(Broken::Contract)
    }

    fn handle(&mut self, index: usize) -> Result<Value<'js>, Broken> {
        let handle = self.length()? as u32;
        let (resource, prototype) = self.interface.resource(self.ctx, index).ok_or(Broken::Contract)?;
        Ok(Class::instance_proto(Handle::new(handle, Rc::clone(resource)), prototype)?.into_inner().into_value())
    }
}
