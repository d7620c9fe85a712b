//! The default locations of images.

use std::{
    env,
    ffi::OsString,
    fs,
    os::unix::ffi::{OsStrExt as _, OsStringExt as _},
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock, PoisonError},
};

use super::{Image, manifest};
use isolette_types::{Error, Language, is_image_name};

/// Levels above the folder of the running program. Three lead from a test in `target/debug/deps` to `target`.
const LEVELS: usize = 3;

/// The most entries of a folder that are examined.
const ENTRIES: usize = 10_000;

/// The folders of [`Image::search_in`].
static ADDED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

impl Image {
    /// Searches for images in a folder, before the default locations, from now on in the whole process: for embedders that
    /// install images elsewhere. The folder contains one directory for each image, named after it.
    pub fn search_in(folder: impl Into<PathBuf>) {
        let (folder, mut added) = (folder.into(), ADDED.lock().unwrap_or_else(PoisonError::into_inner));
        if !added.contains(&folder) {
            added.push(folder);
        }
    }

    /// Finds out where the running program is, from where [`Image::find`] searches from then on: for servers, which are upgraded
    /// while they run. The first search does the same, if it comes first.
    pub fn note_program() {
        program();
    }

    /// Finds the image for a language in the default locations: in an `images` folder beside the running program or up
    /// to three levels above it, where it was when it was first searched for, in `share/isolette/images` there, then in `share/isolette/images` of the user's data
    /// folder, of `/usr/local` and of `/usr`. The folders of [`Image::search_in`] come first. The first location with a manifest
    /// is used, or fails.
    ///
    /// # Errors
    /// [`Error::ImageNotFound`] with the searched locations; else as [`Image::open`].
    pub fn find(language: Language) -> Result<Self, Error> {
        find(language.image().name(), language.name())
    }

    /// Opens the image at a place: a path with a `/` is its directory, anything else its name, which is searched for in the
    /// default locations as by [`Image::find`]. `science` is short for `python-science`, the image with numpy and pandas.
    ///
    /// # Errors
    /// The errors of [`Image::find`].
    pub fn at(place: impl AsRef<Path>) -> Result<Self, Error> {
        let place = place.as_ref();
        if !is_image_name(place) {
            return Self::open(place);
        }
        let name = if place == Path::new("science") { "python-science".into() } else { place.to_string_lossy() };
        find(&name, &format!("`{}`", name.escape_debug()))
    }

    /// Lists the images in the default locations, sorted by name. Of several with one name, it lists the one that
    /// [`Image::at`] opens. The second list says what could not be opened.
    #[must_use]
    pub fn list() -> (Vec<Self>, Vec<Error>) {
        let (mut images, mut failures) = (Vec::<(String, Self)>::new(), Vec::new());
        for folder in folders() {
            let Ok(entries) = fs::read_dir(folder) else { continue };
            for entry in entries.take(ENTRIES).flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let is_known = images.iter().any(|(other, _)| *other == name);
                if is_known || name.starts_with('.') || !entry.path().join(manifest::FILE_NAME).exists() {
                    continue;
                }
                match Self::open(entry.path()) {
                    Ok(image) => images.push((name, image)),
                    Err(error) => failures.push(error),
                }
            }
        }
        images.sort_by(|(left, _), (right, _)| left.cmp(right));
        (images.into_iter().map(|(_, image)| image).collect(), failures)
    }

    /// Returns the folder of the user's own images: `isolette/images` in the data folder (`$XDG_DATA_HOME`, else `~/.local/share`). `None`
    /// without a home.
    #[must_use]
    pub fn user_folder() -> Option<PathBuf> {
        Some(data_folder()?.join("isolette/images"))
    }
}

fn find(name: &str, wanted: &str) -> Result<Image, Error> {
    let searched: Vec<_> = folders().map(|folder| folder.join(name)).collect();
    match searched.iter().find(|directory| directory.join(manifest::FILE_NAME).exists()) {
        Some(directory) => Image::open(directory),
        None => Err(Error::ImageNotFound { wanted: wanted.to_owned(), searched }),
    }
}

fn data_folder() -> Option<PathBuf> {
    let named = env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    named.or_else(|| Some(env::home_dir()?.join(".local/share")))
}

/// The path of the running program, as it was when this was first called: its file may be moved, removed or replaced later.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let path = env::current_exe().unwrap_or_default();
        path.canonicalize().unwrap_or_else(|_| without_mark(path))
    })
}

/// The path that the system reports for a program whose file was removed or replaced, without the mark at its end (proc(5)).
fn without_mark(path: PathBuf) -> PathBuf {
    match path.as_os_str().as_bytes().strip_suffix(b" (deleted)") {
        Some(before) => OsString::from_vec(before.to_vec()).into(),
        None => path,
    }
}

/// All folders with images, in the order of the search.
fn folders() -> impl Iterator<Item = PathBuf> {
    let above: Vec<_> = program().ancestors().skip(1).take(LEVELS).map(Path::to_owned).collect();
    let beside = above.into_iter().flat_map(|folder| [folder.join("images"), folder.join("share/isolette/images")]);
    let shared = ["/usr/local/share", "/usr/share"].map(|folder| Path::new(folder).join("isolette/images"));
    let added = ADDED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    added.into_iter().chain(beside).chain(Image::user_folder()).chain(shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_program_that_was_removed_is_known() {
        for (reported, path) in [("/a/b (deleted)", "/a/b"), ("/a (deleted)/b", "/a (deleted)/b"), ("/a/b", "/a/b")] {
            assert_eq!(without_mark(reported.into()), Path::new(path));
        }
    }

    #[test]
    fn an_image_that_is_nowhere_is_reported_with_the_places() {
        let error = Image::at("no-such-image").unwrap_err();
        assert!(matches!(&error, Error::ImageNotFound { searched, .. } if searched.len() > 3), "{error}");
        assert!(error.to_string().starts_with("no image for `no-such-image`: looked in `/"), "{error}");
    }
}
