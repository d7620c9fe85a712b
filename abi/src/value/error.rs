//! Errors of encoding and decoding.

use core::fmt;

/// Why bytes do not decode as a value of the expected type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidValue {
    /// The bytes end within a value.
    TooShort,
    /// Bytes follow the last value.
    TooLong,
    /// A boolean is neither 0 nor 1.
    Bool,
    /// A character is not a Unicode scalar value.
    Char,
    /// A string is not UTF-8.
    Text,
    /// A discriminant is not the index of a case.
    Case,
    /// A bit is set that belongs to no flag.
    Flag,
    /// A handle does not belong to a live resource of the expected type.
    Handle,
    /// The decoded values would exceed the memory budget, which is a multiple of the length of the bytes.
    Memory,
}

impl fmt::Display for InvalidValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TooShort => "the bytes end within a value",
            Self::TooLong => "bytes follow the last value",
            Self::Bool => "a boolean is neither 0 nor 1",
            Self::Char => "a character is not a Unicode scalar value",
            Self::Text => "a string is not UTF-8",
            Self::Case => "a discriminant is not the index of a case",
            Self::Flag => "a bit is set that belongs to no flag",
            Self::Handle => "the resource does not exist or was dropped",
            Self::Memory => "the values would take too much memory",
        })
    }
}

impl core::error::Error for InvalidValue {}

/// Why a value cannot be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// A string or list has 2^32 bytes or elements, or more.
    TooLong,
    /// The limit on live resources is reached.
    TooManyResources,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TooLong => "a string or list is too long",
            Self::TooManyResources => "the limit on live resources is reached",
        })
    }
}

impl core::error::Error for EncodeError {}
