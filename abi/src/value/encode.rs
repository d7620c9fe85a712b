//! Encoding of values to bytes.

use alloc::{string::String, vec::Vec};

use super::{EncodeError, discriminant_size};

/// A value that can be encoded to bytes. `C` is the context that converts resources to handles; a value without resources has
/// the same encoding in every context.
pub trait Encode<C: ?Sized> {
    /// Appends the encoded value to `bytes`.
    ///
    /// # Errors
    /// [`EncodeError`] if a string or list is too long, or if there are too many resources.
    fn encode(&self, bytes: &mut Vec<u8>, context: &C) -> Result<(), EncodeError>;

    /// Appends the encoded values to `bytes`, in order and without a length.
    ///
    /// # Errors
    /// Like [`Encode::encode`].
    fn encode_each(values: &[Self], bytes: &mut Vec<u8>, context: &C) -> Result<(), EncodeError>
    where
        Self: Sized,
    {
        values.iter().try_for_each(|value| value.encode(bytes, context))
    }
}

/// Appends the discriminant `case` of a type with `cases` cases to `bytes`.
pub fn encode_discriminant(bytes: &mut Vec<u8>, case: u32, cases: usize) {
    bytes.extend_from_slice(&case.to_le_bytes()[..discriminant_size(cases)]);
}

/// Appends the length of a string in bytes, or of a list in elements, to `bytes`.
///
/// # Errors
/// [`EncodeError::TooLong`] if the length is 2^32 or more.
pub fn encode_length(bytes: &mut Vec<u8>, length: usize) -> Result<(), EncodeError> {
    let length = u32::try_from(length).map_err(|_| EncodeError::TooLong)?;
    bytes.extend_from_slice(&length.to_le_bytes());
    Ok(())
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl<C: ?Sized> Encode<C> for $number {
            fn encode(&self, bytes: &mut Vec<u8>, _: &C) -> Result<(), EncodeError> {
                bytes.extend_from_slice(&self.to_le_bytes());
                Ok(())
            }

            fn encode_each(values: &[Self], bytes: &mut Vec<u8>, _: &C) -> Result<(), EncodeError> {
                bytes.reserve(size_of_val(values));
                bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
                Ok(())
            }
        }
    )*};
}

numbers!(u16 u32 u64 i8 i16 i32 i64 f32 f64);

impl<C: ?Sized> Encode<C> for u8 {
    fn encode(&self, bytes: &mut Vec<u8>, _: &C) -> Result<(), EncodeError> {
        bytes.push(*self);
        Ok(())
    }

    fn encode_each(values: &[Self], bytes: &mut Vec<u8>, _: &C) -> Result<(), EncodeError> {
        bytes.extend_from_slice(values);
        Ok(())
    }
}

impl<C: ?Sized> Encode<C> for bool {
    fn encode(&self, bytes: &mut Vec<u8>, _: &C) -> Result<(), EncodeError> {
        bytes.push(u8::from(*self));
        Ok(())
    }
}

impl<C: ?Sized> Encode<C> for char {
    fn encode(&self, bytes: &mut Vec<u8>, context: &C) -> Result<(), EncodeError> {
        u32::from(*self).encode(bytes, context)
    }
}

impl<C: ?Sized> Encode<C> for str {
    fn encode(&self, bytes: &mut Vec<u8>, _: &C) -> Result<(), EncodeError> {
        encode_length(bytes, self.len())?;
        bytes.extend_from_slice(self.as_bytes());
        Ok(())
    }
}

impl<C: ?Sized> Encode<C> for String {
    fn encode(&self, bytes: &mut Vec<u8>, context: &C) -> Result<(), EncodeError> {
        self.as_str().encode(bytes, context)
    }
}

impl<C: ?Sized, T: Encode<C>> Encode<C> for [T] {
    fn encode(&self, bytes: &mut Vec<u8>, context: &C) -> Result<(), EncodeError> {
        encode_length(bytes, self.len())?;
        T::encode_each(self, bytes, context)
    }
}

impl<C: ?Sized, T: Encode<C>> Encode<C> for Vec<T> {
    fn encode(&self, bytes: &mut Vec<u8>, context: &C) -> Result<(), EncodeError> {
        self.as_slice().encode(bytes, context)
    }
}

impl<C: ?Sized, T: Encode<C>> Encode<C> for Option<T> {
    fn encode(&self, bytes: &mut Vec<u8>, context: &C) -> Result<(), EncodeError> {
        bytes.push(u8::from(self.is_some()));
        self.as_ref().map_or(Ok(()), |some| some.encode(bytes, context))
    }
}

impl<C: ?Sized, T: Encode<C>, E: Encode<C>> Encode<C> for Result<T, E> {
    fn encode(&self, bytes: &mut Vec<u8>, context: &C) -> Result<(), EncodeError> {
        bytes.push(u8::from(self.is_err()));
        match self {
            Ok(value) => value.encode(bytes, context),
            Err(error) => error.encode(bytes, context),
        }
    }
}

impl<C: ?Sized> Encode<C> for () {
    fn encode(&self, _: &mut Vec<u8>, _: &C) -> Result<(), EncodeError> {
        Ok(())
    }
}

macro_rules! tuples {
    ($($field:ident)+) => {
        impl<C: ?Sized, $($field: Encode<C>),+> Encode<C> for ($($field,)+) {
            fn encode(&self, bytes: &mut Vec<u8>, context: &C) -> Result<(), EncodeError> {
                #[expect(non_snake_case, reason = "one name for a type and its value")]
                let ($($field,)+) = self;
                $($field.encode(bytes, context)?;)+
                Ok(())
            }
        }
    };
}

tuples!(A);
tuples!(A B);
tuples!(A B D);
tuples!(A B D E);
tuples!(A B D E F);
tuples!(A B D E F G);
tuples!(A B D E F G H);
tuples!(A B D E F G H I);
tuples!(A B D E F G H I J);
tuples!(A B D E F G H I J K);
tuples!(A B D E F G H I J K L);
tuples!(A B D E F G H I J K L M);
