//! Why there are no bytes of a value, or no value of bytes.

use core::fmt;

/// What is wrong with bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidValue {
    /// They end within a value.
    TooShort,
    /// There is something behind the last value.
    TooLong,
    /// A boolean is neither 0 nor 1.
    Bool,
    /// A character is no Unicode scalar value.
    Char,
    /// A string is not UTF-8.
    Text,
    /// There is no case of that number.
    Case,
    /// There is no flag for a bit that is set.
    Flag,
    /// There is no resource of that handle and type.
    Handle,
    /// They stand for far more than they are.
    Memory,
}

impl fmt::Display for InvalidValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TooShort => "the bytes end within a value",
            Self::TooLong => "there are bytes behind the last value",
            Self::Bool => "a boolean is neither 0 nor 1",
            Self::Char => "a character is not a Unicode scalar value",
            Self::Text => "a string is not UTF-8",
            Self::Case => "there is no case of that number",
            Self::Flag => "there is no flag for a bit that is set",
            Self::Handle => "there is no such resource (any more)",
            Self::Memory => "the values would take too much memory",
        })
    }
}

impl core::error::Error for InvalidValue {}

/// Why a value cannot be bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// A string or list has 2^32 bytes or elements, or more.
    TooLong,
    /// There are as many live resources as there may be.
    TooManyResources,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TooLong => "a string or list is too long",
            Self::TooManyResources => "there are as many live resources as there may be",
        })
    }
}

impl core::error::Error for EncodeError {}
