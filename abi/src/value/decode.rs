//! Decoding of values from bytes.

use alloc::{string::String, vec::Vec};

use super::{InvalidValue, discriminant_size};

/// The memory budget for decoding, in bytes, is at least this, however short the input is.
const MINIMUM_MEMORY: usize = 64 << 20;

/// The memory budget for decoding is this multiple of the input length. Numbers take one time their bytes, short strings about
/// eight times.
const MEMORY_FACTOR: usize = 16;

/// The memory charge, in bytes, for a list element that takes no input bytes.
const EMPTY_ELEMENT_MEMORY: usize = 64;

/// A value that can be decoded from bytes. `C` is the context that converts handles to resources.
pub trait Decode<C: ?Sized>: Sized {
    /// Decodes one value and advances the decoder past its bytes.
    ///
    /// # Errors
    /// [`InvalidValue`] if the bytes are not a value of this type.
    fn decode(decoder: &mut Decoder<'_>, context: &C) -> Result<Self, InvalidValue>;

    /// Decodes `count` values, the elements of a list.
    ///
    /// # Errors
    /// [`InvalidValue`] if the bytes are not that many values of this type, or would take too much memory.
    fn decode_many(count: usize, decoder: &mut Decoder<'_>, context: &C) -> Result<Vec<Self>, InvalidValue> {
        let mut values = Vec::new();
        for _ in 0..count {
            if values.len() == values.capacity() {
                // The vector grows with the elements that were read, because the claimed length is untrusted.
                let more = values.len().max(4).min(count - values.len());
                decoder.spend(more.saturating_mul(size_of::<Self>()))?;
                values.reserve_exact(more);
            }
            let remaining = decoder.remaining();
            values.push(Self::decode(decoder, context)?);
            decoder.end_element(remaining)?;
        }
        Ok(values)
    }
}

/// A position in the bytes to decode, with a memory budget that bounds the decoded values.
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    rest: &'a [u8],
    memory: usize,
}

impl<'a> Decoder<'a> {
    /// Starts at the first of `bytes`.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, memory: bytes.len().saturating_mul(MEMORY_FACTOR).max(MINIMUM_MEMORY) }
    }

    /// Takes the next `count` bytes.
    ///
    /// # Errors
    /// [`InvalidValue::TooShort`] if fewer remain.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], InvalidValue> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(InvalidValue::TooShort)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Takes the next `N` bytes.
    ///
    /// # Errors
    /// [`InvalidValue::TooShort`] if fewer remain.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], InvalidValue> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(InvalidValue::TooShort)?;
        self.rest = rest;
        Ok(*taken)
    }

    /// Takes the length of a string in bytes, or of a list in elements.
    ///
    /// # Errors
    /// [`InvalidValue::TooShort`] if fewer than four bytes remain.
    pub fn length(&mut self) -> Result<usize, InvalidValue> {
        self.array().map(|bytes| u32::from_le_bytes(bytes) as usize)
    }

    /// Takes the discriminant of a type with `cases` cases: the index of a case.
    ///
    /// # Errors
    /// [`InvalidValue::TooShort`] if too few bytes remain, [`InvalidValue::Case`] if there is no such case.
    pub fn discriminant(&mut self, cases: usize) -> Result<u32, InvalidValue> {
        let mut case = [0; 4];
        let size = discriminant_size(cases);
        case[..size].copy_from_slice(self.take(size)?);
        let case = u32::from_le_bytes(case);
        if (case as usize) < cases { Ok(case) } else { Err(InvalidValue::Case) }
    }

    /// Checks that all bytes were decoded.
    ///
    /// # Errors
    /// [`InvalidValue::TooLong`] if bytes remain.
    pub fn end(&self) -> Result<(), InvalidValue> {
        if self.rest.is_empty() { Ok(()) } else { Err(InvalidValue::TooLong) }
    }

    /// Returns the number of remaining bytes.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Charges the memory budget for a list element that took no bytes; otherwise four bytes could encode four billion
    /// elements. The caller calls this after each element; `remaining` is [`Decoder::remaining`] before the element.
    ///
    /// # Errors
    /// [`InvalidValue::Memory`] if the budget is used up.
    pub fn end_element(&mut self, remaining: usize) -> Result<(), InvalidValue> {
        if remaining == self.rest.len() { self.spend(EMPTY_ELEMENT_MEMORY) } else { Ok(()) }
    }

    fn spend(&mut self, memory: usize) -> Result<(), InvalidValue> {
        self.memory = self.memory.checked_sub(memory).ok_or(InvalidValue::Memory)?;
        Ok(())
    }
}

/// Decodes a value that must fill `bytes` exactly.
///
/// # Errors
/// [`InvalidValue`] if the bytes are not one value of this type.
pub fn decode_all<C: ?Sized, T: Decode<C>>(bytes: &[u8], context: &C) -> Result<T, InvalidValue> {
    let mut decoder = Decoder::new(bytes);
    let value = T::decode(&mut decoder, context)?;
    decoder.end().map(|()| value)
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl<C: ?Sized> Decode<C> for $number {
            fn decode(decoder: &mut Decoder<'_>, _: &C) -> Result<Self, InvalidValue> {
                decoder.array().map(Self::from_le_bytes)
            }

            fn decode_many(count: usize, decoder: &mut Decoder<'_>, _: &C) -> Result<Vec<Self>, InvalidValue> {
                const SIZE: usize = size_of::<$number>();
                let (numbers, _) = decoder.take(count.saturating_mul(SIZE))?.as_chunks::<SIZE>();
                Ok(numbers.iter().map(|bytes| Self::from_le_bytes(*bytes)).collect())
            }
        }
    )*};
}

numbers!(u16 u32 u64 i8 i16 i32 i64 f32 f64);

impl<C: ?Sized> Decode<C> for u8 {
    fn decode(decoder: &mut Decoder<'_>, _: &C) -> Result<Self, InvalidValue> {
        decoder.array().map(|[byte]| byte)
    }

    fn decode_many(count: usize, decoder: &mut Decoder<'_>, _: &C) -> Result<Vec<Self>, InvalidValue> {
        decoder.take(count).map(<[u8]>::to_vec)
    }
}

impl<C: ?Sized> Decode<C> for bool {
    fn decode(decoder: &mut Decoder<'_>, _: &C) -> Result<Self, InvalidValue> {
        match decoder.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(InvalidValue::Bool),
        }
    }
}

impl<C: ?Sized> Decode<C> for char {
    fn decode(decoder: &mut Decoder<'_>, _: &C) -> Result<Self, InvalidValue> {
        Self::from_u32(u32::from_le_bytes(decoder.array()?)).ok_or(InvalidValue::Char)
    }
}

impl<C: ?Sized> Decode<C> for String {
    fn decode(decoder: &mut Decoder<'_>, _: &C) -> Result<Self, InvalidValue> {
        let length = decoder.length()?;
        let text = core::str::from_utf8(decoder.take(length)?).map_err(|_| InvalidValue::Text)?;
        Ok(text.into())
    }
}

impl<C: ?Sized, T: Decode<C>> Decode<C> for Vec<T> {
    fn decode(decoder: &mut Decoder<'_>, context: &C) -> Result<Self, InvalidValue> {
        let count = decoder.length()?;
        T::decode_many(count, decoder, context)
    }
}

impl<C: ?Sized, T: Decode<C>> Decode<C> for Option<T> {
    fn decode(decoder: &mut Decoder<'_>, context: &C) -> Result<Self, InvalidValue> {
        match decoder.discriminant(2)? {
            0 => Ok(None),
            _ => T::decode(decoder, context).map(Some),
        }
    }
}

impl<C: ?Sized, T: Decode<C>, E: Decode<C>> Decode<C> for Result<T, E> {
    fn decode(decoder: &mut Decoder<'_>, context: &C) -> Result<Self, InvalidValue> {
        match decoder.discriminant(2)? {
            0 => T::decode(decoder, context).map(Ok),
            _ => E::decode(decoder, context).map(Err),
        }
    }
}

impl<C: ?Sized> Decode<C> for () {
    fn decode(_: &mut Decoder<'_>, _: &C) -> Result<Self, InvalidValue> {
        Ok(())
    }
}

macro_rules! tuples {
    ($($field:ident)+) => {
        impl<C: ?Sized, $($field: Decode<C>),+> Decode<C> for ($($field,)+) {
            fn decode(decoder: &mut Decoder<'_>, context: &C) -> Result<Self, InvalidValue> {
                Ok(($($field::decode(decoder, context)?,)+))
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

#[cfg(test)]
mod tests {
    use alloc::{borrow::ToOwned, vec};

    use proptest::prelude::*;

    use super::*;
    use crate::value::Encode;

    type Shape = Vec<(Option<String>, Result<Vec<f64>, char>, (i8, u16, i64), Option<Option<bool>>)>;

    fn bytes<T: Encode<()>>(value: &T) -> Vec<u8> {
        let mut bytes = Vec::new();
        value.encode(&mut bytes, &()).unwrap();
        bytes
    }

    #[test]
    fn the_layout_is_as_documented() {
        assert_eq!(
            bytes(&(1_u8, 2_u16, -3_i32, "é".to_owned())),
            [1, 2, 0, 0xfd, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0xc3, 0xa9]
        );
        assert_eq!(bytes(&vec![Some('a'), None]), [2, 0, 0, 0, 1, 0x61, 0, 0, 0, 0]);
        assert_eq!(bytes(&Err::<(), _>(1.0_f32)), [1, 0, 0, 0x80, 0x3f]);
        assert_eq!((discriminant_size(256), discriminant_size(257), discriminant_size(65_537)), (1, 2, 4));
    }

    #[test]
    fn errors_distinguish_the_causes() {
        assert_eq!(decode_all::<(), bool>(&[2], &()), Err(InvalidValue::Bool));
        assert_eq!(decode_all::<(), char>(&[0, 0xd8, 0, 0], &()), Err(InvalidValue::Char));
        assert_eq!(decode_all::<(), String>(&[1, 0, 0, 0, 0xff], &()), Err(InvalidValue::Text));
        assert_eq!(decode_all::<(), Option<u8>>(&[2, 0], &()), Err(InvalidValue::Case));
        assert_eq!(decode_all::<(), u16>(&[2], &()), Err(InvalidValue::TooShort));
        assert_eq!(decode_all::<(), u8>(&[2, 0], &()), Err(InvalidValue::TooLong));
        let false_length = [0xff, 0xff, 0xff, 0xff, 7];
        assert_eq!(decode_all::<(), Vec<u64>>(&false_length, &()), Err(InvalidValue::TooShort));
        assert_eq!(decode_all::<(), Vec<String>>(&false_length, &()), Err(InvalidValue::TooShort));
    }

    #[test]
    fn decoded_values_are_bounded_by_the_length_of_the_bytes() {
        let elements = 8 << 20;
        let mut message = (elements as u32).to_le_bytes().to_vec();
        message.resize(4 + elements, 0);
        assert_eq!(decode_all::<(), Vec<Option<(u64, u64, u64, u64)>>>(&message, &()), Err(InvalidValue::Memory));
        assert!(decode_all::<(), Vec<Option<u8>>>(&message, &()).is_ok());
    }

    #[test]
    fn elements_without_bytes_are_charged() {
        let all = u32::MAX.to_le_bytes();
        assert_eq!(decode_all::<(), Vec<()>>(&all, &()), Err(InvalidValue::Memory));
        assert_eq!(decode_all::<(), Vec<((), ())>>(&all, &()), Err(InvalidValue::Memory));
        assert_eq!(decode_all::<(), Vec<()>>(&1000_u32.to_le_bytes(), &()), Ok(vec![(); 1000]));
    }

    proptest! {
        #[test]
        fn values_survive_encoding_and_decoding(value: Shape) {
            let encoded = bytes(&value);
            let decoded: Shape = decode_all(&encoded, &()).unwrap();
            prop_assert_eq!(bytes(&decoded), encoded);
        }

        #[test]
        fn arbitrary_bytes_do_not_panic(message: Vec<u8>) {
            if let Ok(value) = decode_all::<(), Shape>(&message, &()) {
                prop_assert_eq!(bytes(&value), message);
            }
        }
    }
}
