//! Link options of the crate.

fn main() {
    // The C stack in linear memory. QuickJS measures its own limit on it and stops long before its end.
    println!("cargo:rustc-link-arg-cdylib=-zstack-size=4194304");
    println!("cargo:rerun-if-changed=build.rs");
}
