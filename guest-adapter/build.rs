//! Link arguments that `Cargo.toml` cannot express.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // No recursion depth in this crate depends on guest input, and each page of the default stack of 1 MiB would be part of
    // every instance.
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!("cargo:rustc-link-arg-cdylib=-zstack-size=131072");
    }
}
