//! Binary encoding of the values of interfaces that the embedder defines.
//!
//! The layout is fixed, so that little code in any language can read and write values of a known type: numbers are
//! little-endian, nothing is aligned, and the bytes carry no type information. docs/capabilities.md specifies the layout.
//!
//! Decoding must never panic, and must never allocate more than a bounded multiple of the input length, because the bytes come
//! from untrusted code.

mod decode;
mod encode;
mod error;

pub use decode::{Decode, Decoder, decode_all};
pub use encode::{Encode, encode_discriminant, encode_length};
pub use error::{EncodeError, InvalidValue};

/// Returns the size in bytes of the discriminant of a type with the given number of cases.
#[must_use]
pub const fn discriminant_size(cases: usize) -> usize {
    match cases {
        ..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    }
}

/// Returns the size in bytes of a value with the given number of flags.
#[must_use]
pub const fn flags_size(flags: usize) -> usize {
    flags.div_ceil(8)
}
