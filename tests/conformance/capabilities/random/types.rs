//! Writes an interface of random types as WIT.

use std::fmt::Write as _;

use super::generator::Random;

/// The maximum nesting of types.
const DEPTH: usize = 3;

/// The number of types with very many members.
const WIDE: usize = 5;

/// Names with a meaning in one of the languages, or in generated code.
const NAMES: &str = "args arguments as async await bool-text box bytes class close constructor context crate decoder def \
    default delete enum-name err eval false fn from function has-own-property impl import in interface kind lambda length \
    loop match message mod name new none not ok payload prototype receiver result self some super tag then this to-string \
    true type val value";

/// The names of the first types: names that Rust uses for neighbouring or generated items.
const TYPE_NAMES: &str = "borrowed box call-context capability clone copy debug decode decoder default eq encode err from \
    future iterator none ok option owned reply resource resources result self send serve some string sync values vec";

const PLAIN: &str = "bool u8 u16 u32 u64 s8 s16 s32 s64 f32 f64 char string thing";

/// The interface `test:random/values`, and the generator after it. It has this many functions of each kind:
///
/// - `give-a0: func() -> tuple<T, list<U>>` and `check-a0: func(T, list<U>)`,
/// - `answer-a0: func() -> result<T, E>` and `confirm-a0: func(result<T, E>)`.
///
/// `first0`, `many0` and `error0` are other names of `T`, `list<U>` and `E`, for implementations in Rust.
pub(super) fn interface(seed: u64, functions: usize) -> (String, Random) {
    let mut writer = Writer { random: Random::new(seed), definitions: String::new(), types: 0, wide: [false; WIDE] };
    let mut declared = String::new();
    for index in 0..functions {
        let first = writer.of_depth(DEPTH);
        let many = format!("list<{}>", writer.of_depth(DEPTH - 1));
        let error = writer.of_depth(DEPTH - 1);
        let names = writer.names(3);
        let [one, other, answer] = &names[..] else { unreachable!("three were asked for") };
        write!(
            declared,
            "\n    type first{index} = {first};\n    type many{index} = {many};\n    type error{index} = {error};\n    \
             give-a{index}: func() -> tuple<{first}, {many}>;\n    \
             check-a{index}: func({one}: {first}, {other}: {many});\n    \
             answer-a{index}: func() -> result<{first}, {error}>;\n    \
             confirm-a{index}: func({answer}: result<{first}, {error}>);\n",
        )
        .unwrap();
    }
    let definitions = writer.definitions;
    let text = format!("package test:random;\n\ninterface values {{\n    resource thing;\n{definitions}{declared}}}\n");
    (text, writer.random)
}

struct Writer {
    random: Random,
    definitions: String,
    /// The number of names so far.
    types: usize,
    /// Which of the types with very many members are defined.
    wide: [bool; WIDE],
}

impl Writer {
    /// This many distinct names.
    fn names(&mut self, count: usize) -> Vec<String> {
        let names = NAMES.split_whitespace();
        let first = self.random.below(names.clone().count());
        names.cycle().skip(first).take(count).map(|name| format!("%{name}")).collect()
    }

    fn types(&mut self, count: usize, depth: usize) -> Vec<String> {
        (0..count).map(|_| self.of_depth(depth)).collect()
    }

    fn of_depth(&mut self, depth: usize) -> String {
        if depth == 0 {
            let plain: Vec<_> = PLAIN.split_whitespace().collect();
            let chosen = self.random.below(WIDE + plain.len());
            return if chosen < WIDE { self.wide(chosen) } else { plain[chosen - WIDE].to_owned() };
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

    /// One whose cases or flags fill a byte, or take more.
    fn wide(&mut self, which: usize) -> String {
        let many = |count: usize, name: &str| (0..count).map(|index| format!("{name}{index}")).collect::<Vec<_>>();
        let (form, name, members) = match which {
            0 => ("enum", "many-cases", many(300, "c").join(", ")),
            1 => ("variant", "many-payloads", many(256, "v").join("(u8), ") + "(string), last"),
            2 => ("flags", "many-flags", many(70, "flag").join(", ")),
            3 => ("enum", "byte-of-cases", many(256, "c").join(", ")),
            _ => ("flags", "byte-of-flags", many(8, "flag").join(", ")),
        };
        if !std::mem::replace(&mut self.wide[which], true) {
            writeln!(self.definitions, "    {form} {name} {{ {members} }}").unwrap();
        }
        name.to_owned()
    }

    fn named(&mut self, depth: usize) -> String {
        let count = 1 + self.random.below(6);
        let members = self.names(count);
        let form = self.random.below(8);
        let body: Vec<_> = members
            .into_iter()
            .map(|member| match form {
                0..4 => format!("{member}: {}", self.of_depth(depth)),
                4 | 5 if self.random.below(3) > 0 => format!("{member}({})", self.of_depth(depth)),
                _ => member,
            })
            .collect();
        let name = TYPE_NAMES.split_whitespace().nth(self.types);
        let name = name.map_or_else(|| format!("type-a{}", self.types), |name| format!("%{name}"));
        self.types += 1;
        let form = ["record", "record", "record", "record", "variant", "variant", "enum", "flags"][form];
        writeln!(self.definitions, "    {form} {name} {{ {} }}", body.join(", ")).unwrap();
        name
    }
}
