//! Tests with small crates.

use std::path::Path;

use super::{cycles, tree::Files};

/// The messages about a crate of these files.
fn messages(files: &[(&str, &str)]) -> Vec<String> {
    let files: Files = files.iter().map(|(path, text)| (path.into(), (*text).to_owned())).collect();
    cycles(Path::new("part/src"), &files)
}

/// The only message about it.
fn message(files: &[(&str, &str)]) -> String {
    let messages = messages(files);
    assert_eq!(messages.len(), 1, "{messages:?}");
    messages.concat()
}

fn assert_none(files: &[(&str, &str)]) {
    assert_eq!(messages(files), Vec::<String>::new());
}

const ROOT: (&str, &str) = ("lib.rs", "mod a;\nmod b;\nmod c;");

#[test]
fn a_cycle_is_named_with_the_paths_that_make_it() {
    let message = message(&[
        ROOT,
        ("a.rs", "use crate::b::B;"),
        ("b.rs", "fn f() {\n    crate::c::f();\n}"),
        ("c.rs", "use super::a;"),
    ]);
    let expected = "import cycle in part/src: a -> b -> c -> a\n  a -> b: part/src/a.rs:1 names crate::b::B\n  \
                    b -> c: part/src/b.rs:2 names crate::c::f\n  c -> a: part/src/c.rs:1 names super::a";
    assert_eq!(message, expected);
}

#[test]
fn imports_in_one_direction_are_no_cycle() {
    assert_none(&[ROOT, ("a.rs", "use crate::{b, c};"), ("b.rs", "use crate::c;"), ("c.rs", "pub struct C;")]);
}

#[test]
fn the_shortest_cycle_of_a_group_is_named_and_one_for_each_group() {
    let root = ("main.rs", "mod a; mod b; mod c; mod d; mod e;");
    let messages = messages(&[
        root,
        ("a.rs", "use crate::b;"),
        ("b.rs", "use crate::c;"),
        ("c.rs", "use crate::{a, b};"),
        ("d.rs", "use crate::{a, e};"),
        ("e.rs", "use crate::d;"),
    ]);
    let names: Vec<&str> = messages.iter().filter_map(|message| message.lines().next()).collect();
    assert_eq!(names, ["import cycle in part/src: b -> c -> b", "import cycle in part/src: d -> e -> d"]);
}

#[test]
fn nested_use_trees_are_read() {
    let message = message(&[
        ROOT,
        ("a.rs", "use std::fmt;\nuse crate::{\n    c::{self, Other as _},\n    b::{inner::{C as D, *}},\n};"),
        ("b.rs", "pub(crate) use super::{a::{self as other}};"),
        ("c.rs", ""),
    ]);
    assert!(message.starts_with("import cycle in part/src: a -> b -> a\n"), "{message}");
    assert!(message.contains("a -> b: part/src/a.rs:4 names crate::b::inner::C\n"), "{message}");
}

#[test]
fn modules_of_a_folder_are_compared_with_each_other() {
    let message = message(&[
        ("lib.rs", "mod a;"),
        ("a/mod.rs", "mod one; mod two; mod three { use super::one; }"),
        ("a/one.rs", "use super::two::f;"),
        ("a/two.rs", "mod deep;"),
        ("a/two/deep.rs", "pub(super) fn f() { super::super::three::g() }"),
    ]);
    assert!(message.starts_with("import cycle in part/src/a: one -> two -> three -> one\n"), "{message}");
    assert!(message.contains("two -> three: part/src/a/two/deep.rs:1 names super::super::three::g\n"), "{message}");
    assert!(message.contains("three -> one: part/src/a/mod.rs:1 names super::one"), "{message}");
}

#[test]
fn what_a_parent_defines_is_no_edge_and_neither_is_what_it_imports() {
    assert_none(&[
        ("lib.rs", "mod a; mod b; pub use a::A; pub struct Shared;"),
        ("a.rs", "use crate::{Shared, b};"),
        ("b.rs", "use crate::Shared;"),
    ]);
}

#[test]
fn reexports_lead_to_the_module_that_defines_the_name() {
    for reexport in [
        "pub use self::b::B;",
        "pub use b::inner::B;",
        "pub use crate::b::*;",
        "use b::Other as B;",
        "pub(crate) use b as middle; pub use middle::B;",
    ] {
        let message = message(&[
            ("lib.rs", &format!("mod a; mod b; {reexport}")),
            ("a.rs", "use crate::B;"),
            ("b.rs", "pub struct B; use crate::a;"),
        ]);
        assert!(message.contains("a -> b: part/src/a.rs:1 names crate::B\n"), "{reexport}: {message}");
    }
}

#[test]
fn reexports_of_a_folder_are_followed_into_it() {
    let files = |one| {
        [
            ("lib.rs", "mod a; mod z; pub use a::Two;"),
            ("a/mod.rs", "mod one; mod two; pub use two::Two;"),
            ("a/one.rs", one),
            ("a/two.rs", "use super::one::One; pub struct Two;"),
            ("z.rs", "use crate::Two;"),
        ]
    };
    for path in ["use crate::Two;", "use crate::a::Two;", "use super::Two;"] {
        assert!(message(&files(path)).starts_with("import cycle in part/src/a: one -> two -> one\n"), "{path}");
    }
    assert_none(&files("pub struct One;"));
}

#[test]
fn names_that_lead_nowhere_end() {
    assert_none(&[
        ("lib.rs", "mod a; use log::log; use one::two; use two::one; pub use other::*;"),
        ("a.rs", "use crate::{log, one, unknown}; use super::super::above;"),
    ]);
}

#[test]
fn tests_are_ignored() {
    let reference = "use crate::b;";
    let other = ("b.rs", "use crate::a;");
    for text in [
        "#[cfg(test)]\nmod tests { use crate::b; fn f() { { crate::b::g() } } }",
        "#[cfg(test)] #[allow(x)] use crate::{b, b::c};",
        "#[cfg(all(test, not(fuzzing)))] pub(crate) fn f<A, B>(a: A) -> B { crate::b::f() }",
        "#[cfg(test)] impl crate::b::B for A {}",
        "struct A { #[cfg(test)] b: crate::b::B, c: u8 }",
        "#[test] fn f() { crate::b::f() }",
        "#![cfg(test)] use crate::b;",
        "#[cfg(test)] const B: [u8; { 1 }] = crate::b::B;",
        "mod tests;",
        "#[cfg(test)] mod testing;",
    ] {
        assert_none(&[
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", text),
            ("a/tests.rs", reference),
            ("a/testing.rs", reference),
            other,
        ]);
    }
    for text in [
        "#[cfg(test)] mod tests { fn f() {} } use crate::b;",
        "#[cfg(test)] fn f() {} use crate::b;",
        "#[cfg(not(test))] use crate::b;",
        "#[cfg(any(test, unix))] use crate::b;",
        "struct A { #[cfg(test)] a: u8, b: crate::b::B }",
        "#[arg(value_parser = crate::b::parse)] struct A;",
    ] {
        message(&[("lib.rs", "mod a; mod b;"), ("a.rs", text), other]);
    }
}

#[test]
fn comments_and_texts_are_ignored() {
    let text =
        "//! use crate::b;\n/* use crate::b; */ fn f<'a>(_: &'a str) { f(\"crate::b\"); f(r#\"use crate::b;\"#) }";
    assert_none(&[("lib.rs", "mod a; mod b;"), ("a.rs", text), ("b.rs", "use crate::a;")]);
}

#[test]
fn every_root_is_read() {
    let files = |root| [(root, "mod a; mod b;"), ("a.rs", "use crate::b;"), ("b.rs", "use crate::a;")];
    assert!(message(&files("main.rs")).contains("a -> b"));
    let in_folder = [("bin/x.rs", "mod a; mod b;"), ("bin/a.rs", "use crate::b;"), ("bin/b.rs", "use crate::a;")];
    assert!(message(&in_folder).contains("part/src/bin/a.rs:1"));
}
