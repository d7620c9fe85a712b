//! Values of Python as JSON, and back.
//!
//! Nothing is changed silently: a value that JSON cannot represent is an error that names its place.

use std::fmt::Write as _;

use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple},
};
use serde::Serialize;
use serde_json::{Map, Number, Value};

/// How deeply values can be nested, in both directions: less than makes Python's own recursion fail.
const DEPTH: usize = 200;

static PLAIN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Converts a value of Python to JSON. `what` names it in errors.
pub(crate) fn to_json(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Value> {
    Place { what, parent: None, step: Step::Whole, depth: 0 }.convert(value)
}

/// Converts JSON to values of Python.
pub(crate) fn from_json<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    from_json_at(py, value, 0)
}

/// Converts anything that can be serialised.
pub(crate) fn serialized<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let value = serde_json::to_value(value).map_err(|error| PyValueError::new_err(error.to_string()))?;
    from_json(py, &value)
}

fn from_json_at<'py>(py: Python<'py>, value: &Value, depth: usize) -> PyResult<Bound<'py, PyAny>> {
    if depth > DEPTH {
        return Err(PyValueError::new_err(format!("a value of the program is nested more than {DEPTH} levels deep")));
    }
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            (None, None) => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(from_json_at(py, item, depth + 1)?)?;
            }
            list.into_any()
        }
        Value::Object(fields) => {
            let dictionary = PyDict::new(py);
            for (name, field) in fields {
                dictionary.set_item(name, from_json_at(py, field, depth + 1)?)?;
            }
            dictionary.into_any()
        }
    })
}

/// Where a value is, for errors.
struct Place<'a> {
    what: &'a str,
    parent: Option<&'a Place<'a>>,
    step: Step<'a>,
    depth: usize,
}

enum Step<'a> {
    Whole,
    Key(&'a str),
    Index(usize),
}

impl Place<'_> {
    fn convert(&self, value: &Bound<'_, PyAny>) -> PyResult<Value> {
        if self.depth > DEPTH {
            let message = format!("{} is nested more than {DEPTH} levels deep, or contains itself", self.what);
            return Err(PyValueError::new_err(message));
        }
        if value.is_none() {
            Ok(Value::Null)
        } else if let Ok(value) = value.cast::<PyBool>() {
            Ok(Value::Bool(value.is_true()))
        } else if let Ok(text) = value.cast::<PyString>() {
            self.text(text).map(Value::String)
        } else if value.is_instance_of::<PyInt>() {
            self.integer(value)
        } else if let Ok(number) = value.cast::<PyFloat>() {
            Number::from_f64(number.value())
                .map(Value::Number)
                .ok_or_else(|| PyValueError::new_err(format!("{self} is {value}, which JSON does not have")))
        } else if let Ok(dictionary) = value.cast::<PyDict>() {
            // A copy, because converting a value can run functions that change the dictionary.
            let items = dictionary.items();
            self.fields(items.iter().map(|item| item.extract()).collect::<PyResult<Vec<_>>>()?)
        } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            self.items(value)
        } else if let Ok(mapping) = value.cast::<PyMapping>() {
            let items = mapping.items()?;
            let items = items.iter().map(|item| item.extract()).collect::<PyResult<Vec<_>>>()?;
            self.fields(items)
        } else {
            self.plain(value)
        }
    }

    fn text(&self, text: &Bound<'_, PyString>) -> PyResult<String> {
        text.to_cow()
            .map(std::borrow::Cow::into_owned)
            .map_err(|_| PyValueError::new_err(format!("{self} has surrogates, which UTF-8 does not have")))
    }

    fn integer(&self, value: &Bound<'_, PyAny>) -> PyResult<Value> {
        if let Ok(number) = value.extract::<i64>() {
            return Ok(number.into());
        }
        value.extract::<u64>().map(Value::from).map_err(|_| {
            let message = format!("{self} is an integer of more than 64 bits\nhint: pass it as text");
            PyValueError::new_err(message)
        })
    }

    fn items(&self, sequence: &Bound<'_, PyAny>) -> PyResult<Value> {
        let items = sequence.try_iter()?.enumerate();
        items
            .map(|(index, item)| self.at(Step::Index(index)).convert(&item?))
            .collect::<PyResult<_>>()
            .map(Value::Array)
    }

    fn fields<'py>(&self, fields: impl IntoIterator<Item = (Bound<'py, PyAny>, Bound<'py, PyAny>)>) -> PyResult<Value> {
        let mut map = Map::new();
        for (key, field) in fields {
            let Ok(key) = key.cast::<PyString>() else {
                let kind = key.get_type().name()?;
                return Err(PyTypeError::new_err(format!("{self} has a key that is of type {kind}, not str")));
            };
            let key = self.text(key)?;
            let field = self.at(Step::Key(&key)).convert(&field)?;
            map.insert(key, field);
        }
        Ok(Value::Object(map))
    }

    /// Converts dataclasses, models of Pydantic and enumerations, which Python does better.
    fn plain(&self, value: &Bound<'_, PyAny>) -> PyResult<Value> {
        let py = value.py();
        let plain = PLAIN.import(py, "isolette._values", "plain")?;
        let plain = plain.call1((value, self.to_string()))?;
        Place { what: self.what, parent: Some(self), step: Step::Whole, depth: self.depth + 1 }.convert(&plain)
    }

    fn at<'a>(&'a self, step: Step<'a>) -> Place<'a> {
        Place { what: self.what, parent: Some(self), step, depth: self.depth + 1 }
    }
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut steps = Vec::new();
        let mut place = Some(self);
        while let Some(at) = place {
            steps.push(&at.step);
            place = at.parent;
        }
        let mut path = String::new();
        for step in steps.into_iter().rev() {
            match step {
                Step::Whole => {}
                Step::Key(key) => write!(path, "[{key:?}]")?,
                Step::Index(index) => write!(path, "[{index}]")?,
            }
        }
        write!(formatter, "{}{path}", self.what)
    }
}
