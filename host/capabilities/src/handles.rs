//! Resources of interfaces as Rust types.

use std::{
    any::{Any, type_name},
    fmt,
    ops::Deref,
    sync::Arc,
};

use isolette_abi::value::{Decode, Decoder, Encode, EncodeError, InvalidValue};

use super::Resources;

/// A Rust type that implements a resource of an interface. `capability!` implements this trait.
pub trait Resource: Any + Send + Sync {
    /// The index of the resource among the types of the interface.
    const DEFINITION: usize;
}

/// A resource whose ownership is transferred: `own<…>`. As a result it becomes the guest's; as an argument it is no
/// longer the guest's.
pub struct Owned<T>(Arc<T>);

/// A resource that is borrowed for a call, `borrow<…>`: its owner stays the same.
pub struct Borrowed<T>(Arc<T>);

impl<T> Owned<T> {
    /// Makes a new resource.
    pub fn new(value: T) -> Self {
        Self(Arc::new(value))
    }

    /// Returns the value, which may be kept beyond the call.
    #[must_use]
    pub fn into_arc(self) -> Arc<T> {
        self.0
    }
}

impl<T> Borrowed<T> {
    /// Returns the value, which may be kept beyond the call. The guest can still use it, too.
    #[must_use]
    pub fn to_arc(&self) -> Arc<T> {
        Arc::clone(&self.0)
    }
}

// `Debug` without a bound on `T`, so that types that contain a resource can derive `Debug`.
impl<T> fmt::Debug for Owned<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(type_name::<T>())
    }
}

impl<T> fmt::Debug for Borrowed<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(type_name::<T>())
    }
}

impl<T> From<T> for Owned<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T> From<Arc<T>> for Owned<T> {
    fn from(value: Arc<T>) -> Self {
        Self(value)
    }
}

impl<T> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Deref for Borrowed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Resource> Encode<Resources> for Owned<T> {
    fn encode(&self, bytes: &mut Vec<u8>, context: &Resources) -> Result<(), EncodeError> {
        context.give(T::DEFINITION, Arc::clone(&self.0))?.encode(bytes, context)
    }
}

impl<T: Resource> Decode<Resources> for Owned<T> {
    fn decode(decoder: &mut Decoder<'_>, context: &Resources) -> Result<Self, InvalidValue> {
        context.take(T::DEFINITION, u32::decode(decoder, context)?).map(Self)
    }
}

impl<T: Resource> Decode<Resources> for Borrowed<T> {
    fn decode(decoder: &mut Decoder<'_>, context: &Resources) -> Result<Self, InvalidValue> {
        context.borrow(T::DEFINITION, u32::decode(decoder, context)?).map(Self)
    }
}
