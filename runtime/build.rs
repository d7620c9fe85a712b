//! Passes each program's own arguments to the linker.

fn main() {
    let arguments = [
        ("microvm-runtime", &["--entry=entrypoint"][..]),
        // Everything that can change in a process must have the same address in each, or its memory would mean something else.
        ("process-runtime", &["--entry=_start", "--no-pie", "--image-base=0x10000000", "-znorelro", "-zseparate-code"]),
    ];
    for (program, arguments) in arguments {
        for argument in arguments {
            println!("cargo:rustc-link-arg-bin={program}={argument}");
        }
    }
    println!("cargo:rerun-if-changed=build.rs");
}
