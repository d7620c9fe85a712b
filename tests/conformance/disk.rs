//! A disk that is full.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use isolette_tests::{Case, Skipped, conformance, guests, host_tests, isolette};
use serde_json::{Value, json};
use tempfile::TempDir;

conformance! {
    a_full_disk_is_an_error_of_the_program with "disk/fill";
}

host_tests! {
    a_file_that_may_not_grow_is_an_error_of_the_program;
}

/// A file system of its own, of half a megabyte. It is gone when this is dropped.
struct SmallDisk(TempDir);

impl SmallDisk {
    fn new() -> Result<Self, Skipped> {
        let directory = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=512k", "isolette-test"])
            .arg(directory.path())
            .stderr(Stdio::piped())
            .output();
        match mounted {
            Ok(output) if output.status.success() => Ok(Self(directory)),
            Ok(output) => Err(Skipped(format!(
                "a small file system cannot be mounted: {}",
                String::from_utf8_lossy(&output.stderr).trim().replace('\n', " ")
            ))),
            Err(error) => Err(Skipped(format!("there is no `mount`: {error}"))),
        }
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily, since a guest's thread may still hold a handle on it.
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).status();
    }
}

fn a_full_disk_is_an_error_of_the_program(case: &Case) -> Result<(), Skipped> {
    let disk = SmallDisk::new()?;
    let sandbox = case.builder().output_dir(disk.path()).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    assert_eq!(result.value, Some(json!("ENOSPC")));
    assert_eq!(result.stdout, "still here\n");
    let kept = fs::metadata(disk.path().join("full.bin")).unwrap().len();
    assert!((1..=512 << 10).contains(&kept), "what fitted is kept: {kept}");
    assert_eq!(result.files[0].size, kept);
    fs::remove_file(disk.path().join("full.bin")).unwrap();
    assert_eq!(sandbox.run("1 + 1").unwrap().value, Some(json!(2)));
    Ok(())
}

/// The same for whoever is not allowed to mount anything: a shell forbids its child to write long files.
fn a_file_that_may_not_grow_is_an_error_of_the_program() {
    for language in guests::LANGUAGES {
        let output = tempfile::tempdir().unwrap();
        let program = guests::folder().join(format!("disk/fill.{}", guests::ending(language)));
        let finished = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 512; exec \"$@\"", "sh"])
            .arg(isolette().get_program())
            .arg("run")
            .arg(program)
            .arg("--output")
            .arg(output.path())
            .arg("--json")
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&finished.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", isolette_tests::transcript(&finished)));
        assert_eq!(report["value"], "EFBIG");
        assert_eq!(report["stdout"], "still here\n");
        assert!(fs::metadata(output.path().join("full.bin")).unwrap().len() <= 512 << 10);
    }
}
