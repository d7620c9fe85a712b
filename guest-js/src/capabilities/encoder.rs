//! Where the bytes of arguments are collected, and how members of values are read on the way.
//!
//! While an object is read, the program's own getters may run, and change anything. Nothing here keeps what they could.

use rquickjs::{Atom, Class, Ctx, Object, Value};

use super::{
    handle::Handle,
    interface::Interface,
    mismatch::Failure,
    shape::{Field, restore},
};
use crate::text;

pub(super) type Outcome = Result<(), Failure>;

/// Collects the arguments of one call.
pub(crate) struct Encoder<'a, 'js> {
    pub(super) ctx: &'a Ctx<'js>,
    pub(super) interface: &'a Interface,
    bytes: Vec<u8>,
    /// What the call hands over, with the handles of what it gives away. What it lends lives as long as this: getters and
    /// iterators make values that nobody else holds.
    pub(super) handed: Vec<(Class<'js, Handle>, Option<u32>)>,
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
