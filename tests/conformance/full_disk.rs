//! Writing to a full disk.

use std::{fs, process::Command};

use isolette_tests::{Case, Skipped, SmallDisk, guests, host_test, isolette, scenario};
use serde_json::{Value, json};

#[scenario(programs = ["disk/fill"])]
fn a_full_disk_is_an_error_of_the_program(case: &Case) -> Result<(), Skipped> {
    let disk = SmallDisk::new(512)?;
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

/// The same without the right to mount anything: a shell limits the file size of its child.
#[host_test]
fn a_file_size_limit_of_the_host_is_an_error_of_the_program() {
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
