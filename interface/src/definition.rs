//! The description of an interface.

use serde::{Deserialize, Serialize};

use crate::{Definition, Function, InterfaceName, Kind, Type};

/// The description of an interface: everything that a caller or provider needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interface {
    /// The name: `acme:weather/forecast@1.0.0`.
    pub name: InterfaceName,
    /// The WIT documentation. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// The named types. Each refers only to earlier types, by index.
    pub types: Vec<Definition>,
    /// The functions, in the order of the WIT.
    pub functions: Vec<Function>,
}

impl Interface {
    /// Parses the output of [`Interface::to_json`].
    ///
    /// # Errors
    /// If the text is not such JSON.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Returns the description as one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Serialization cannot fail, because all keys are strings.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the first sentence of the documentation, without the full stop.
    #[must_use]
    pub fn summary(&self) -> &str {
        let paragraph = self.docs.split("\n\n").next().unwrap_or_default();
        paragraph.split_once(". ").map_or(paragraph, |(sentence, _)| sentence).trim_end_matches('.')
    }

    /// Finds a function by its name in the component model. Returns its index in [`Interface::functions`] as well.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<(usize, &Function)> {
        self.functions.iter().enumerate().find(|(_, function)| function.name.as_str() == name)
    }

    /// Finds a named type. Returns its index in [`Interface::types`] as well.
    #[must_use]
    pub fn definition(&self, name: &str) -> Option<(usize, &Definition)> {
        self.types.iter().enumerate().find(|(_, definition)| definition.name == name)
    }

    /// Returns the type with aliases resolved.
    #[must_use]
    pub fn resolved<'a>(&'a self, kind: &'a Type) -> &'a Type {
        match kind {
            Type::Named(place) => match self.types.get(*place).map(|definition| &definition.kind) {
                Some(Kind::Alias { target }) => self.resolved(target),
                _ => kind,
            },
            _ => kind,
        }
    }

    /// Returns the name of the first type or function that contains a tuple of more than `most` fields. Rust implements
    /// traits for tuples of up to twelve fields. A function has its name in the component model.
    #[must_use]
    pub fn first_tuple_wider_than(&self, most: usize) -> Option<&str> {
        let is_wide = |kind: &Type| kind.is_wide(most);
        let defined = self.types.iter().find(|definition| match &definition.kind {
            Kind::Record { fields } => fields.iter().any(|field| is_wide(&field.kind)),
            Kind::Variant { cases } => cases.iter().filter_map(|case| case.kind.as_ref()).any(is_wide),
            Kind::Alias { target } => is_wide(target),
            Kind::Enum { .. } | Kind::Flags { .. } | Kind::Resource => false,
        });
        let function = || {
            let mut functions = self.functions.iter();
            functions.find(|one| one.params.iter().map(|param| &param.kind).chain(&one.result).any(is_wide))
        };
        defined.map(|one| one.name.as_str()).or_else(|| function().map(|one| one.name.as_str()))
    }

    /// Returns a type in WIT syntax: `result<list<u8>, error>`.
    #[must_use]
    pub fn type_as_wit(&self, kind: &Type) -> String {
        let named =
            |index: &usize| self.types.get(*index).map_or("?", |definition| definition.name.as_str()).to_owned();
        match kind {
            Type::List(element) => format!("list<{}>", self.type_as_wit(element)),
            Type::Option(some) => format!("option<{}>", self.type_as_wit(some)),
            Type::Tuple(fields) => {
                format!("tuple<{}>", fields.iter().map(|field| self.type_as_wit(field)).collect::<Vec<_>>().join(", "))
            }
            Type::Result { ok: None, error: None } => "result".to_owned(),
            Type::Result { ok: Some(ok), error: None } => format!("result<{}>", self.type_as_wit(ok)),
            Type::Result { ok, error: Some(error) } => {
                let ok = ok.as_ref().map_or_else(|| "_".to_owned(), |ok| self.type_as_wit(ok));
                format!("result<{ok}, {}>", self.type_as_wit(error))
            }
            Type::Named(index) | Type::Own(index) => named(index),
            Type::Borrow(index) => format!("borrow<{}>", named(index)),
            plain => plain.plain_name().unwrap_or("?").to_owned(),
        }
    }

    /// Returns a function in WIT syntax: `get: func(city: string) -> result<report, error>`.
    #[must_use]
    pub fn signature(&self, function: &Function) -> String {
        let parameters: Vec<_> = function
            .params
            .iter()
            .map(|parameter| format!("{}: {}", parameter.name, self.type_as_wit(&parameter.kind)))
            .collect();
        let result =
            function.result.as_ref().map_or_else(String::new, |kind| format!(" -> {}", self.type_as_wit(kind)));
        format!("{}: func({}){result}", function.name.readable(), parameters.join(", "))
    }
}
