//! Conversion of encoded values to values of Python.

use isolette::encoding::{Decode, Decoder, InvalidValue, flags_size};
use isolette_interface::{Kind, Type};
use pyo3::{
    IntoPyObjectExt as _,
    prelude::*,
    types::{PyBytes, PyDict, PyList, PyTuple},
};

use super::{Conversion, Object, snake};

/// Why arguments cannot be converted.
pub(crate) enum Failure {
    /// The guest sent something else.
    Invalid(InvalidValue),
    Python(PyErr),
}

impl From<InvalidValue> for Failure {
    fn from(error: InvalidValue) -> Self {
        Self::Invalid(error)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl Conversion<'_> {
    /// Decodes the next value of this type.
    pub(crate) fn decode<'py>(
        &self,
        py: Python<'py>,
        kind: &Type,
        decoder: &mut Decoder<'_>,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        let decoder = &mut *decoder;
        match kind {
            Type::Bool => plain::<bool>(py, decoder),
            Type::U8 => plain::<u8>(py, decoder),
            Type::U16 => plain::<u16>(py, decoder),
            Type::U32 => plain::<u32>(py, decoder),
            Type::U64 => plain::<u64>(py, decoder),
            Type::S8 => plain::<i8>(py, decoder),
            Type::S16 => plain::<i16>(py, decoder),
            Type::S32 => plain::<i32>(py, decoder),
            Type::S64 => plain::<i64>(py, decoder),
            Type::F32 => plain::<f32>(py, decoder),
            Type::F64 => plain::<f64>(py, decoder),
            Type::Char => plain::<char>(py, decoder),
            Type::String => plain::<String>(py, decoder),
            Type::List(element) => self.decode_list(py, element, decoder),
            Type::Option(some) => match decoder.discriminant(2)? {
                0 => Ok(py.None().into_bound(py)),
                _ if self.is_option(some) => single(py, "some", self.decode(py, some, decoder)?),
                _ => self.decode(py, some, decoder),
            },
            Type::Tuple(kinds) => {
                let fields = kinds.iter().map(|kind| self.decode(py, kind, decoder)).collect::<Result<Vec<_>, _>>()?;
                Ok(PyTuple::new(py, fields)?.into_any())
            }
            Type::Result { ok, error } => {
                let (name, kind) = if decoder.discriminant(2)? == 0 { ("ok", ok) } else { ("error", error) };
                single(py, name, self.decode_payload(py, kind.as_deref(), decoder)?)
            }
            Type::Own(definition) => {
                let handle = u32::decode(decoder, self.resources)?;
                Ok(self.resources.take::<Object>(*definition, handle)?.get(py).ok_or(InvalidValue::Handle)?)
            }
            Type::Borrow(definition) => {
                let handle = u32::decode(decoder, self.resources)?;
                Ok(self.resources.borrow::<Object>(*definition, handle)?.get(py).ok_or(InvalidValue::Handle)?)
            }
            Type::Named(place) => {
                let definition = self.values.interface.types.get(*place).ok_or(InvalidValue::Case)?;
                self.decode_named(py, &definition.kind, decoder)
            }
        }
    }

    fn decode_named<'py>(
        &self,
        py: Python<'py>,
        kind: &Kind,
        decoder: &mut Decoder<'_>,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        match kind {
            Kind::Alias { target } => self.decode(py, target, decoder),
            Kind::Record { fields } => {
                let record = PyDict::new(py);
                for field in fields {
                    record.set_item(snake(&field.name), self.decode(py, &field.kind, decoder)?)?;
                }
                Ok(record.into_any())
            }
            Kind::Enum { cases } => {
                let number = decoder.discriminant(cases.len())? as usize;
                let case = cases.get(number).ok_or(InvalidValue::Case)?;
                Ok(case.name.as_str().into_bound_py_any(py)?)
            }
            Kind::Flags { flags } => {
                let set = decoder.take(flags_size(flags.len()))?;
                let is_set = |bit: usize| set[bit / 8] & 1 << (bit % 8) != 0;
                if (flags.len()..set.len() * 8).any(is_set) {
                    return Err(InvalidValue::Flag.into());
                }
                let names = flags.iter().enumerate().filter(|(bit, _)| is_set(*bit));
                Ok(PyList::new(py, names.map(|(_, flag)| flag.name.as_str()).collect::<Vec<_>>())?.into_any())
            }
            Kind::Variant { cases } => {
                let number = decoder.discriminant(cases.len())? as usize;
                let case = cases.get(number).ok_or(InvalidValue::Case)?;
                match &case.kind {
                    Some(kind) => single(py, &case.name, self.decode(py, kind, decoder)?),
                    None => Ok(case.name.as_str().into_bound_py_any(py)?),
                }
            }
            Kind::Resource => Err(InvalidValue::Case.into()),
        }
    }

    fn decode_list<'py>(
        &self,
        py: Python<'py>,
        element: &Type,
        decoder: &mut Decoder<'_>,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        let count = decoder.length()?;
        if *self.values.interface.resolved(element) == Type::U8 {
            return Ok(PyBytes::new(py, decoder.take(count)?).into_any());
        }
        let list = PyList::empty(py);
        for _ in 0..count {
            let remaining = decoder.remaining();
            list.append(self.decode(py, element, decoder)?)?;
            decoder.end_element(remaining)?;
        }
        Ok(list.into_any())
    }

    fn decode_payload<'py>(
        &self,
        py: Python<'py>,
        kind: Option<&Type>,
        decoder: &mut Decoder<'_>,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        kind.map_or_else(|| Ok(py.None().into_bound(py)), |kind| self.decode(py, kind, decoder))
    }

    /// Whether a type is an option, which has another form inside of an option.
    pub(super) fn is_option(&self, kind: &Type) -> bool {
        matches!(self.values.interface.resolved(kind), Type::Option(_))
    }
}

fn plain<'py, T>(py: Python<'py>, decoder: &mut Decoder<'_>) -> Result<Bound<'py, PyAny>, Failure>
where
    T: Decode<()> + IntoPyObject<'py>,
{
    Ok(T::decode(decoder, &())?.into_bound_py_any(py)?)
}

fn single<'py>(py: Python<'py>, name: &str, value: Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>, Failure> {
    let dictionary = PyDict::new(py);
    dictionary.set_item(name, value)?;
    Ok(dictionary.into_any())
}
