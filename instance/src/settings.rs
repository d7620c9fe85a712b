//! The settings of Wasmtime that compiled code and every engine that loads it must share.

use wasmtime::{Config, ModuleVersionStrategy};

/// The version of Wasmtime. Code only loads into the version that compiled it: its patches can be about what was compiled.
pub const ENGINE_VERSION: &str = "48.0.8";

/// Bytes of the guest's stack. Deep recursion must reach the interpreter's own limit before this one: CPython counts
/// frames, and its deepest frames (nested JSON, `repr`, the parser) take some 20 KiB of native stack each.
pub const GUEST_STACK: usize = 32 << 20;

/// Bytes of the native stack on which a guest runs: its own, and 4 MiB for the host or the runtime, which calls the guest and
/// handles its calls on the same stack.
pub const NATIVE_STACK: usize = GUEST_STACK + (4 << 20);

/// Returns the settings. An engine adds those that depend on where it runs.
///
/// # Panics
/// Never: the version is shorter than Wasmtime's limit.
#[must_use]
pub fn settings() -> Config {
    let mut config = Config::new();
    // By default the number of the release is compared, which all its patches have.
    let version = ModuleVersionStrategy::Custom(ENGINE_VERSION.into());
    config.module_version(version).expect("the version is short");
    config.wasm_component_model(true);
    // Native backtraces of a guest are not used.
    config.wasm_backtrace_max_frames(None);
    config.max_wasm_stack(GUEST_STACK);
    // It must not be smaller, though no stack is made: guests are not called asynchronously.
    config.async_stack_size(GUEST_STACK);
    config
}

/// Whether an entry of a table is written when it is first used. Outside the host's process all are written once, when an image is
/// loaded: guests share them, and have no pages of their own for it.
pub const TABLE_LAZY_INIT: bool = false;

/// A feature of x86-64 processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessorFeature {
    /// The name of the feature when Wasmtime loads code.
    pub name: &'static str,
    /// The flag of the compiler.
    pub flag: &'static str,
    /// The bit in `ECX` of leaf 1 of `CPUID`.
    pub bit: u32,
}

/// The features for which code outside the host's process is compiled: every processor that can run a micro-VM has them.
/// Without them, the code would call library functions that the runtime would have to link into it, and code in a micro-VM
/// is read-only.
pub const PROCESSOR_FEATURES: [ProcessorFeature; 6] = [
    ProcessorFeature { name: "sse3", flag: "has_sse3", bit: 0 },
    ProcessorFeature { name: "ssse3", flag: "has_ssse3", bit: 9 },
    ProcessorFeature { name: "cmpxchg16b", flag: "has_cmpxchg16b", bit: 13 },
    ProcessorFeature { name: "sse4.1", flag: "has_sse41", bit: 19 },
    ProcessorFeature { name: "sse4.2", flag: "has_sse42", bit: 20 },
    ProcessorFeature { name: "popcnt", flag: "has_popcnt", bit: 23 },
];
