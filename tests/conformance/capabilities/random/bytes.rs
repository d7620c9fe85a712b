//! Random values, encoded as for a host call.

use std::sync::Arc;

use isolette::Resources;
use isolette_interface::{Interface, Kind, Type};

use super::generator::Random;

/// A value in bytes, for one guest.
#[derive(Default)]
pub(super) struct Made {
    pub(super) bytes: Vec<u8>,
    /// The resources in it: the index of their type, and their handles.
    pub(super) given: Vec<(usize, u32)>,
}

/// Makes values of an interface whose resources are all `T`.
pub(super) struct Maker<'a, T> {
    pub(super) random: &'a mut Random,
    pub(super) interface: &'a Interface,
    pub(super) resources: &'a Resources,
    pub(super) resource: fn() -> T,
    pub(super) made: Made,
}

impl<T: Send + Sync + 'static> Maker<'_, T> {
    /// Adds a value.
    pub(super) fn make(&mut self, kind: &Type) {
        match kind {
            Type::Bool => {
                self.choice(2);
            }
            Type::U8 | Type::S8 => self.number(1),
            Type::U16 | Type::S16 => self.number(2),
            Type::U32 | Type::S32 => self.number(4),
            Type::U64 | Type::S64 => self.number(8),
            Type::F32 => {
                const SPECIAL: [f32; 7] =
                    [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::from_bits(1)];
                let other = f32::from_bits(self.random.next() as u32);
                let chosen = SPECIAL.get(self.random.below(10)).copied().unwrap_or(other);
                // Languages do not distinguish NaNs.
                self.add(&if chosen.is_nan() { f32::NAN } else { chosen }.to_le_bytes());
            }
            Type::F64 => {
                const SPECIAL: [f64; 7] =
                    [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::from_bits(1)];
                let other = f64::from_bits(self.random.next());
                let chosen = SPECIAL.get(self.random.below(10)).copied().unwrap_or(other);
                self.add(&if chosen.is_nan() { f64::NAN } else { chosen }.to_le_bytes());
            }
            Type::Char => {
                let letter = letter(self.random);
                self.add(&u32::from(letter).to_le_bytes());
            }
            Type::String => {
                let text: String = (0..self.random.below(8)).map(|_| letter(self.random)).collect();
                self.length(text.len());
                self.add(text.as_bytes());
            }
            Type::List(item) => {
                let count = self.random.below(5);
                self.length(count);
                (0..count).for_each(|_| self.make(item));
            }
            Type::Option(some) => {
                let is_some = self.random.below(3) > 0;
                self.add(&[u8::from(is_some)]);
                is_some.then(|| self.make(some));
            }
            Type::Tuple(kinds) => kinds.iter().for_each(|kind| self.make(kind)),
            Type::Result { ok, error } => {
                let payload = [ok, error][self.choice(2)];
                payload.iter().for_each(|kind| self.make(kind));
            }
            Type::Named(place) => self.named(&self.interface.types[*place].kind),
            Type::Own(place) => {
                let handle = self.resources.give(*place, Arc::new((self.resource)())).unwrap();
                self.made.given.push((*place, handle));
                self.add(&handle.to_le_bytes());
            }
            Type::Borrow(_) => panic!("a borrowed resource is never a result"),
        }
    }

    fn named(&mut self, kind: &Kind) {
        match kind {
            Kind::Record { fields } => fields.iter().for_each(|field| self.make(&field.kind)),
            Kind::Variant { cases } => {
                let chosen = self.choice(cases.len());
                cases[chosen].kind.iter().for_each(|kind| self.make(kind));
            }
            Kind::Enum { cases } => {
                self.choice(cases.len());
            }
            Kind::Flags { flags } => {
                let mut bytes: Vec<u8> = (0..flags.len().div_ceil(8)).map(|_| self.random.next() as u8).collect();
                if flags.len() % 8 != 0 {
                    *bytes.last_mut().unwrap() &= (1 << (flags.len() % 8)) - 1;
                }
                self.add(&bytes);
            }
            Kind::Alias { target } => self.make(target),
            Kind::Resource => panic!("a resource is no value"),
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.made.bytes.extend_from_slice(bytes);
    }

    fn length(&mut self, length: usize) {
        self.add(&u32::try_from(length).unwrap().to_le_bytes());
    }

    fn choice(&mut self, cases: usize) -> usize {
        let chosen = self.random.below(cases);
        let size = if cases <= 256 { 1 } else { 2 };
        self.add(&chosen.to_le_bytes()[..size]);
        chosen
    }

    fn number(&mut self, size: usize) {
        let bits = match self.random.below(4) {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << (8 * size - 1),
            _ => self.random.next(),
        };
        self.add(&bits.to_le_bytes()[..size]);
    }
}

fn letter(random: &mut Random) -> char {
    const LETTERS: [char; 12] =
        ['a', '\0', '\n', '\u{7f}', 'ß', '\u{7ff}', '\u{800}', '\u{d7ff}', '\u{e000}', '\u{ffff}', '🐍', '\u{10ffff}'];
    LETTERS[random.below(LETTERS.len())]
}
