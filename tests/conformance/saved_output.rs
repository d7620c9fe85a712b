//! Files that paused programs have written, once the programs continue in other sandboxes.

use isolette::{Error, RunOptions, Sandbox, SavedRun};
use isolette_tests::{Case, Skipped, engines, scenario};
use serde_json::json;

use crate::{
    pauses::{builder, done, paused, program, value},
    saved_pauses::key,
};

#[scenario(programs = ["pauses/output"])]
fn a_temporary_output_moves_with_its_program(case: &Case) -> Result<(), Skipped> {
    let temporary = || builder(case).map(|builder| builder.temp_output().build().unwrap());
    let mut run = paused(temporary()?.start(&program(case, "output")).unwrap());
    let file = run.to_bytes(&key()).unwrap();
    drop(run);
    let load = |sandbox: &Sandbox| {
        sandbox.paused_from(&SavedRun::from_bytes(file.clone(), &key()).unwrap(), RunOptions::new())
    };
    let result = done(load(&temporary()?).unwrap().resume(value(1)).unwrap());
    assert_eq!(result.value, Some(json!([true, 259])), "{:?}", result.error);
    let files: Vec<_> = result.files.iter().map(|file| (&*file.path, file.size)).collect();
    assert_eq!(files, [("/output/reports/first.bin", 259), ("/output/second.txt", 6)]);
    let first = result.read_output("/output/reports/first.bin", 1000).unwrap();
    assert_eq!(first, (0..=255).chain(*b"end").collect::<Vec<u8>>());
    // The limits on files of the sandbox that loads it apply, and the program still waits in its file.
    let mut limits = case.limits();
    limits.file_bytes = 255;
    let limited = builder(case)?.temp_output().limits(limits).build().unwrap();
    let refused = load(&limited).unwrap_err();
    assert!(matches!(refused, Error::LimitExceeded { limit: 255, used: 256, .. }), "{refused}");
    // A directory that is mounted there has the files that it has.
    let folder = tempfile::tempdir().unwrap();
    let mounted = builder(case)?.output_dir(folder.path()).build().unwrap();
    let result = done(load(&mounted).unwrap().resume(value(1)).unwrap());
    assert!(result.error.is_some(), "{:?}", result.value);
    Ok(())
}

/// The result names what was written before the pause as well, and it counts.
#[scenario(programs = ["pauses/output"])]
fn files_that_were_written_before_a_pause_count(case: &Case) -> Result<(), Skipped> {
    if engines::emulated() {
        return Err(Skipped("each file has all memory of a micro-VM, and an emulated machine needs a minute".into()));
    }
    let folder = tempfile::tempdir().unwrap();
    let mounted = |limits| builder(case).map(|it| it.output_dir(folder.path()).limits(limits).build().unwrap());
    let file = paused(mounted(case.limits())?.start(&program(case, "output")).unwrap()).to_bytes(&key()).unwrap();
    let load = |sandbox: &Sandbox| {
        sandbox.paused_from(&SavedRun::from_bytes(file.clone(), &key()).unwrap(), RunOptions::new()).unwrap()
    };
    let result = done(load(&mounted(case.limits())?).resume(value(1)).unwrap());
    assert_eq!(result.value, Some(json!([true, 259])), "{:?}", result.error);
    let paths: Vec<_> = result.files.iter().map(|file| &*file.path).collect();
    assert_eq!(paths, ["/output/reports/first.bin", "/output/second.txt"]);
    // 256 bytes and two directories and a file were before; another file does not fit any more.
    std::fs::remove_file(folder.path().join("second.txt")).unwrap();
    let mut limits = case.limits();
    limits.file_count = 3;
    let result = done(load(&mounted(limits)?).resume(value(1)).unwrap());
    assert!(result.limits_reached.iter().any(|hit| hit.limit == 3), "{:?}", result.limits_reached);
    Ok(())
}

#[scenario]
fn an_output_that_is_too_large_is_not_saved(case: &Case) -> Result<(), Skipped> {
    let sandbox = builder(case)?.temp_output().build().unwrap();
    let code = case.pick(
        "for number in range(1001):\n    open(f'/output/{number}', 'w').close()\ncall_tool('ask', number=1)",
        "for (let number = 0; number < 1001; number++) require('fs').writeFileSync(`/output/${number}`, '');\n\
         call_tool('ask', {number: 1})",
    );
    let mut run = paused(sandbox.start(code).unwrap());
    let refused = run.to_bytes(&key()).unwrap_err().to_string();
    assert!(refused.contains("its temporary /output has more than 1000 files and directories"), "{refused}");
    assert_eq!(done(run.resume(value(3)).unwrap()).value, Some(json!(3)), "it can be answered here");
    Ok(())
}
