//! The header of an image: what is read names no file outside of the image, and is the same when it is written and read.

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
        assert!(manifest.files.contains_key(name), "nothing says what {name:?} must be");
    }
    let written = manifest.to_bytes().expect("it was read");
    assert_eq!(Manifest::parse(&written).expect("it was written"), manifest);
});
