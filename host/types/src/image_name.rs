//! Names of images, as opposed to their directories.

use std::path::{Component, Path};

/// Whether a place is the name of an image, which is searched for in the folders of images: one component without a `/`. Anything
/// else is a directory.
#[must_use]
pub fn is_image_name(place: &Path) -> bool {
    let mut components = place.components();
    let is_plain = matches!((components.next(), components.next()), (Some(Component::Normal(_)), None));
    is_plain && !place.as_os_str().as_encoded_bytes().contains(&b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_separator_is_a_directory() {
        for name in ["python", "science-2.1"] {
            assert!(is_image_name(Path::new(name)), "{name}");
        }
        for directory in ["./python", "python/", "/images/python", "..", ".", "", "images/python"] {
            assert!(!is_image_name(Path::new(directory)), "{directory}");
        }
    }
}
