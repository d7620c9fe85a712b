//! A writer of the bytes of arguments, and access to the members of values.
//!
//! Reading a member may run a getter of the program, which can change anything. So nothing here keeps references to what a
//! getter could change.

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
    pub(super) passed: Passed<'js>,
}

/// The resources that a call passes, with the handles of those that it transfers. Borrowed ones are held until the call
/// returns, because getters and iterators may create values that have no other reference.
#[derive(Default)]
pub(super) struct Passed<'js>(Vec<(Class<'js, Handle>, Option<u32>)>);

impl<'js> Passed<'js> {
    pub(super) fn push(&mut self, resource: Class<'js, Handle>, handle: Option<u32>) {
        self.0.push((resource, handle));
    }

    /// Restores ownership of resources that were not transferred.
    pub(super) fn take_back(&self) {
        for (resource, handle) in &self.0 {
            if let Some(handle) = handle {
                resource.borrow().take_back(*handle);
            }
        }
    }
}

impl<'a, 'js> Encoder<'a, 'js> {
    pub(crate) fn new(ctx: &'a Ctx<'js>, interface: &'a Interface) -> Self {
        Self { ctx, interface, bytes: Vec::new(), passed: Passed::default() }
    }

    /// Returns the bytes and the resources.
    pub(super) fn finish(self) -> (Vec<u8>, Passed<'js>) {
        (self.bytes, self.passed)
    }

    /// Reserves memory. The size depends on the program, so this can fail.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Outcome {
        self.bytes.try_reserve(bytes.len()).map_err(|_| text::out_of_memory(self.ctx))?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes a length or a number of items. It fits into 32 bits, like the memory.
    pub(super) fn push_length(&mut self, length: usize) -> Outcome {
        self.push(&u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes())
    }

    /// Overwrites a length.
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
