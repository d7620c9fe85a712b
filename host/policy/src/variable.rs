//! Checks the names of variables.

use isolette_types::Error;

/// Checks that a program can have a global of this name: an identifier in all languages, of at most 128 bytes.
///
/// # Errors
/// [`Error::InvalidArgument`] if it cannot.
pub fn check_variable(name: &str) -> Result<(), Error> {
    let mut characters = name.chars();
    let first = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    if first && name.len() <= 128 && characters.all(|other| other.is_ascii_alphanumeric() || other == '_') {
        return Ok(());
    }
    Err(Error::invalid(
        format!("`{}` cannot be the name of a variable", name.escape_debug()),
        "use letters, digits and `_`, not beginning with a digit, at most 128",
    ))
}
