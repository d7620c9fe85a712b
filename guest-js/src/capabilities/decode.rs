//! Decoding of values. The bytes come from the host, which has checked them.

use std::rc::Rc;

use rquickjs::{Array, Atom, BigInt, Class, Object, String as JsString, Value};

use super::{
    decoder::{Broken, Decoder},
    handle::Handle,
    lists,
    shape::{Case, Record, Shape, Variant, restore},
};

impl<'js> Decoder<'_, 'js> {
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

    fn case<'b>(&mut self, cases: &'b Variant) -> Result<&'b Case, Broken> {
        let number = self.word(cases.discriminant())? as usize;
        cases.cases.get(number).ok_or(Broken::Contract)
    }

    fn handle(&mut self, index: usize) -> Result<Value<'js>, Broken> {
        let handle = self.length()? as u32;
        let (resource, prototype) = self.interface.resource(self.ctx, index).ok_or(Broken::Contract)?;
        Ok(Class::instance_proto(Handle::new(handle, Rc::clone(resource)), prototype)?.into_inner().into_value())
    }
}
