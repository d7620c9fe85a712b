//! The pictures that a page shows: so many that a browser shows it at once, and that it can be sent.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

use crate::document::File;

/// Number of bytes by which pictures are recognised.
const SIGNATURE: u64 = 12;

impl File {
    /// Maximum length of a picture that a page shows, in bytes.
    pub const PICTURE_BYTES: u64 = 2 << 20;

    /// The length of so many bytes in base64.
    #[must_use]
    pub fn base64_length(bytes: u64) -> u64 {
        bytes.div_ceil(3).saturating_mul(4)
    }
}

/// The pictures of one page.
#[derive(Clone, Debug, Default)]
pub struct Pictures {
    count: usize,
    bytes: u64,
    left_out: usize,
}

impl Pictures {
    /// Maximum number of pictures of a page.
    pub const COUNT: usize = 50;

    /// Maximum length of all pictures of a page together, in bytes.
    pub const BYTES: u64 = 16 << 20;

    /// The number of bytes of a file that are needed: all of a picture that can be shown, and of others the beginning.
    #[must_use]
    pub fn wanted(&self, file: &File) -> u64 {
        let has_room = self.count < Self::COUNT && file.size <= Self::BYTES - self.bytes;
        if has_room && file.size <= File::PICTURE_BYTES { file.size } else { SIGNATURE }
    }

    /// Adds the bytes that are [wanted](Self::wanted) to a file, if they are those that the result names, and a picture that a page can
    /// show. Counts pictures for which there is no room.
    pub fn add(&mut self, file: &mut File, bytes: &[u8]) {
        if !is_picture(bytes) {
            return;
        }
        if bytes.len() as u64 != file.size || self.count == Self::COUNT {
            self.left_out += 1;
            return;
        }
        if file.sha256.as_ref() == Some(&hex::encode(Sha256::digest(bytes))) {
            self.count += 1;
            self.bytes += file.size;
            file.base64 = Some(STANDARD.encode(bytes));
        }
    }

    /// A note for readers, if there are pictures that are not shown. `place` says where they are.
    #[must_use]
    pub fn note(&self, place: &str) -> Option<String> {
        let (left_out, count, all, one) = (self.left_out, Self::COUNT, Self::BYTES >> 20, File::PICTURE_BYTES >> 20);
        (left_out > 0).then(|| {
            format!(
                "{left_out} more pictures are not shown: a page has at most {count}, of {one} MiB each and {all} MiB together; \
                 {place}."
            )
        })
    }
}

fn is_picture(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n")
        || bytes.starts_with(b"\xff\xd8\xff")
        || bytes.starts_with(b"GIF8")
        || (bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds a picture of this length. Returns whether it is shown.
    fn add(pictures: &mut Pictures, length: u64) -> bool {
        let mut bytes = b"GIF8".to_vec();
        bytes.resize(usize::try_from(length).unwrap(), 0);
        let sha256 = Some(hex::encode(Sha256::digest(&bytes)));
        let mut file = File { path: "/output/a".into(), size: length, sha256, base64: None };
        let wanted = usize::try_from(pictures.wanted(&file)).unwrap();
        pictures.add(&mut file, &bytes[..wanted.min(bytes.len())]);
        file.base64.is_some_and(|text| text.len() as u64 == File::base64_length(length))
    }

    #[test]
    fn a_page_has_some_pictures_and_counts_the_others() {
        let mut pictures = Pictures::default();
        let shown = (0..60).filter(|_| add(&mut pictures, 100)).count();
        assert_eq!((shown, pictures.left_out), (50, 10));
        let mut pictures = Pictures::default();
        let shown = (0..20).filter(|_| add(&mut pictures, File::PICTURE_BYTES)).count();
        assert_eq!((shown, pictures.left_out), (8, 12));
        // One that is too large is left out, and does not take the place of others.
        let mut pictures = Pictures::default();
        assert!(!add(&mut pictures, File::PICTURE_BYTES + 1) && add(&mut pictures, 13) && add(&mut pictures, 4));
        assert!(pictures.note("they are in a folder").unwrap().starts_with("1 more pictures are not shown: "));
        assert_eq!(Pictures::default().note(""), None);
    }

    #[test]
    fn only_pictures_that_are_as_the_result_says_are_shown() {
        let mut pictures = Pictures::default();
        let picture = b"\xff\xd8\xffjpeg";
        let sha256 = Some(hex::encode(Sha256::digest(picture)));
        let mut file = File { path: "a".into(), size: 7, sha256: sha256.clone(), base64: None };
        pictures.add(&mut file, b"\xff\xd8\xffxxxx");
        assert_eq!(file.base64, None);
        pictures.add(&mut file, picture);
        assert_eq!(file.base64, Some(STANDARD.encode(picture)));
        let mut text = File { path: "b".into(), size: 4, sha256, base64: None };
        pictures.add(&mut text, b"text");
        assert_eq!((text.base64, pictures.left_out), (None, 0));
    }
}
