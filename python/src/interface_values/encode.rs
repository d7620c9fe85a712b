//! Conversion of values of Python to encoded values.

use isolette::encoding::{Encode, encode_discriminant, encode_length, flags_size};
use isolette_interface::{Case, Field, Kind, Label, Type};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBool, PyByteArray, PyBytes, PyInt, PyList, PyMapping, PyMemoryView, PyString, PyTuple},
};

use super::{Conversion, Object, snake};

/// The number of characters of a value that an error contains.
const SHOWN: usize = 60;

type Bytes = Vec<u8>;

impl Conversion<'_> {
    /// Encodes a value as this type and appends it to `bytes`. `path` is the position of the value in errors, which are
    /// `TypeError`s that name it.
    pub(crate) fn encode(&self, kind: &Type, value: &Bound<'_, PyAny>, path: &str, bytes: &mut Bytes) -> PyResult<()> {
        let mismatch = || self.mismatch(kind, value, path);
        match kind {
            Type::Bool => plain(value.cast::<PyBool>().map_err(|_| mismatch())?.is_true(), bytes),
            Type::U8 => plain(integer::<u8>(value).ok_or_else(mismatch)?, bytes),
            Type::U16 => plain(integer::<u16>(value).ok_or_else(mismatch)?, bytes),
            Type::U32 => plain(integer::<u32>(value).ok_or_else(mismatch)?, bytes),
            Type::U64 => plain(integer::<u64>(value).ok_or_else(mismatch)?, bytes),
            Type::S8 => plain(integer::<i8>(value).ok_or_else(mismatch)?, bytes),
            Type::S16 => plain(integer::<i16>(value).ok_or_else(mismatch)?, bytes),
            Type::S32 => plain(integer::<i32>(value).ok_or_else(mismatch)?, bytes),
            Type::S64 => plain(integer::<i64>(value).ok_or_else(mismatch)?, bytes),
            Type::F32 => {
                let number = float(value).ok_or_else(mismatch)?;
                let narrow = number as f32;
                if narrow.is_infinite() && number.is_finite() {
                    return Err(mismatch());
                }
                plain(narrow, bytes)
            }
            Type::F64 => plain(float(value).ok_or_else(mismatch)?, bytes),
            Type::Char => {
                let text = text(value).ok_or_else(mismatch)?;
                let mut characters = text.chars();
                let (Some(one), None) = (characters.next(), characters.next()) else { return Err(mismatch()) };
                plain(one, bytes)
            }
            Type::String => plain(text(value).ok_or_else(mismatch)?, bytes),
            Type::List(element) => {
                if *self.values.interface.resolved(element) == Type::U8
                    && let Some(octets) = octets(value)
                {
                    length(octets.len(), path, bytes)?;
                    bytes.extend_from_slice(&octets);
                    return Ok(());
                }
                let items = items(value)?.ok_or_else(mismatch)?;
                length(items.len(), path, bytes)?;
                let mut items = items.iter().enumerate();
                items.try_for_each(|(index, item)| self.encode(element, item, &format!("{path}[{index}]"), bytes))
            }
            Type::Option(_) if value.is_none() => plain(0_u8, bytes),
            Type::Option(some) => {
                bytes.push(1);
                if !self.is_option(some) {
                    return self.encode(some, value, path, bytes);
                }
                match only(value)?.as_ref().map(|(name, inner)| (name.as_str(), inner)) {
                    Some(("some", inner)) => self.encode(some, inner, path, bytes),
                    _ => Err(mismatch()),
                }
            }
            Type::Tuple(kinds) => {
                let fields = items(value)?.filter(|fields| fields.len() == kinds.len()).ok_or_else(mismatch)?;
                let mut fields = kinds.iter().zip(&fields).enumerate();
                fields
                    .try_for_each(|(index, (kind, field))| self.encode(kind, field, &format!("{path}.{index}"), bytes))
            }
            Type::Result { ok, error } => {
                let (name, inner) = only(value)?.ok_or_else(mismatch)?;
                match name.as_str() {
                    "ok" => self.encode_result(Ok(&inner), (ok.as_deref(), error.as_deref()), path, bytes),
                    "error" => self.encode_result(Err(&inner), (ok.as_deref(), error.as_deref()), path, bytes),
                    _ => Err(mismatch()),
                }
            }
            Type::Own(definition) => {
                let class = self.values.classes.get(*definition).and_then(Option::as_ref).ok_or_else(mismatch)?;
                if !value.is_instance(class.bind(value.py()))? {
                    return Err(mismatch());
                }
                let handle = self.resources.give(*definition, Object::new(value));
                plain(handle.map_err(|error| PyTypeError::new_err(format!("{path}: {error}")))?, bytes)
            }
            // A result cannot be borrowed.
            Type::Borrow(_) => Err(mismatch()),
            Type::Named(place) => match self.values.interface.types.get(*place).map(|definition| &definition.kind) {
                Some(Kind::Alias { target }) => self.encode(target, value, path, bytes),
                Some(Kind::Record { fields }) => self.encode_record(fields, value, path, bytes)?.ok_or_else(mismatch),
                Some(Kind::Enum { cases }) => {
                    let name = label(value)?.ok_or_else(mismatch)?;
                    let number = cases.iter().position(|case| is_named(&case.name, &name)).ok_or_else(mismatch)?;
                    encode_discriminant(bytes, number as u32, cases.len());
                    Ok(())
                }
                Some(Kind::Flags { flags }) => {
                    bytes.extend_from_slice(&set_of(flags, value)?.ok_or_else(mismatch)?);
                    Ok(())
                }
                Some(Kind::Variant { cases }) => {
                    let (case, inner) = self.case(cases, value)?.ok_or_else(mismatch)?;
                    encode_discriminant(bytes, case as u32, cases.len());
                    match (&cases[case].kind, inner) {
                        (Some(kind), Some(inner)) => {
                            self.encode(kind, &inner, &format!("{path}.{}", cases[case].name), bytes)
                        }
                        (Some(Type::Option(_)), None) => plain(0_u8, bytes),
                        (None, None) => Ok(()),
                        (None, Some(inner)) if inner.is_none() => Ok(()),
                        _ => Err(mismatch()),
                    }
                }
                Some(Kind::Resource) | None => Err(mismatch()),
            },
        }
    }

    /// Encodes what a function returned, or the error that it raised.
    pub(crate) fn encode_result(
        &self,
        value: Result<&Bound<'_, PyAny>, &Bound<'_, PyAny>>,
        (ok, error): (Option<&Type>, Option<&Type>),
        path: &str,
        bytes: &mut Bytes,
    ) -> PyResult<()> {
        let (case, kind, value) = match value {
            Ok(value) => (0, ok, value),
            Err(value) => (1, error, value),
        };
        bytes.push(case);
        match kind {
            Some(kind) => self.encode(kind, value, path, bytes),
            None if value.is_none() => Ok(()),
            None => Err(PyTypeError::new_err(format!("{path}: expected None, found {}", shown(value)))),
        }
    }

    /// `None` if the value has no fields. Mappings must not have others; objects may.
    fn encode_record(
        &self,
        fields: &[Field],
        value: &Bound<'_, PyAny>,
        path: &str,
        bytes: &mut Bytes,
    ) -> PyResult<Option<()>> {
        let py = value.py();
        let mapping = value.cast::<PyMapping>().ok();
        if let Some(mapping) = mapping {
            for key in mapping.keys()?.iter() {
                let known = text(&key).is_some_and(|key| fields.iter().any(|field| is_named(&field.name, &key)));
                if !known {
                    let names = fields.iter().map(|field| snake(&field.name)).collect::<Vec<_>>().join(", ");
                    let message = format!("{path}: expected the fields {names}, found also {}", shown(&key));
                    return Err(PyTypeError::new_err(message));
                }
            }
        } else if value.is_none() || value.is_instance_of::<PyString>() || value.is_instance_of::<PyInt>() {
            return Ok(None);
        }
        for field in fields {
            let name = snake(&field.name);
            let inner = match mapping {
                Some(mapping) if mapping.contains(&name)? => Some(mapping.get_item(&name)?),
                Some(mapping) if mapping.contains(&field.name)? => Some(mapping.get_item(&field.name)?),
                Some(_) => None,
                None => value.getattr_opt(name.as_str())?,
            };
            let path = format!("{path}.{}", field.name);
            let inner = match inner {
                Some(inner) => inner,
                None if self.is_option(&field.kind) => py.None().into_bound(py),
                None => {
                    let expected = self.values.interface.type_as_wit(&field.kind);
                    return Err(PyTypeError::new_err(format!("{path}: expected {expected}, found nothing")));
                }
            };
            self.encode(&field.kind, &inner, &path, bytes)?;
        }
        Ok(Some(()))
    }

    /// The number of the case of a variant, and its value.
    fn case<'py>(
        &self,
        cases: &[Case],
        value: &Bound<'py, PyAny>,
    ) -> PyResult<Option<(usize, Option<Bound<'py, PyAny>>)>> {
        let (name, inner) = match (label(value)?, only(value)?) {
            (Some(name), _) => (name, None),
            (None, Some((name, inner))) => (name, Some(inner)),
            (None, None) => return Ok(None),
        };
        Ok(cases.iter().position(|case| is_named(&case.name, &name)).map(|case| (case, inner)))
    }

    fn mismatch(&self, kind: &Type, value: &Bound<'_, PyAny>, path: &str) -> PyErr {
        let expected = self.values.interface.type_as_wit(kind);
        PyTypeError::new_err(format!("{path}: expected {expected}, found {}", shown(value)))
    }
}

fn plain(value: impl Encode<()>, bytes: &mut Bytes) -> PyResult<()> {
    value.encode(bytes, &()).map_err(|error| PyTypeError::new_err(error.to_string()))
}

fn length(length: usize, path: &str, bytes: &mut Bytes) -> PyResult<()> {
    encode_length(bytes, length).map_err(|error| PyTypeError::new_err(format!("{path}: {error}")))
}

/// An integer of Python, or of another package; no truth value.
fn integer<'py, T>(value: &Bound<'py, PyAny>) -> Option<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    if value.is_instance_of::<PyBool>() { None } else { value.extract().ok() }
}

fn float(value: &Bound<'_, PyAny>) -> Option<f64> {
    if value.is_instance_of::<PyBool>() { None } else { value.extract().ok() }
}

fn text(value: &Bound<'_, PyAny>) -> Option<String> {
    value.cast::<PyString>().ok()?.to_str().ok().map(str::to_owned)
}

/// A name: text, or a member of an enumeration whose value is text.
fn label(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if let Some(text) = text(value) {
        return Ok(Some(text));
    }
    if value.cast::<PyMapping>().is_ok() {
        return Ok(None);
    }
    Ok(value.getattr_opt("value")?.and_then(|value| text(&value)))
}

fn is_named(name: &str, given: &str) -> bool {
    name == given || snake(name) == given
}

fn octets(value: &Bound<'_, PyAny>) -> Option<Vec<u8>> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Some(bytes.as_bytes().to_vec());
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        return Some(bytes.to_vec());
    }
    // Other views have no bytes as items.
    let is_of_bytes =
        |view: &Bound<'_, PyMemoryView>| view.getattr("itemsize")?.extract::<usize>().map(|size| size == 1);
    let view = value.cast::<PyMemoryView>().ok().filter(|view| is_of_bytes(view).unwrap_or(false))?;
    view.call_method0("tobytes").ok()?.cast::<PyBytes>().ok().map(|bytes| bytes.as_bytes().to_vec())
}

/// The items of a list, a tuple or another sequence that says its length; no text, and no mapping.
fn items<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return value.try_iter()?.collect::<PyResult<_>>().map(Some);
    }
    if value.is_instance_of::<PyString>() || value.cast::<PyMapping>().is_ok() || value.len().is_err() {
        return Ok(None);
    }
    match value.try_iter() {
        Ok(items) => items.collect::<PyResult<_>>().map(Some),
        Err(_) => Ok(None),
    }
}

/// The key and the value of a mapping with one.
fn only<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<(String, Bound<'py, PyAny>)>> {
    let Ok(mapping) = value.cast::<PyMapping>() else { return Ok(None) };
    if mapping.len()? != 1 {
        return Ok(None);
    }
    let (key, inner): (Bound<'py, PyAny>, Bound<'py, PyAny>) = mapping.items()?.get_item(0)?.extract()?;
    Ok(text(&key).map(|key| (key, inner)))
}

/// The bits of the names that are set.
fn set_of(flags: &[Label], value: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    let Some(names) = items(value)? else { return Ok(None) };
    let mut set = vec![0_u8; flags_size(flags.len())];
    for name in names {
        let name = label(&name)?;
        let bit = name.and_then(|name| flags.iter().position(|flag| is_named(&flag.name, &name)));
        let Some(bit) = bit else { return Ok(None) };
        set[bit / 8] |= 1 << (bit % 8);
    }
    Ok(Some(set))
}

/// A value for an error, cut.
fn shown(value: &Bound<'_, PyAny>) -> String {
    let text = value.repr().map_or_else(|_| "a value without a representation".to_owned(), |text| text.to_string());
    if text.chars().count() <= SHOWN { text } else { format!("{} …", text.chars().take(SHOWN).collect::<String>()) }
}
