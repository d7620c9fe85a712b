//! Values of custom interfaces as bytes.
//!
//! A fixed layout, so that whoever knows the type can read and write it in any language with little code: everything is
//! little-endian, nothing is aligned, and nothing says what it is. docs/capabilities.md has the whole of it.
//!
//! Decoding must never panic, nor allocate more than a bounded multiple of what it is given: the bytes come from code that
//! nobody trusts.

mod decode;
mod encode;
mod error;

pub use decode::{Decode, Decoder, decode_all};
pub use encode::{Encode, encode_discriminant, encode_length};
pub use error::{EncodeError, InvalidValue};

/// How many bytes the discriminant of a type with so many cases takes.
#[must_use]
pub const fn discriminant_size(cases: usize) -> usize {
    match cases {
        ..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    }
}

/// How many bytes so many flags take.
#[must_use]
pub const fn flags_size(flags: usize) -> usize {
    flags.div_ceil(8)
}
