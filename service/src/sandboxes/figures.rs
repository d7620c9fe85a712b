//! The figures that programs show: matplotlib's `show()` writes them to `/output/figure-N.png` in the guest.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use super::Folder;
use crate::failure::Failure;

/// The numbers of the figures that are known, `None` before the first program.
#[derive(Default)]
pub(crate) struct Figures(Mutex<Option<BTreeSet<u32>>>);

impl Figures {
    /// Records the figures that exist before a program runs. A figure that was removed can be shown again.
    pub(crate) fn before_run(&self, folder: &Folder) -> Result<(), Failure> {
        let present = present(folder)?;
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *known {
            Some(known) => known.retain(|number| present.contains(number)),
            None => *known = Some(present),
        }
        Ok(())
    }

    /// The paths of the figures that were not known, which they are from now on: each is returned once, by number.
    pub(crate) fn new_ones(&self, folder: &Folder) -> Result<Vec<String>, Failure> {
        let present = present(folder)?;
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        let new = present.into_iter().filter(|&number| known.insert(number));
        Ok(new.map(|number| format!("/output/figure-{number}.png")).collect())
    }
}

fn present(folder: &Folder) -> Result<BTreeSet<u32>, Failure> {
    let (files, _) = folder.list("/output")?;
    let number = |name: &str| name.strip_prefix("figure-")?.strip_suffix(".png")?.parse().ok();
    Ok(files.iter().filter_map(|file| number(&file.name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_figure_is_new_once() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::of(root.path().to_owned());
        folder.create().unwrap();
        let write = |name: &str| folder.write(&format!("/output/{name}"), b"picture").unwrap();
        let figures = Figures::default();
        write("figure-1.png");
        figures.before_run(&folder).unwrap();
        ["figure-10.png", "figure-2.png", "figure-x.png", "figure-3.svg"].into_iter().for_each(write);
        assert_eq!(figures.new_ones(&folder).unwrap(), ["/output/figure-2.png", "/output/figure-10.png"]);
        assert!(figures.new_ones(&folder).unwrap().is_empty());
        folder.delete("/output/figure-2.png").unwrap();
        figures.before_run(&folder).unwrap();
        write("figure-2.png");
        assert_eq!(figures.new_ones(&folder).unwrap(), ["/output/figure-2.png"]);
    }
}
