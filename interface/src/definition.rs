//! An interface as a whole.

use serde::{Deserialize, Serialize};

use crate::{Definition, Function, InterfaceName, Kind, Type};

/// Everything that whoever calls or serves an interface must know of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interface {
    /// `acme:weather/forecast@1.0.0`.
    pub name: InterfaceName,
    /// What its author says of it. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// Its types with a name. Each refers only to types before it.
    pub types: Vec<Definition>,
    /// In the order of the WIT.
    pub functions: Vec<Function>,
}

impl Interface {
    /// Reads what [`Interface::to_json`] wrote.
    ///
    /// # Errors
    /// If the text is something else.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// As one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Nothing in it can fail to be written: its keys are strings.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The first sentence of what its author says of it.
    #[must_use]
    pub fn summary(&self) -> &str {
        let paragraph = self.docs.split("\n\n").next().unwrap_or_default();
        paragraph.split_once(". ").map_or(paragraph, |(sentence, _)| sentence).trim_end_matches('.')
    }

    /// A function by its name in the component model, and its place.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<(usize, &Function)> {
        self.functions.iter().enumerate().find(|(_, function)| function.name.as_str() == name)
    }

    /// A type with a name, and its place.
    #[must_use]
    pub fn definition(&self, name: &str) -> Option<(usize, &Definition)> {
        self.types.iter().enumerate().find(|(_, definition)| definition.name == name)
    }

    /// What stands behind names for other types.
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

    /// The first type or function that has a tuple of more than `most` fields: Rust knows what to do with tuples of up to
    /// twelve. The function is called as in the component model.
    #[must_use]
    pub fn wider_tuple(&self, most: usize) -> Option<&str> {
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

    /// A type as WIT writes it: `result<list<u8>, error>`.
    #[must_use]
    pub fn spell(&self, kind: &Type) -> String {
        let named =
            |index: &usize| self.types.get(*index).map_or("?", |definition| definition.name.as_str()).to_owned();
        match kind {
            Type::List(element) => format!("list<{}>", self.spell(element)),
            Type::Option(some) => format!("option<{}>", self.spell(some)),
            Type::Tuple(fields) => {
                format!("tuple<{}>", fields.iter().map(|field| self.spell(field)).collect::<Vec<_>>().join(", "))
            }
            Type::Result { ok: None, error: None } => "result".to_owned(),
            Type::Result { ok: Some(ok), error: None } => format!("result<{}>", self.spell(ok)),
            Type::Result { ok, error: Some(error) } => {
                let ok = ok.as_ref().map_or_else(|| "_".to_owned(), |ok| self.spell(ok));
                format!("result<{ok}, {}>", self.spell(error))
            }
            Type::Named(index) | Type::Own(index) => named(index),
            Type::Borrow(index) => format!("borrow<{}>", named(index)),
            plain => plain.plain_name().unwrap_or("?").to_owned(),
        }
    }

    /// A function as WIT writes it: `get: func(city: string) -> result<report, error>`.
    #[must_use]
    pub fn signature(&self, function: &Function) -> String {
        let parameters: Vec<_> = function
            .params
            .iter()
            .map(|parameter| format!("{}: {}", parameter.name, self.spell(&parameter.kind)))
            .collect();
        let result = function.result.as_ref().map_or_else(String::new, |kind| format!(" -> {}", self.spell(kind)));
        format!("{}: func({}){result}", function.name.readable(), parameters.join(", "))
    }
}
