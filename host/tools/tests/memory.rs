//! The memory of the host while it compares values with schemas, in a process of its own: each case begins below a ceiling and stays there.

#![expect(unsafe_code, reason = "an allocator is unsafe to implement")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use isolette_tools::Tool;
use serde_json::{Value, json};

/// The memory that a comparison may take beyond the schema and the value, in bytes.
const CEILING: usize = 64 << 20;

/// The allocator of the system, which counts.
struct Counting;

static BYTES: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all calls are passed on to the allocator of the system as they are.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let bytes = BYTES.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(bytes, Relaxed);
        // SAFETY: see above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Relaxed);
        // SAFETY: see above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn members(count: usize, name: &str) -> Value {
    Value::Object((0..count).map(|number| (format!("{name}-{number}"), json!(number))).collect())
}

/// `all` lists of `any` schemas, of which every one has to fit, and none does.
fn choices(all: usize, any: usize, schema: impl Fn(String) -> Value) -> Value {
    let list = |all| json!({ "anyOf": (0..any).map(|any| schema(format!("p{all}-{any}"))).collect::<Vec<_>>() });
    json!({ "allOf": (0..all).map(list).collect::<Vec<_>>() })
}

#[test]
fn comparing_values_with_schemas_takes_little_memory() {
    let unevaluated = |name: String| json!({ "type": "object", "properties": { (name.clone()): {} }, "required": [name], "unevaluatedProperties": false });
    let additional = |name: String| json!({ "type": "object", "properties": { (name.clone()): {} }, "required": [name], "additionalProperties": false });
    let items =
        |name: String| json!({ "type": "array", "minItems": 1_000_000, "title": name, "unevaluatedItems": false });
    let short = |_| json!({ "maxProperties": 0, "maxItems": 0, "maxLength": 0 });
    let long_choices = vec!["x".repeat(1_000); 1_000];
    let choice =
        |name: String| json!({ "properties": { "list": { "items": { "enum": long_choices }, "title": name } } });
    // Each schema is within the one before, so that all of them are open at once.
    let nested = (0..60).fold(
        json!({ "required": ["none"] }),
        |inner, _| json!({ "anyOf": [{ "allOf": [inner], "unevaluatedProperties": false }] }),
    );
    let tree = json!({ "$ref": "#/$defs/tree", "$defs": { "tree": { "type": ["object", "array", "integer"], "not": { "required": ["none"] },
        "additionalProperties": { "$ref": "#/$defs/tree" }, "items": { "$ref": "#/$defs/tree" } } } });
    let cases: [(&str, Value, Value); 11] = [
        ("closed objects", choices(20, 6, unevaluated), members(50_000, "key")),
        ("more of them", choices(40, 6, unevaluated), members(200_000, "key")),
        ("as many members as are compared", choices(40, 6, unevaluated), members(10_000, &"k".repeat(1_000))),
        ("additional properties", choices(40, 6, additional), members(200_000, "key")),
        ("long names", choices(40, 6, additional), members(10_000, &"k".repeat(1_000))),
        ("elements", choices(40, 6, items), json!(vec![vec![1; 10]; 100_000])),
        ("large values", choices(40, 6, short), members(200_000, "key")),
        ("long texts", choices(40, 6, short), json!("x".repeat(16 << 20))),
        ("long choices", choices(4, 4, choice), json!({ "list": vec!["y"; 1_000] })),
        ("many levels", nested, members(10_000, "key")),
        ("many parts of a tree", tree, json!(vec![json!([[1], [2]]); 200_000])),
    ];
    for (name, schema, value) in cases {
        let tool = Tool::from_schema("f", "", json!({ "type": "object" }), |_| Ok::<_, String>(Value::Null));
        let tool = tool.expect("a tool").with_output_schema(schema);
        // The schema is compiled.
        drop(tool.validate_result(&Value::Null));
        let before = BYTES.load(Relaxed);
        MOST.store(before, Relaxed);
        let found = tool.validate_result(&value);
        let taken = MOST.load(Relaxed) - before;
        println!(
            "{name}: {} KiB, {}",
            taken >> 10,
            found.as_ref().map_or("fits", |(text, _)| text.get(..80).unwrap_or(text))
        );
        assert!(taken < CEILING, "{name}: {taken} bytes");
        assert!(found.is_some() || name.contains("tree"), "{name}");
    }
}
