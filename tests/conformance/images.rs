//! Invalid images are refused before any of their code runs.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use insta::{assert_snapshot, with_settings};
use isolette::{Error, Image, Isolation, Language, Sandbox};
use isolette_tests::host_test;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

const CODE: &str = "guest.wasmtime.cwasm";

/// An image that a test can modify. The files are links, because they are large.
struct Copy {
    folder: TempDir,
    original: PathBuf,
    manifest: Value,
}

impl Copy {
    fn new() -> Self {
        // The smaller one.
        let original = Image::find(Language::JavaScript).unwrap().directory().to_owned();
        let folder = tempfile::tempdir().unwrap();
        let manifest: Value = serde_json::from_slice(&fs::read(original.join("image.json")).unwrap()).unwrap();
        for file in manifest["files"].as_object().unwrap().keys() {
            symlink(original.join(file), folder.path().join(file)).unwrap();
        }
        let copy = Self { folder, original, manifest };
        copy.write(&copy.manifest);
        copy
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, manifest: &Value) {
        fs::write(self.path().join("image.json"), manifest.to_string()).unwrap();
    }

    fn change(&self, change: impl FnOnce(&mut Value)) {
        let mut manifest = self.manifest.clone();
        change(&mut manifest);
        self.write(&manifest);
    }

    fn code(&self) -> Vec<u8> {
        fs::read(self.original.join(CODE)).unwrap()
    }

    /// Replaces the code of the image, with or without an updated manifest.
    fn replace(&self, code: &[u8], promised: bool) {
        let path = self.path().join(CODE);
        let _ = fs::remove_file(&path);
        fs::write(&path, code).unwrap();
        if promised {
            let digest = json!({"size": code.len(), "sha256": hex::encode(Sha256::digest(code))});
            self.change(|manifest| manifest["files"][CODE] = digest);
        }
    }

    fn refusal(&self) -> String {
        let error = Sandbox::builder().image(self.path()).isolation(Isolation::Wasm).build().map(drop).unwrap_err();
        assert!(matches!(error, Error::Image { .. }), "{error}");
        error.to_string()
    }
}

/// Paths, digests and lengths differ between machines.
const FACTS: [(&str, &str); 5] = [
    (r"/\S*/\.tmp\w+", "[folder]"),
    (r"[0-9a-f]{64}", "[digest]"),
    (r"\d+ bytes", "[length] bytes"),
    (r"line \d+ column \d+", "[place]"),
    (r"(Wasmtime |version ')\d+\.\d+\.\d+", "$1[version]"),
];

fn assert_refusals(name: &str, refusals: &[(&str, String)]) {
    let text: Vec<_> = refusals.iter().map(|(what, refusal)| format!("{what}:\n{refusal}\n")).collect();
    with_settings!({filters => FACTS}, { assert_snapshot!(name, text.join("\n")); });
}

#[host_test]
fn a_copied_image_runs() {
    let copy = Copy::new();
    let sandbox = Sandbox::builder().image(copy.path()).build().unwrap();
    assert_eq!(sandbox.run("6 * 7").unwrap().value, Some(json!(42)));
}

#[host_test]
fn invalid_image_manifests_are_refused() {
    let mut refusals = Vec::new();
    let missing = TempDir::new().unwrap();
    let error = Sandbox::builder().image(missing.path()).build().map(drop).unwrap_err();
    refusals.push(("no manifest", error.to_string()));
    let copy = Copy::new();
    let mut refused = |what, manifest: &[u8]| {
        fs::write(copy.path().join("image.json"), manifest).unwrap();
        refusals.push((what, copy.refusal()));
    };
    refused("no JSON", b"\x7fELF");
    refused("cut off", &copy.manifest.to_string().as_bytes()[..100]);
    refused("too long", &vec![b' '; 300 << 10]);
    let mut changed = |what, change: fn(&mut Value)| {
        copy.change(change);
        refusals.push((what, copy.refusal()));
    };
    changed("another format", |manifest| manifest["format"] = 99.into());
    changed("another ABI", |manifest| manifest["abi"] = 99.into());
    changed("another language", |manifest| manifest["language"] = "cobol".into());
    changed("an unknown field", |manifest| manifest["surprise"] = true.into());
    changed("a field of another type", |manifest| manifest["files"] = json!([]));
    changed("a file outside", |manifest| manifest["files"]["../secret"] = json!({"sha256": "00", "size": 1}));
    changed("code outside", |manifest| manifest["compiled"]["wasmtime"]["file"] = "/bin/true".into());
    changed("code that is not listed", |manifest| manifest["compiled"]["wasmtime"]["file"] = "other.cwasm".into());
    changed("code for another engine", |manifest| manifest["compiled"] = json!({}));
    changed("code for another machine", |manifest| {
        manifest["compiled"]["wasmtime"]["target"] = "riscv64gc-unknown-linux-gnu".into();
    });
    assert_refusals("image-manifests", &refusals);
}

#[host_test]
fn image_files_that_differ_from_the_manifest_are_refused() {
    let copy = Copy::new();
    let code = copy.code();
    let mut refusals = Vec::new();
    copy.replace(&code[..code.len() / 2], false);
    refusals.push(("truncated", copy.refusal()));
    let mut flipped = code.clone();
    flipped[code.len() / 2] ^= 1;
    copy.replace(&flipped, false);
    refusals.push(("one bit flipped", copy.refusal()));
    copy.replace(b"", false);
    refusals.push(("empty", copy.refusal()));
    fs::remove_file(copy.path().join(CODE)).unwrap();
    refusals.push(("missing", copy.refusal()));
    fs::create_dir(copy.path().join(CODE)).unwrap();
    refusals.push(("a folder", copy.refusal()));
    assert_refusals("image-files", &refusals);
}

/// The manifest matches the file, so Wasmtime must detect the error.
#[host_test]
fn image_code_for_another_host_is_refused() {
    let copy = Copy::new();
    let code = copy.code();
    let mut refusals = Vec::new();
    let version = copy.manifest["compiled"]["wasmtime"]["version"].as_str().unwrap().to_owned();
    let other = format!("9{}", &version[1..]);
    copy.replace(&replaced(&code, version.as_bytes(), other.as_bytes()), true);
    let refusal = copy.refusal();
    assert!(refusal.contains(&version) && refusal.contains(&other), "both sides are named: {refusal}");
    refusals.push(("another version", refusal));
    copy.replace(&replaced(&code, b"x86_64-unknown-linux-gnu", b"x86_64-pc-windows-msvc.."), true);
    refusals.push(("another target", copy.refusal()));
    copy.replace(b"not even an ELF file", true);
    refusals.push(("something else", copy.refusal()));
    copy.replace(&code[..code.len() / 3], true);
    refusals.push(("cut off", copy.refusal()));
    copy.replace(&fs::read("/proc/self/exe").unwrap()[..1 << 20], true);
    refusals.push(("the beginning of a program", copy.refusal()));
    let wasm = fs::read(copy.original.join("guest.wasm")).unwrap();
    copy.replace(&wasm, true);
    refusals.push(("the portable component", copy.refusal()));
    assert_refusals("image-code", &refusals);
}

/// Replaces the first occurrence with something of the same length.
fn replaced(code: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let place = code.windows(old.len()).position(|window| window == old).expect("the code says what it is for");
    let mut code = code.to_vec();
    code[place..place + new.len()].copy_from_slice(new);
    code
}

#[host_test]
fn an_image_of_another_language_is_refused() {
    let copy = Copy::new();
    let error = Sandbox::builder().language(Language::Python).image(copy.path()).build().map(drop).unwrap_err();
    assert!(matches!(error, Error::InvalidArgument { .. }), "{error}");
    assert_refusals("image-language", &[("Python was asked for", error.to_string())]);
}

#[host_test]
fn image_verification_checks_files_that_are_not_loaded() {
    let copy = Copy::new();
    let component = copy.path().join("guest.wasm");
    fs::remove_file(&component).unwrap();
    fs::write(&component, b"changed").unwrap();
    let image = Image::open(copy.path()).unwrap();
    assert_refusals("image-verification", &[("the portable component", image.verify().unwrap_err().to_string())]);
    assert!(Sandbox::builder().image(copy.path()).build().is_ok(), "what is loaded is what was promised");
}
