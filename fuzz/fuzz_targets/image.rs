//! The manifest of an image: it names no file outside of the image, and is unchanged after writing and reading.

#![no_main]

use isolette::image::manifest::Manifest;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(manifest) = Manifest::parse(bytes) else { return };
    let compiled = manifest.compiled.values();
    let used = compiled.flat_map(|compiled| [Some(&compiled.file), compiled.runtime.as_ref()]).flatten();
    for name in used.chain(manifest.files.keys()).chain([&manifest.component]) {
        let path = std::path::Path::new("image").join(name);
        assert_eq!(path.parent(), Some("image".as_ref()), "{name:?}");
        assert_eq!(path.file_name(), Some(name.as_ref()), "{name:?}");
        assert!(manifest.files.contains_key(name), "the manifest has no digest of {name:?}");
    }
    let written = manifest.to_bytes().expect("a parsed manifest can be written");
    assert_eq!(Manifest::parse(&written).expect("a written manifest can be parsed"), manifest);
});
