//! JSON values as the validator reads them, with a limit on how much it reads.
//!
//! The author of the schema and the author of the value decide how long validation takes and how many mistakes it
//! finds, by nested choices, deep values and long lists. So each read of a part of a value counts as a step, and a list
//! or an object gives the validator no more of its parts once a few of them were found to be wrong. Reads and messages
//! are then bounded by the schema, not by the value.
//!
//! The memory of the validator has limits of its own: it copies the value of each mistake, with the names of members that are not
//! allowed and the choices of the schema; it keeps the members that `unevaluatedProperties` has seen, on each level; and it
//! remembers which objects and lists fitted a reference. Together these stay below 64 MiB.

use std::{borrow::Cow, cell::Cell};

use jsonschema::{
    JsonType,
    json::{Array, Json, Node, NodeIdentity, Object, cmp, unique},
};
use serde_json::{Map, Value, map, value::Number};

use isolette_work::Work;

/// Number of mistakes after which a list or an object yields no more parts.
const MISTAKES_IN_ONE: usize = 4;
/// Maximum number of mistakes in all parts together, and maximum total bytes of the paths to them.
const MISTAKES: usize = 256;
const PATHS: usize = 1 << 20;
/// Maximum bytes of the names of members of one object in which mistakes are looked for, each with what a list of texts needs for
/// it: the validator lists every member that is not allowed.
const NAMES: usize = 128 << 10;
const NAME: usize = 24;
/// Maximum bytes of the choices of the schema in all mistakes together: the validator copies them for each.
const CHOICES: usize = 16 << 20;
/// Maximum number of members of an object, and of elements of a list, in a value for a schema with `unevaluatedProperties` or
/// `unevaluatedItems`.
const UNEVALUATED_MEMBERS: usize = 10_000;
const UNEVALUATED_ELEMENTS: usize = 100_000;
/// Maximum number of objects and lists that the validator remembers.
const REMEMBERED: usize = 250_000;
/// Bytes of a value that a mistake can quote. More than a sentence has, so that it says that the value goes on.
const QUOTED: usize = 1 << 10;
/// Bytes of a text that count as one step.
const TEXT: usize = 32;

/// The validator's JSON type, which counts reads.
#[derive(Debug)]
pub(super) enum Counted {}

/// One validation: its purpose, and how much it has read.
#[derive(Debug)]
pub(super) struct Look {
    work: Work,
    /// Whether all mistakes are listed; otherwise the validation ends at the first one.
    mistakes: bool,
    /// Number of mistakes so far, and bytes of the paths to them.
    made: Cell<usize>,
    paths: Cell<usize>,
    /// Whether parts of the value were withheld from the validator.
    cut: Cell<bool>,
    traits: Traits,
    /// Whether the value has more parts than can be kept for the schema.
    too_large: Cell<bool>,
    remembered: Cell<usize>,
}

/// The properties of a schema that determine the memory for a validation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits {
    /// Whether the validator keeps which members and elements it has seen.
    keeps_parts: bool,
    /// Maximum number of mistakes.
    mistakes: usize,
}

impl Traits {
    pub(super) fn of(schema: &Value) -> Self {
        let (mut rest, mut keeps_parts, mut bytes) = (vec![schema], false, 0_usize);
        while let Some(part) = rest.pop() {
            bytes += size_of::<Value>();
            match part {
                Value::Object(members) => {
                    keeps_parts |= members.keys().any(|key| UNEVALUATED.contains(&key.as_str()));
                    bytes += members.keys().map(String::len).sum::<usize>();
                    rest.extend(members.values());
                }
                Value::Array(elements) => rest.extend(elements),
                Value::String(text) => bytes += text.len(),
                _ => {}
            }
        }
        Self { keeps_parts, mistakes: (CHOICES / bytes).clamp(MISTAKES_IN_ONE, MISTAKES) }
    }
}

const UNEVALUATED: [&str; 2] = ["unevaluatedProperties", "unevaluatedItems"];

impl Look {
    /// A validation that only finds out whether the value is valid.
    pub(super) fn whether(work: Work, traits: Traits) -> Self {
        Self {
            work,
            mistakes: false,
            made: Cell::new(0),
            paths: Cell::new(0),
            cut: Cell::new(false),
            traits,
            too_large: Cell::new(false),
            remembered: Cell::new(0),
        }
    }

    /// A validation that lists mistakes.
    pub(super) fn which(work: Work, traits: Traits) -> Self {
        Self { mistakes: true, ..Self::whether(work, traits) }
    }

    /// Returns how many members an object may have, if the value has an object with more, or a list with more elements than a list
    /// may have.
    pub(super) fn is_too_large(&self) -> Option<(usize, usize)> {
        self.too_large.get().then_some((UNEVALUATED_MEMBERS, UNEVALUATED_ELEMENTS))
    }

    pub(super) fn work(&self) -> &Work {
        &self.work
    }

    /// Whether there may be more mistakes than were found.
    pub(super) fn is_cut(&self) -> bool {
        self.cut.get() || self.work.over().is_some()
    }

    #[cfg(test)]
    pub(super) fn made(&self) -> usize {
        self.made.get()
    }

    /// Counts a read of something of this length. Returns `false` once the validator gets no more parts.
    fn at(&self, length: usize) -> bool {
        self.work.step(1 + (length / TEXT) as u64) && !self.is_full() && !self.too_large.get()
    }

    /// Counts a read of an object or a list with this number of parts, as [`Look::at`].
    fn at_parts(&self, parts: usize, most: usize) -> bool {
        let is_too_large = self.traits.keeps_parts && parts > most;
        self.too_large.set(self.too_large.get() || is_too_large);
        self.at(0)
    }

    fn is_full(&self) -> bool {
        let full = self.made.get() >= self.traits.mistakes || self.paths.get() >= PATHS;
        self.cut.set(self.cut.get() || full);
        full
    }
}

/// A value with the validation that reads it. `look` is `None` for names of members, which the validator reads as
/// values too: they were counted with their members.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a> {
    value: &'a Value,
    look: Option<&'a Look>,
    /// Bytes of the path to the value.
    path: usize,
}

impl<'a> Seen<'a> {
    pub(super) fn new(value: &'a Value, look: &'a Look) -> Self {
        Self { value, look: Some(look), path: 0 }
    }

    fn at(&self, length: usize) -> bool {
        self.look.is_none_or(|look| look.at(length))
    }

    fn at_parts(&self, parts: usize, most: usize) -> bool {
        self.look.is_none_or(|look| look.at_parts(parts, most))
    }

    fn inside(&self, value: &'a Value, name: usize) -> Self {
        Self { value, look: self.look, path: self.path.saturating_add(name + 1) }
    }
}

/// Whether a mistake is only due to a part that was withheld from the validator.
pub(super) fn is_unseen(instance: &Value) -> bool {
    instance.as_str() == Some(UNSEEN)
}

const UNSEEN: &str = "\u{0}not seen\u{0}";

impl Json for Counted {
    type Node<'a> = Seen<'a>;
    type PreparedKey = String;
    type StringBuffer = Value;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(buffer: &mut Value, string: &str, f: impl FnOnce(Seen<'_>) -> T) -> T {
        *buffer = Value::String(string.to_owned());
        f(Seen { value: buffer, look: None, path: 0 })
    }
}

impl<'a> Node<'a, Counted> for Seen<'a> {
    type Object = Members<'a>;
    type Array = Elements<'a>;
    type Number = &'a Number;

    fn as_object(&self) -> Option<Members<'a>> {
        match self.value {
            Value::Object(members) if self.at_parts(members.len(), UNEVALUATED_MEMBERS) => {
                Some(Members { members, of: *self })
            }
            _ => None,
        }
    }

    fn as_array(&self) -> Option<Elements<'a>> {
        match self.value {
            Value::Array(elements) if self.at_parts(elements.len(), UNEVALUATED_ELEMENTS) => {
                Some(Elements { elements, of: *self })
            }
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self.value {
            Value::String(text) if self.at(text.len()) => Some(Cow::Borrowed(text)),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<&'a Number> {
        match self.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        self.value.as_bool()
    }

    fn is_null(&self) -> bool {
        self.value.is_null()
    }

    fn json_type(&self) -> JsonType {
        self.at(0);
        JsonType::from(self.value)
    }

    fn equals_value(&self, expected: &Value) -> bool {
        self.at(0) && cmp::equal(self.value, expected)
    }

    /// The validator calls this for each mistake and for nothing else, so mistakes are counted here.
    fn to_value(&self) -> Cow<'a, Value> {
        let Some(look) = self.look.filter(|look| look.mistakes) else { return Cow::Borrowed(self.value) };
        if look.is_full() || look.work.over().is_some() {
            return Cow::Owned(UNSEEN.into());
        }
        look.made.set(look.made.get() + 1);
        look.paths.set(look.paths.get().saturating_add(self.path));
        // The validator copies it.
        Cow::Owned(beginning(self.value, &mut { QUOTED }))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref(self.value) as usize))
    }

    fn container_identity(&self) -> Option<NodeIdentity> {
        let look = self.look.filter(|_| matches!(self.value, Value::Object(_) | Value::Array(_)) && self.at(0))?;
        let remembered = look.remembered.get();
        look.remembered.set(remembered.saturating_add(1));
        self.identity().filter(|_| remembered < REMEMBERED)
    }
}

/// The beginning of a value, of about `room` bytes.
fn beginning(value: &Value, room: &mut usize) -> Value {
    *room = room.saturating_sub(4);
    match value {
        Value::String(text) => beginning_of_text(text, room).into(),
        Value::Array(elements) => {
            let mut shown = Vec::new();
            for element in elements {
                if *room == 0 {
                    break;
                }
                shown.push(beginning(element, room));
            }
            Value::Array(shown)
        }
        Value::Object(members) => {
            let mut shown = Map::new();
            for (name, value) in members {
                if *room == 0 {
                    break;
                }
                let name = beginning_of_text(name, room).to_owned();
                shown.insert(name, beginning(value, room));
            }
            Value::Object(shown)
        }
        small => small.clone(),
    }
}

fn beginning_of_text<'a>(text: &'a str, room: &mut usize) -> &'a str {
    let end = text.char_indices().map(|(index, _)| index).find(|index| index >= room).unwrap_or(text.len());
    *room = room.saturating_sub(end);
    text.get(..end).unwrap_or(text)
}

/// An object.
#[derive(Debug)]
pub(super) struct Members<'a> {
    members: &'a Map<String, Value>,
    of: Seen<'a>,
}

impl<'a> Object<'a, Counted> for Members<'a> {
    type Node = Seen<'a>;
    type MemberName = &'a str;
    type MembersIter = Shown<'a, map::Iter<'a>>;

    fn len(&self) -> usize {
        self.members.len()
    }

    fn get(&self, key: &String) -> Option<Seen<'a>> {
        let value = self.members.get(key).filter(|_| self.of.at(0))?;
        Some(self.of.inside(value, key.len()))
    }

    fn members(&self) -> Shown<'a, map::Iter<'a>> {
        Shown::new(self.members.iter(), self.of, NAMES)
    }
}

/// A list.
#[derive(Debug)]
pub(super) struct Elements<'a> {
    elements: &'a [Value],
    of: Seen<'a>,
}

impl<'a> Array<'a, Counted> for Elements<'a> {
    type Node = Seen<'a>;
    type ElementsIter = Shown<'a, std::slice::Iter<'a, Value>>;

    fn len(&self) -> usize {
        self.elements.len()
    }

    fn elements(&self) -> Shown<'a, std::slice::Iter<'a, Value>> {
        Shown::new(self.elements.iter(), self.of, usize::MAX)
    }

    fn is_unique(&self) -> bool {
        // Uniqueness compares the whole elements at any depth, so their whole weight is counted.
        self.elements.iter().all(|element| self.of.at(TEXT * weight(element))) && unique::is_unique(self.elements)
    }
}

/// The number of values inside a value, with texts counted by their length.
fn weight(value: &Value) -> usize {
    1 + match value {
        Value::Array(elements) => elements.iter().map(weight).sum(),
        Value::Object(members) => members.iter().map(|(name, value)| name.len() / TEXT + weight(value)).sum(),
        Value::String(text) => text.len() / TEXT,
        _ => 0,
    }
}

/// Iterates over the parts of a value that the validator gets.
#[derive(Debug)]
pub(super) struct Shown<'a, I> {
    parts: I,
    of: Seen<'a>,
    /// The number of mistakes when the iteration began.
    made: usize,
    /// The bytes of names that are left.
    remaining: usize,
}

impl<'a, I> Shown<'a, I> {
    fn new(parts: I, of: Seen<'a>, most: usize) -> Self {
        let look = of.look.filter(|look| look.mistakes);
        let (made, remaining) = look.map_or((0, usize::MAX), |look| (look.made.get(), most));
        Self { parts, of, made, remaining }
    }

    fn next_is_shown(&mut self, length: usize) -> bool {
        let Some(look) = self.of.look else { return true };
        let enough = look.mistakes && (look.made.get() - self.made >= MISTAKES_IN_ONE || self.remaining == 0);
        if enough {
            look.cut.set(true);
        }
        self.remaining = self.remaining.saturating_sub(NAME + length);
        !enough && look.at(length)
    }
}

impl<'a> Iterator for Shown<'a, std::slice::Iter<'a, Value>> {
    type Item = Seen<'a>;

    fn next(&mut self) -> Option<Seen<'a>> {
        let value = self.parts.next()?;
        // 8 bytes for the index in the path.
        self.next_is_shown(0).then(|| self.of.inside(value, 8))
    }
}

impl<'a> Iterator for Shown<'a, map::Iter<'a>> {
    type Item = (&'a str, Seen<'a>);

    fn next(&mut self) -> Option<(&'a str, Seen<'a>)> {
        let (name, value) = self.parts.next()?;
        self.next_is_shown(name.len()).then(|| (name.as_str(), self.of.inside(value, name.len())))
    }
}
