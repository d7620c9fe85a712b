//! Images whose guests start in the state after a set-up program.

use std::{collections::HashSet, fs, path::PathBuf};

use isolette::{
    Answer, Error, Image, Isolation, RunOptions, Sandbox, SandboxBuilder, SavedRun, SnapshotKey, Step, Tool, WarmImage,
    policy::Access,
};
use isolette_tests::{Case, Skipped, engines, guests, scenario};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A warm image in a folder of its own.
struct Warm {
    folder: TempDir,
}

impl Warm {
    /// Makes the image with a set-up program, unless the isolation saves no states.
    fn with(case: &Case, code: &str) -> Result<Self, Skipped> {
        if case.isolation == Isolation::Wasm {
            return Err(Skipped("`wasm` does not save states".into()));
        }
        let folder = tempfile::tempdir().unwrap();
        let mut image = WarmImage::new("prepared", code).unwrap();
        let result = image.set_up(&case.sandbox(), RunOptions::new().filename("set_up")).unwrap();
        assert!(result.success(), "{:?}", result.error);
        let made = image.save(folder.path().join("prepared")).unwrap();
        made.verify().unwrap();
        assert_eq!((made.manifest().name.as_str(), made.language()), ("prepared", case.language.image()));
        Ok(Self { folder })
    }

    /// The same with the state of `warm/set_up`.
    fn new(case: &Case) -> Result<Self, Skipped> {
        not_emulated(case)?;
        Self::with_set_up(case)
    }

    fn with_set_up(case: &Case) -> Result<Self, Skipped> {
        Self::with(case, &program(case, "set_up"))
    }

    fn directory(&self) -> PathBuf {
        self.folder.path().join("prepared")
    }

    fn builder(&self, case: &Case) -> SandboxBuilder {
        case.builder().image(self.directory())
    }

    fn sandbox(&self, case: &Case) -> Sandbox {
        self.builder(case).build().unwrap()
    }
}

/// To make an image in an emulated micro-VM takes a minute.
fn not_emulated(case: &Case) -> Result<(), Skipped> {
    if case.isolation == Isolation::MicroVm && engines::emulated() {
        return Err(Skipped("an emulated machine is too slow to make as many images".into()));
    }
    Ok(())
}

/// The program `warm/<name>` in the language of the case.
fn program(case: &Case, name: &str) -> String {
    guests::read(&format!("warm/{name}"), case.language)
}

fn unchanged() -> Value {
    json!([144, 20_000, "from the set-up", [1], false])
}

#[scenario(programs = ["warm/set_up", "warm/use"])]
fn every_program_starts_after_the_set_up(case: &Case) -> Result<(), Skipped> {
    let warm = Warm::with_set_up(case)?;
    let sandbox = warm.sandbox(case);
    for _ in 0..6 {
        let result = sandbox.run(&program(case, "use")).unwrap();
        assert_eq!(result.value, Some(unchanged()), "{:?}", result.error);
        // Exit handlers are a matter of Python.
        assert_eq!(result.stdout, case.pick("the program ends\n", ""));
    }
    Ok(())
}

#[scenario(programs = ["warm/set_up", "warm/use"])]
fn sessions_and_their_snapshots_start_after_it_too(case: &Case) -> Result<(), Skipped> {
    let warm = Warm::new(case)?;
    let sandbox = warm.sandbox(case);
    let mut session = sandbox.session().unwrap();
    assert_eq!(session.run("square(3)").unwrap().value, Some(json!(9)));
    let snapshot = session.snapshot().unwrap();
    assert_eq!(session.run(&program(case, "use")).unwrap().value, Some(unchanged()));
    assert_eq!(session.run(case.pick("len(table)", "table.size")).unwrap().value, Some(json!(0)));
    let mut again = sandbox.session_from(&snapshot).unwrap();
    assert_eq!(again.run(&program(case, "use")).unwrap().value, Some(unchanged()));
    session.restore(&snapshot).unwrap();
    assert_eq!(session.run("square(4)").unwrap().value, Some(json!(16)));
    Ok(())
}

#[scenario(programs = ["warm/set_up", "warm/numbers"])]
fn no_two_programs_get_the_same_random_numbers(case: &Case) -> Result<(), Skipped> {
    let warm = Warm::new(case)?;
    let sandbox = warm.sandbox(case);
    let mut seen = HashSet::new();
    for _ in 0..8 {
        let numbers = sandbox.run(&program(case, "numbers")).unwrap().value.unwrap();
        for number in numbers.as_array().unwrap() {
            assert!(seen.insert(number.to_string()), "{number} came twice");
        }
    }
    let mut sessions: Vec<_> = (0..3).map(|_| sandbox.session().unwrap()).collect();
    for session in &mut sessions {
        let numbers = session.run(&program(case, "numbers")).unwrap().value.unwrap();
        for number in numbers.as_array().unwrap() {
            assert!(seen.insert(number.to_string()), "{number} came twice");
        }
    }
    Ok(())
}

#[scenario]
fn clocks_go_on_from_the_set_up(case: &Case) -> Result<(), Skipped> {
    not_emulated(case)?;
    let read = case.pick("import time\nthen = time.monotonic()", "var then = Date.now()");
    let warm = Warm::with(case, read)?;
    let passed = case.pick("time.monotonic() - then >= 0", "Date.now() - then >= 0");
    let sandbox = warm.sandbox(case);
    for _ in 0..2 {
        assert_eq!(sandbox.run(passed).unwrap().value, Some(json!(true)));
    }
    Ok(())
}

#[scenario(programs = ["warm/set_up"])]
fn errors_name_the_program_that_they_are_in(case: &Case) -> Result<(), Skipped> {
    let warm = Warm::new(case)?;
    let error = warm.sandbox(case).run("fail()").unwrap().error.unwrap();
    assert_eq!(error.message, "from the set-up");
    let own = case.language.filename();
    assert!(error.traceback.contains("set_up") && error.traceback.contains(own), "{}", error.traceback);
    assert!(!error.traceback.contains("run 2"), "{}", error.traceback);
    Ok(())
}

#[scenario]
fn the_rights_of_the_set_up_are_not_in_the_image(case: &Case) -> Result<(), Skipped> {
    not_emulated(case)?;
    if case.isolation == Isolation::Wasm {
        return Err(Skipped("`wasm` does not save states".into()));
    }
    let folder = tempfile::tempdir().unwrap();
    let data = tempfile::tempdir().unwrap();
    fs::write(data.path().join("text"), "loaded").unwrap();
    let ask = Tool::from_schema("ask", "Answers", json!({"type": "object"}), |_| Ok::<_, String>(json!(42))).unwrap();
    let sandbox = case.builder().mount(data.path(), "/data", Access::ReadOnly).tool(ask).build().unwrap();
    let code = case.pick(
        "loaded = open('/data/text').read()\ndef look(): return open('/data/text').read()\n\
         def asked(): return call_tool('ask')\nasked()",
        "var loaded = read_file('/data/text'); function look() { return read_file('/data/text'); }\n\
         function asked() { return call_tool('ask'); } asked()",
    );
    let mut image = WarmImage::new("prepared", code).unwrap();
    assert_eq!(image.set_up(&sandbox, RunOptions::new()).unwrap().value, Some(json!(42)));
    image.save(folder.path().join("prepared")).unwrap();
    let bare = case.builder().image(folder.path().join("prepared")).build().unwrap();
    assert_eq!(bare.run("loaded").unwrap().value, Some(json!("loaded")));
    let looked = bare.run("look()").unwrap().error.unwrap();
    assert!(looked.message.contains("/data/text"), "{looked:?}");
    let asked = bare.run("asked()").unwrap().error.unwrap();
    assert!(asked.message.contains("ask"), "{asked:?}");
    Ok(())
}

#[scenario]
fn a_set_up_that_fails_makes_no_image(case: &Case) -> Result<(), Skipped> {
    not_emulated(case)?;
    let folder = tempfile::tempdir().unwrap();
    let mut image = WarmImage::new("prepared", case.pick("1 / 0", "null.x")).unwrap();
    match image.set_up(&case.sandbox(), RunOptions::new()) {
        Err(error) => {
            assert_eq!(case.isolation, Isolation::Wasm, "{error}");
            assert!(error.to_string().contains("does not save states"), "{error}");
        }
        Ok(result) => assert!(!result.success()),
    }
    let error = image.save(folder.path().join("prepared")).unwrap_err();
    assert!(matches!(&error, Error::InvalidArgument { message, .. } if message.contains("no state")), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    Ok(())
}

#[scenario]
fn guests_start_only_where_the_image_has_a_state(case: &Case) -> Result<(), Skipped> {
    let warm = Warm::with(case, "")?;
    let refused = |isolation: Isolation| {
        let error = case.builder().isolation(isolation).image(warm.directory()).build().map(drop).unwrap_err();
        assert!(matches!(error, Error::Unavailable { .. }), "{error}");
        error.to_string()
    };
    assert!(refused(Isolation::Wasm).contains("start in a saved state"));
    let others = [Isolation::MicroVm, Isolation::Process].into_iter().filter(|other| *other != case.isolation);
    for other in others {
        assert!(refused(other).contains("has no state for it"), "{other}");
    }
    Ok(())
}

#[scenario]
fn a_state_that_was_changed_is_refused(case: &Case) -> Result<(), Skipped> {
    not_emulated(case)?;
    let warm = Warm::with(case, "")?;
    let state = fs::read_dir(warm.directory()).unwrap().map(|entry| entry.unwrap().path());
    let state = state.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "state")).unwrap();
    let mut bytes = fs::read(&state).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&state, bytes).unwrap();
    let error = warm.builder(case).build().map(drop).unwrap_err();
    assert!(matches!(error, Error::Image { .. }), "{error}");
    assert!(error.to_string().contains(".state` is not the file that the manifest promises"), "{error}");
    Ok(())
}

#[scenario]
fn there_is_never_half_an_image(case: &Case) -> Result<(), Skipped> {
    not_emulated(case)?;
    let warm = Warm::with(case, "")?;
    let mut second = WarmImage::new("second", "").unwrap();
    second.set_up(&case.sandbox(), RunOptions::new()).unwrap();
    let error = second.save(warm.directory()).unwrap_err();
    assert!(error.to_string().contains("already"), "{error}");
    assert_eq!(Image::open(warm.directory()).unwrap().manifest().name, "prepared");
    let twice = second.set_up(&case.sandbox(), RunOptions::new()).unwrap_err();
    assert!(twice.to_string().contains("already"), "{twice}");
    Ok(())
}

#[scenario(programs = ["warm/set_up"])]
fn a_warm_image_can_be_warmed_further(case: &Case) -> Result<(), Skipped> {
    let warm = Warm::new(case)?;
    let mut further = WarmImage::new("further", case.pick("nine = square(3)", "var nine = square(3)")).unwrap();
    assert!(further.set_up(&warm.sandbox(case), RunOptions::new()).unwrap().success());
    let image = further.save(warm.folder.path().join("further")).unwrap();
    let sandbox = case.builder().image(image.directory()).build().unwrap();
    assert_eq!(sandbox.run("[nine, square(4)]").unwrap().value, Some(json!([9, 16])));
    Ok(())
}

#[scenario(programs = ["warm/set_up"])]
fn a_program_of_a_warm_image_is_paused_and_saved(case: &Case) -> Result<(), Skipped> {
    let warm = Warm::new(case)?;
    let ask = || Tool::deferred("ask", "Asks", json!({"type": "object"})).unwrap();
    let code = case.pick("square(call_tool('ask'))", "square(call_tool('ask'))");
    let Step::Paused(mut paused) = warm.builder(case).tool(ask()).build().unwrap().start(code).unwrap() else {
        panic!("the program has ended")
    };
    let key = SnapshotKey::new([7; 32]);
    let saved = SavedRun::from_bytes(paused.to_bytes(&key).unwrap(), &key).unwrap();
    let other = warm.builder(case).tool(ask()).build().unwrap();
    for number in [5, 6] {
        let mut again = other.paused_from(&saved, RunOptions::new()).unwrap();
        let Step::Done(result) = again.resume(Answer::Value(json!(number))).unwrap() else { panic!("it waits") };
        assert_eq!(result.value, Some(json!(number * number)), "{:?}", result.error);
    }
    Ok(())
}
