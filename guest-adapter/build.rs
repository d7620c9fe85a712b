//! Link arguments that a manifest cannot carry.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Nothing in here recurses by what a guest chose, and each page of the default of 1 MiB would be part of every instance.
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!("cargo:rustc-link-arg-cdylib=-zstack-size=131072");
    }
}
