//! Mounts, output files and quotas.

use std::{collections::BTreeMap, fs, os::unix::fs::symlink, path::Path};

use isolette::{
    CancellationToken, Error, LimitHit, LimitName, OutputFile, RunOptions, Sandbox, audit::Audit, policy::Access,
    policy::Limits,
};
use isolette_abi::CHUNK_LIMIT;
use isolette_agent::CodeActProvider;
use isolette_tests::{Case, scenario};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::audit::Kept;

const NOTES: &str = "one\ntwo and a half\nthree\n";

fn input() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("notes.txt"), NOTES).unwrap();
    directory
}

fn sandbox(case: &Case, input: &TempDir) -> Sandbox {
    case.builder().input_dir(input).temp_output().build().unwrap()
}

#[scenario(programs = ["files/report"])]
fn output_files_come_back_unchanged(case: &Case) {
    let input = input();
    let sandbox = sandbox(case, &input);
    let result = sandbox.run(&case.program()).unwrap();
    assert!(result.success(), "{result:?}");
    let report = b"3 notes, the longest: two and a half\n".to_vec();
    let binary: Vec<u8> = (0..=255).chain([0xff, 0xfe, 0x00, 0x80]).collect();
    let expected = [("/output/a/b.bin", &binary), ("/output/report.txt", &report)];
    assert_eq!(result.files.len(), expected.len(), "{:?}", result.files);
    for (file, (path, bytes)) in result.files.iter().zip(expected) {
        assert_eq!((&*file.path, file.size), (path, bytes.len() as u64));
        assert_eq!(file.sha256, Some(hex::encode(Sha256::digest(bytes))));
        let kept = result.output_path().unwrap().join(path.strip_prefix("/output/").unwrap());
        assert_eq!(fs::read(kept).unwrap(), *bytes);
    }
    assert_eq!(result.list_output(), result.files);
}

/// The longest replies carry a whole chunk of the file, and are longer than one by their encoding.
#[scenario(programs = ["files/long_reads"])]
fn a_long_file_is_read_whole_and_in_parts(case: &Case) {
    let input = tempfile::tempdir().unwrap();
    let mut expected = BTreeMap::new();
    for length in [CHUNK_LIMIT - 1, CHUNK_LIMIT, CHUNK_LIMIT + 1, 3 * CHUNK_LIMIT + 7] {
        // Any two parts differ, so one that is lost, repeated or misplaced changes the digest.
        let blocks = (0_u64..).flat_map(|number| Sha256::digest(number.to_le_bytes()));
        let bytes: Vec<u8> = blocks.take(length).collect();
        fs::write(input.path().join(length.to_string()), &bytes).unwrap();
        expected.insert(length.to_string(), vec![hex::encode(Sha256::digest(&bytes)); 9]);
    }
    let kept = Kept::default();
    let audit = Audit::new(kept.clone()).unwrap();
    let sandbox = case.builder().input_dir(&input).temp_output().audit(&audit).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    assert!(result.success(), "{result:?}");
    assert_eq!(result.value, Some(json!(expected)));
    let longest = kept
        .calls()
        .iter()
        .filter(|call| call["operation"] == "read")
        .filter_map(|call| call["bytes_in"].as_u64())
        .max();
    assert!(longest > Some(CHUNK_LIMIT as u64), "{longest:?}");
}

#[scenario(programs = ["files/sparse"])]
fn a_sparse_file_of_a_terabyte_is_listed(case: &Case) {
    let mut limits = Limits::default();
    (limits.file_bytes, limits.file_total_bytes) = (Limits::UNLIMITED, Limits::UNLIMITED);
    let sandbox = case.builder().limits(limits).temp_output().build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    assert!(result.success(), "{result:?}");
    let [long, short] = &*result.files else { panic!("{:?}", result.files) };
    assert_eq!((&*long.path, long.size, &long.sha256), ("/output/long.bin", 1 << 40, &None));
    assert_eq!((&*short.path, short.size), ("/output/short.bin", 5));
    assert_eq!(short.sha256, Some(hex::encode(Sha256::digest(b"short"))));
}

#[scenario(programs = ["files/write_to_input"])]
fn the_input_mount_is_read_only(case: &Case) {
    let input = input();
    fs::create_dir(input.path().join("kept")).unwrap();
    let result = sandbox(case, &input).run(&case.program()).unwrap();
    let answers: BTreeMap<String, String> = serde_json::from_value(result.value.unwrap()).unwrap();
    assert_eq!(answers.len(), case.pick(12, 14));
    for (attempt, answer) in answers {
        assert_eq!(answer, "EACCES", "{attempt}: an error with the code and the path");
    }
    assert_eq!(fs::read_to_string(input.path().join("notes.txt")).unwrap(), NOTES);
    assert_eq!(fs::read_dir(input.path()).unwrap().count(), 2);
}

#[scenario(programs = ["files/leave_and_look"])]
fn every_run_starts_with_an_empty_output(case: &Case) {
    let input = input();
    let sandbox = sandbox(case, &input);
    for _ in 0..3 {
        let result = sandbox.run(&case.program()).unwrap();
        assert_eq!(result.value, Some(json!([])), "{result:?}");
        assert_eq!(paths(&result.files), ["/output/left.txt"]);
    }
}

#[scenario(programs = ["files/leave_and_look"])]
fn a_session_keeps_its_output_files(case: &Case) {
    let input = input();
    let sandbox = sandbox(case, &input);
    let mut session = sandbox.session().unwrap();
    assert_eq!(session.run(&case.program()).unwrap().value, Some(json!([])));
    for _ in 0..2 {
        let result = session.run(&case.program()).unwrap();
        assert_eq!(result.value, Some(json!(["left.txt", "left.txt"])), "{result:?}");
    }
    let other = sandbox.session().unwrap().run(&case.program()).unwrap();
    assert_eq!(other.value, Some(json!([])), "another session has files of its own");
}

#[scenario(programs = ["files/leave_and_look"])]
fn a_given_output_directory_is_kept(case: &Case) {
    let output = tempfile::tempdir().unwrap();
    let sandbox = case.builder().output_dir(&output).build().unwrap();
    assert_eq!(sandbox.run(&case.program()).unwrap().value, Some(json!([])));
    assert_eq!(sandbox.run(&case.program()).unwrap().value, Some(json!(["left.txt"])), "/tmp is new in every run");
    assert_eq!(fs::read_to_string(output.path().join("left.txt")).unwrap(), "left behind");
}

/// A directory with existing files, one of which stays unchanged.
fn older() -> TempDir {
    let output = tempfile::tempdir().unwrap();
    fs::create_dir(output.path().join("old")).unwrap();
    for name in ["untouched.txt", "written.txt", "cut.txt", "old/kept.txt"] {
        fs::write(output.path().join(name), "from before").unwrap();
    }
    output
}

#[scenario(programs = ["files/changes"])]
fn a_run_lists_the_files_that_it_changed(case: &Case) {
    let (one, other) = (older(), older());
    let sandbox = case.builder().output_dir(&one).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    let there = json!(["cut.txt", "empty", "moved.txt", "new.txt", "renamed", "untouched.txt", "written.txt"]);
    assert_eq!(result.value, Some(there), "{result:?}");
    let changed = ["cut.txt", "moved.txt", "new.txt", "renamed/kept.txt", "written.txt"];
    let changed = changed.map(|name| format!("/output/{name}"));
    assert_eq!(paths(&result.files), changed);
    let sizes: Vec<_> = result.files.iter().map(|file| file.size).collect();
    assert_eq!(sizes, [1, 6, 3, 11, 15]);
    assert!(!result.truncated.files && result.files.iter().all(|file| file.sha256.is_some()));

    let result = sandbox.run("1 + 1").unwrap();
    assert_eq!(paths(&result.files), [""; 0], "it has changed nothing");
    let all = result.list_output();
    assert_eq!(all.len(), 6, "{all:?}");
    assert!(paths(&all).contains(&"/output/untouched.txt"));

    // An awaited run returns the same.
    let sandbox = case.builder().output_dir(&other).build().unwrap();
    let code = case.program();
    let result = futures::executor::block_on(sandbox.run_async(&code, RunOptions::new())).unwrap();
    assert_eq!(paths(&result.files), changed);
}

#[scenario]
fn only_changed_files_of_an_output_directory_are_returned(case: &Case) {
    let output = tempfile::tempdir().unwrap();
    for number in 0..30 {
        fs::write(output.path().join(number.to_string()), "from before").unwrap();
    }
    let (case, folder) = (*case, output.path().to_owned());
    let provider = CodeActProvider::new(move || case.builder().output_dir(&folder));
    let write = case.pick("open('/output/0', 'w').write('x')", "write_file('/output/0', 'x')");
    let result = provider.execute_code_blocking(write).unwrap();
    assert!(result.success(), "{:?}", result.error);
    assert_eq!(paths(&result.files), ["/output/0"]);
}

/// A cancelled run does not wait for digests.
#[scenario]
fn a_stopped_run_lists_its_files(case: &Case) {
    let code = case.pick(
        "open('/output/a.txt', 'w').write('abc')\nprint('x', flush=True)\nwhile True: pass",
        "write_file('/output/a.txt', 'abc'); console.log('x'); setTimeout(() => { for (;;); }, 1)",
    );
    let sandbox = case.builder().temp_output().build().unwrap();
    let stop = || {
        let token = CancellationToken::new();
        let in_callback = token.clone();
        RunOptions::new().cancel(token).on_output(move |_, _| in_callback.cancel())
    };
    let waited = sandbox.run_with(code, stop()).unwrap_err();
    let awaited = futures::executor::block_on(sandbox.run_async(code, stop())).unwrap_err();
    for error in [waited, awaited] {
        assert!(matches!(error, Error::Cancelled { .. }), "{error}");
        let partial = error.partial().unwrap();
        let files: Vec<_> = partial.files.iter().map(|file| (&*file.path, file.size, &file.sha256)).collect();
        assert_eq!(files, [("/output/a.txt", 3, &None)]);
        assert_eq!(partial.read_output("/output/a.txt", 10).unwrap(), b"abc");
    }
}

#[scenario(programs = ["files/way_out"])]
fn no_path_leads_out_of_a_mount(case: &Case) {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.txt"), "secret").unwrap();
    let input = outside.path().join("input");
    fs::create_dir(&input).unwrap();
    symlink(outside.path(), input.join("link")).unwrap();
    symlink(outside.path().join("secret.txt"), input.join("absolute")).unwrap();
    symlink(Path::new("../secret.txt"), input.join("relative")).unwrap();
    let result = case.builder().input_dir(&input).build().unwrap().run(&case.program()).unwrap();
    let answers: BTreeMap<String, String> = serde_json::from_value(result.value.unwrap()).unwrap();
    let refused = case.pick(["FileNotFoundError", "PermissionError"], ["ENOENT", "EACCES"]);
    for (path, answer) in answers {
        assert!(refused.contains(&&*answer) || answer == "EPERM", "{path}: {answer}");
    }
}

#[scenario]
fn a_mount_appears_at_its_path(case: &Case) {
    let directory = input();
    let sandbox = case.builder().mount(&directory, "/data/of/the/house", Access::ReadOnly).build().unwrap();
    let read = case.pick("open('/data/of/the/house/notes.txt').read()", "read_file('/data/of/the/house/notes.txt')");
    assert_eq!(sandbox.run(read).unwrap().value, Some(json!(NOTES)));
}

#[scenario]
fn a_read_write_mount_can_be_changed(case: &Case) {
    let directory = input();
    let sandbox = case.builder().mount(&directory, "/work", Access::ReadWrite).build().unwrap();
    let change = case.pick(
        "import os\nopen('/work/notes.txt', 'a').write('four\\n')\nos.rename('/work/notes.txt', '/work/more.txt')",
        "const fs = await import('fs'); fs.appendFileSync('/work/notes.txt', 'four\\n'); \
         fs.renameSync('/work/notes.txt', '/work/more.txt')",
    );
    let result = sandbox.run(change).unwrap();
    assert!(result.success(), "{result:?}");
    assert_eq!(fs::read_to_string(directory.path().join("more.txt")).unwrap(), format!("{NOTES}four\n"));
    assert!(!directory.path().join("notes.txt").exists());
}

#[scenario]
fn there_are_no_files_without_mounts(case: &Case) {
    let look =
        case.pick("import os\nsorted(os.listdir('/'))", "const fs = await import('fs'); fs.readdirSync('/').sort()");
    let value = case.sandbox().run(look).unwrap().value.unwrap();
    assert_eq!(value, Value::from(vec!["tmp"]));
}

fn paths(files: &[OutputFile]) -> Vec<&str> {
    files.iter().map(|file| &*file.path).collect()
}

/// Each attempt exceeds one quota, and the program continues.
#[scenario(programs = ["files/quotas"])]
fn written_files_have_quotas(case: &Case) {
    let mut limits = Limits::default();
    (limits.file_bytes, limits.file_total_bytes) = (1000, 2500);
    (limits.file_count, limits.file_depth, limits.file_name_bytes) = (12, 4, 20);
    let sandbox = case.builder().limits(limits).temp_output().build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    let answers: BTreeMap<String, String> = serde_json::from_value(result.value.clone().expect("answers")).unwrap();
    let expected = [
        ("a deep directory", "ENAMETOOLONG"),
        ("a directory moved deeper", "ENAMETOOLONG"),
        ("a file that fits", "ok"),
        ("a long file", "EFBIG"),
        ("a long name", "ENAMETOOLONG"),
        ("a stretched file", "EFBIG"),
        ("another after one was removed", "ok"),
        ("as many as there may be", "ok"),
        ("one too many", "ENOSPC"),
        ("the third file that fits", "ENOSPC"),
        ("the third file, after one was cut", "ok"),
    ];
    let expected: BTreeMap<_, _> = expected.map(|(what, answer)| (what.to_owned(), answer.to_owned())).into();
    similar_asserts::assert_eq!(expected: expected, answers: answers);
    let mut reached: Vec<_> = result.limits_reached.iter().map(|limit_hit| (limit_hit.name, limit_hit.limit)).collect();
    reached.sort_unstable_by_key(|(name, _)| name.as_str());
    let names = [
        (LimitName::FileBytes, 1000),
        (LimitName::FileCount, 12),
        (LimitName::FileDepth, 4),
        (LimitName::FileNameBytes, 20),
        (LimitName::FileTotalBytes, 2500),
    ];
    assert_eq!(reached, names);
    let reported = result.limits_reached.iter().map(LimitHit::to_string).collect::<String>();
    assert!(reported.contains("hint: raise `limits.file_bytes` in the policy"), "{reported}");
}

/// A file with several names is on the disk once, and counts until its last name is removed.
#[scenario(programs = ["files/links"])]
fn removing_links_frees_no_quota(case: &Case) {
    let output = tempfile::tempdir().unwrap();
    let path = |name: &str| output.path().join(name);
    fs::create_dir(path("folder")).unwrap();
    fs::write(path("file"), "").unwrap();
    for name in ["soft1", "soft2", "soft3"] {
        symlink("file", path(name)).unwrap();
    }
    symlink("../file", path("folder/up")).unwrap();
    for name in ["hard1", "hard2", "hard3"] {
        fs::hard_link(path("file"), path(name)).unwrap();
    }
    let mut limits = Limits::default();
    limits.file_total_bytes = 1000;
    let sandbox = case.builder().limits(limits).mount(output.path(), "/output", Access::ReadWrite).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    let expected = [vec!["ENOSPC"; 6], vec!["ok"]].concat();
    similar_asserts::assert_eq!(expected: Some(json!(expected)), found: result.value);
    assert_eq!(fs::metadata(path("more")).unwrap().len(), 900);
}
