//! Any value of any type comes back as it went in: the host gives random ones of random types, and the program hands each
//! back without knowing what it is.

use std::{
    fmt::Write as _,
    sync::{Arc, Mutex},
};

use isolette::{Capability, Isolation};
use isolette_interface::{Interface, Kind, Type, read_text};
use isolette_tests::{Case, conformance};

use super::{many_calls, served::serve};

conformance! {
    any_value_of_any_type_comes_back with "capabilities/random";
}

const TYPES: usize = 40;
const ROUNDS: usize = 3;
/// How deep a type may be nested in others.
const DEPTH: usize = 3;

/// Names that mean something in one of the languages.
const NAMES: [&str; 40] = [
    "args",
    "arguments",
    "as",
    "async",
    "await",
    "bool-text",
    "class",
    "close",
    "constructor",
    "def",
    "default",
    "delete",
    "enum-name",
    "eval",
    "false",
    "from",
    "function",
    "has-own-property",
    "import",
    "in",
    "interface",
    "kind",
    "lambda",
    "length",
    "message",
    "name",
    "new",
    "none",
    "not",
    "payload",
    "prototype",
    "self",
    "tag",
    "then",
    "this",
    "to-string",
    "true",
    "type",
    "val",
    "value",
];

#[derive(Clone)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: usize) -> usize {
        ((self.next() >> 33) as usize) % limit
    }

    /// Some names, all different.
    fn names(&mut self, most: usize) -> Vec<String> {
        let first = self.below(NAMES.len());
        (0..=self.below(most)).map(|offset| format!("%{}", NAMES[(first + 7 * offset) % NAMES.len()])).collect()
    }
}

/// Writes types as WIT.
struct Writer {
    random: Random,
    definitions: String,
    names: Vec<String>,
}

impl Writer {
    fn new(seed: u64) -> Self {
        let many = |count: usize, name: &str| (0..count).map(|index| format!("{name}{index}")).collect::<Vec<_>>();
        let definitions = format!(
            "enum many-cases {{ {} }}\nvariant many-payloads {{ {}(string), last }}\nflags many-flags {{ {} }}\n",
            many(300, "c").join(", "),
            many(256, "v").join("(u8), "),
            many(70, "f").join(", "),
        );
        let names = ["many-cases", "many-payloads", "many-flags"].map(String::from).to_vec();
        Self { random: Random(seed * 2 + 1), definitions, names }
    }

    fn types(&mut self, count: usize, depth: usize) -> Vec<String> {
        (0..count).map(|_| self.of_depth(depth)).collect()
    }

    fn of_depth(&mut self, depth: usize) -> String {
        const PLAIN: [&str; 13] =
            ["bool", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f32", "f64", "char", "string"];
        if depth == 0 {
            return match self.random.below(16) {
                known @ 0..3 => self.names[known].clone(),
                plain => PLAIN[plain - 3].to_owned(),
            };
        }
        let inner = depth - 1;
        match self.random.below(10) {
            0 | 1 => format!("list<{}>", self.of_depth(inner)),
            2 | 3 => format!("option<{}>", self.of_depth(inner)),
            4 => {
                let count = 1 + self.random.below(4);
                format!("tuple<{}>", self.types(count, inner).join(", "))
            }
            5 => match self.random.below(4) {
                0 => "result".to_owned(),
                1 => format!("result<{}>", self.of_depth(inner)),
                2 => format!("result<_, {}>", self.of_depth(inner)),
                _ => format!("result<{}, {}>", self.of_depth(inner), self.of_depth(inner)),
            },
            _ => self.named(inner),
        }
    }

    fn named(&mut self, depth: usize) -> String {
        let members = self.random.names(6);
        let form = self.random.below(8);
        let body: Vec<_> = members
            .into_iter()
            .map(|member| match form {
                0..4 => format!("{member}: {}", self.of_depth(depth)),
                4 | 5 if self.random.below(3) > 0 => format!("{member}({})", self.of_depth(depth)),
                _ => member,
            })
            .collect();
        let name = format!("type-a{}", self.names.len());
        let form = ["record", "record", "record", "record", "variant", "variant", "enum", "flags"][form];
        writeln!(self.definitions, "{form} {name} {{ {} }}", body.join(", ")).unwrap();
        self.names.push(name.clone());
        name
    }
}

/// A random value.
fn value(random: &mut Random, interface: &Interface, kind: &Type) -> Vec<u8> {
    fn choice(random: &mut Random, cases: usize) -> (usize, Vec<u8>) {
        let chosen = random.below(cases);
        let size = if cases <= 256 { 1 } else { 2 };
        (chosen, chosen.to_le_bytes()[..size].to_vec())
    }
    fn length(count: usize) -> Vec<u8> {
        u32::try_from(count).unwrap().to_le_bytes().to_vec()
    }
    let number = |random: &mut Random, size: usize| {
        let bits = match random.below(4) {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << (8 * size - 1),
            _ => random.next(),
        };
        bits.to_le_bytes()[..size].to_vec()
    };
    match kind {
        Type::Bool => vec![random.below(2) as u8],
        Type::U8 | Type::S8 => number(random, 1),
        Type::U16 | Type::S16 => number(random, 2),
        Type::U32 | Type::S32 => number(random, 4),
        Type::U64 | Type::S64 => number(random, 8),
        Type::F32 => {
            const SPECIAL: [f32; 7] =
                [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::from_bits(1)];
            let other = f32::from_bits(random.next() as u32);
            let chosen = SPECIAL.get(random.below(10)).copied().unwrap_or(other);
            // Languages do not tell one NaN from another.
            if chosen.is_nan() { f32::NAN } else { chosen }.to_le_bytes().to_vec()
        }
        Type::F64 => {
            const SPECIAL: [f64; 7] =
                [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::from_bits(1)];
            let other = f64::from_bits(random.next());
            let chosen = SPECIAL.get(random.below(10)).copied().unwrap_or(other);
            if chosen.is_nan() { f64::NAN } else { chosen }.to_le_bytes().to_vec()
        }
        Type::Char => u32::from(letter(random)).to_le_bytes().to_vec(),
        Type::String => {
            let text: String = (0..random.below(8)).map(|_| letter(random)).collect();
            [length(text.len()), text.into_bytes()].concat()
        }
        Type::List(item) => {
            let count = random.below(5);
            (0..count).fold(length(count), |mut list, _| {
                list.extend(value(random, interface, item));
                list
            })
        }
        Type::Option(some) if random.below(3) > 0 => [vec![1], value(random, interface, some)].concat(),
        Type::Option(_) => vec![0],
        Type::Tuple(kinds) => kinds.iter().flat_map(|kind| value(random, interface, kind)).collect(),
        Type::Result { ok, error } => {
            let chosen = random.below(2);
            let payload = if chosen == 0 { ok } else { error };
            let payload = payload.as_ref().map(|kind| value(random, interface, kind)).unwrap_or_default();
            [vec![chosen as u8], payload].concat()
        }
        Type::Named(index) => match &interface.types[*index].kind {
            Kind::Record { fields } => fields.iter().flat_map(|field| value(random, interface, &field.kind)).collect(),
            Kind::Variant { cases } => {
                let (chosen, number) = choice(random, cases.len());
                let payload = cases[chosen].kind.as_ref().map(|kind| value(random, interface, kind));
                [number, payload.unwrap_or_default()].concat()
            }
            Kind::Enum { cases } => choice(random, cases.len()).1,
            Kind::Flags { flags } => {
                let mut bytes: Vec<u8> = (0..flags.len().div_ceil(8)).map(|_| random.next() as u8).collect();
                if flags.len() % 8 != 0 {
                    *bytes.last_mut().unwrap() &= (1 << (flags.len() % 8)) - 1;
                }
                bytes
            }
            Kind::Alias { target } => value(random, interface, target),
            Kind::Resource => panic!("there are none"),
        },
        Type::Own(_) | Type::Borrow(_) => panic!("there are no resources"),
    }
}

fn letter(random: &mut Random) -> char {
    const LETTERS: [char; 12] =
        ['a', '\0', '\n', '\u{7f}', 'ß', '\u{7ff}', '\u{800}', '\u{d7ff}', '\u{e000}', '\u{ffff}', '🐍', '\u{10ffff}'];
    LETTERS[random.below(LETTERS.len())]
}

/// An interface of random types, and what did not come back as it went in.
fn interface(seed: u64) -> (Capability, Arc<Mutex<Vec<String>>>) {
    let mut writer = Writer::new(seed);
    let types = writer.types(TYPES, DEPTH);
    let mut wit = format!("package test:random;\ninterface values {{\n{}", writer.definitions);
    for (index, kind) in types.iter().enumerate() {
        // A list, as a result that is the function's own would be raised.
        writeln!(wit, "give-a{index}: func() -> list<{kind}>;\ncheck-a{index}: func(values: list<{kind}>);").unwrap();
    }
    wit.push('}');
    let described = read_text(&wit, "test:random/values").unwrap_or_else(|error| panic!("{error}\n{wit}"));
    let given = Mutex::new((writer.random, Vec::new()));
    let wrong = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&wrong);
    let capability = serve(&wit, "test:random/values", move |name, arguments, _| {
        let (random, latest) = &mut *given.lock().unwrap();
        let (_, function) = described.function(name).unwrap();
        if let Some(kind) = &function.result {
            *latest = value(random, &described, kind);
            return Ok(latest.clone());
        }
        if arguments != *latest {
            let text = format!("{}: {latest:?} became {arguments:?}", described.spell(&function.params[0].kind));
            noted.lock().unwrap().push(text);
        }
        Ok(Vec::new())
    });
    (capability, wrong)
}

fn any_value_of_any_type_comes_back(case: &Case) {
    let seeds = if case.isolation == Isolation::MicroVm { 1..2 } else { 1..13 };
    for seed in seeds {
        let (capability, wrong) = interface(seed);
        let mut limits = many_calls();
        limits.wall_time *= 10;
        let sandbox = case.builder().capability(capability).limits(limits).build().unwrap();
        let program = format!("{}\n", case.program()).replace("TYPES", &TYPES.to_string());
        let program = program.replace("ROUNDS", &ROUNDS.to_string());
        let result = sandbox.run(&program).unwrap();
        assert!(result.error.is_none(), "seed {seed}: {:?}", result.error);
        let wrong = wrong.lock().unwrap();
        assert!(wrong.is_empty(), "seed {seed}: {wrong:#?}");
        assert_eq!(result.usage.capability_calls, (2 * ROUNDS * TYPES) as u64, "seed {seed}");
    }
}
