//! A temporary `/output`, which is made when something uses it.

use super::*;

fn guest() -> Guest {
    let files = Files::new(&[]).unwrap().with_temporary_output().unwrap();
    Guest { files, quota: Quota::new(Arc::new(Limits::default())), locks: Locks::default() }
}

#[test]
fn temporary_output_is_not_made_for_questions_about_the_mounts() {
    let guest = guest();
    assert_eq!(guest.files.rule("/output/new").as_deref(), Some("/output (read-write)"));
    assert_eq!(guest.files.mounts().len(), 1);
    assert_eq!(guest.files.output(), (Vec::new(), false));
    assert!(guest.files.output_is_unused());
}

#[test]
fn temporary_output_is_made_by_the_first_call_and_removed_with_the_files() {
    let mut guest = guest();
    guest.write("/output/new", b"text").unwrap();
    assert!(!guest.files.output_is_unused());
    assert_eq!(guest.files.output().0.len(), 1);
    let path = guest.files.output_path().unwrap().to_owned();
    assert_eq!(std::fs::read(path.join("new")).unwrap(), b"text");
    drop(guest);
    assert!(!path.exists());
}

#[test]
fn temporary_output_exists_once_its_path_is_asked_for() {
    let files = guest().files;
    assert!(files.output_path().is_some_and(Path::is_dir));
}

#[test]
fn temporary_output_is_in_addition_to_other_mounts() {
    let directory = tempfile::tempdir().unwrap();
    let mount = |guest| Mount::new(directory.path(), guest, Access::ReadWrite).unwrap();
    let files = Files::new(&[mount("/data")]).unwrap();
    assert_eq!(files.with_temporary_output().unwrap().mounts().len(), 2);
    assert_eq!(files.mounts().len(), 1);
    let error = Files::new(&[mount("/output")]).unwrap().with_temporary_output().unwrap_err();
    assert!(error.to_string().contains("there are two mounts at `/output`"), "{error}");
}
