//! `isolette image warm`: makes an image whose programs start in the state after a set-up program.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use bytesize::ByteSize;
use isolette::{
    Error, Image, Isolation, Language, RunOptions, Sandbox, WarmImage,
    image::manifest::{FILE_NAME, SIZE_LIMIT},
    policy::PolicyFile,
};
use serde_json::{Value, json};

use crate::{
    arguments,
    exit::{self, Code},
    interrupt::interrupt,
    program, report, sandbox_options,
    terminal::say_text,
};

pub(crate) fn make(options: &arguments::WarmImage) -> Code {
    execute(options).unwrap_or_else(|error| exit::fail(&error))
}

fn execute(options: &arguments::WarmImage) -> Result<Code, Error> {
    let directory = directory(options)?;
    let old = is_replacement(options, &directory)?;
    let code = program::read_file(&options.file)?;
    let language = Language::from_path(&options.file).unwrap_or_else(|| program::guess(&code));
    let mut image = WarmImage::new(&options.name, &code)?;
    let mut policy = options.sandbox.clone().over(PolicyFile::default())?;
    let asked = policy.isolation.unwrap_or_default();
    let isolations = if asked == Isolation::Auto { &[Isolation::MicroVm, Isolation::Process][..] } else { &[asked] };
    let (mut missing, mut states) = (None, Vec::new());
    for isolation in isolations {
        policy.isolation = Some(*isolation);
        let sandbox = match build(&policy, language) {
            Ok(sandbox) => sandbox,
            Err(error @ Error::Unavailable { .. }) => {
                missing = Some(error);
                continue;
            }
            Err(error) => return Err(error),
        };
        let run = RunOptions::new().cancel(interrupt()).filename(options.file.display().to_string());
        let result = image.set_up(&sandbox, run)?;
        // Standard output is for the description of the image.
        let traceback = result.error.as_ref().map_or("", |error| &error.traceback);
        let texts = [&result.stdout, &result.stderr, traceback].map(str::trim_end);
        texts.into_iter().filter(|text| !text.is_empty()).for_each(say_text);
        if !result.success() {
            say!("error: the set-up program failed, and no image was made");
            return Ok(exit::of_program(result.exit_code));
        }
        states.push(sandbox.explain().isolation.engine);
    }
    if let (true, Some(error)) = (states.is_empty(), missing) {
        return Err(error);
    }
    let made = if old { replace(&image, &directory)? } else { image.save(&directory)? };
    let states_of = made.manifest().warm.iter().flat_map(|warm| warm.states.values());
    let bytes = states_of.filter_map(|state| made.manifest().files.get(&state.file)).map(|file| file.size).sum();
    if options.to.is_none() && Image::at(&options.name).is_ok_and(|found| found.directory() != directory) {
        say!("warning: another image with this name is found first: see `isolette image inspect {}`", options.name);
    }
    if options.json {
        let (name, directory) = (&made.manifest().name, made.directory());
        report::print(&json!({ "name": name, "directory": directory, "isolations": states, "state_bytes": bytes }));
    } else {
        let states: Vec<_> = states.iter().map(|state| state.as_str()).collect();
        let (states, size) = (states.join(" and "), ByteSize(bytes));
        report::line(&format!("{}: for {states}, with {size} of state, in {}", options.name, directory.display()));
    }
    Ok(Code::SUCCESS)
}

/// Makes a sandbox in the image that the flags name, which decides about the language then.
fn build(policy: &PolicyFile, language: Language) -> Result<Sandbox, Error> {
    match policy.image {
        None => sandbox_options::builder(policy, language).build(),
        Some(_) => Sandbox::builder().policy_file(policy).build(),
    }
}

/// Replaces an image, which remains until the new one is complete.
fn replace(image: &WarmImage, directory: &Path) -> Result<Image, Error> {
    let failed =
        |source| Error::Io { context: format!("cannot replace the image in `{}`", directory.display()), source };
    let parent = directory.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The folder is removed at the end, and images whose names begin with a dot are not listed.
    let folder = tempfile::Builder::new().prefix(".replaced-").tempdir_in(parent).map_err(failed)?;
    let [next, old] = ["next", "old"].map(|name| folder.path().join(name));
    image.save(&next)?;
    fs::rename(directory, &old).map_err(failed)?;
    if let Err(error) = fs::rename(&next, directory) {
        // The former image is restored, unless another process has put an image there.
        if fs::rename(&old, directory).is_err() {
            say!("warning: both images are in {}", folder.keep().display());
        }
        return Err(failed(error));
    }
    Image::open(directory)
}

fn directory(options: &arguments::WarmImage) -> Result<PathBuf, Error> {
    let named = options.to.clone().or_else(|| Some(Image::user_folder()?.join(&options.name)));
    named.ok_or_else(|| Error::InvalidArgument {
        message: "this user has no home, in which the image would be made".into(),
        hint: "name a directory with `--to`".into(),
    })
}

/// Whether an image has to be replaced. Only images that this command has made are, by any version.
fn is_replacement(options: &arguments::WarmImage, directory: &Path) -> Result<bool, Error> {
    if directory.symlink_metadata().is_err() {
        return Ok(false);
    }
    let refused = |what: &str, hint: &str| {
        let message = format!("there is {what} in `{}` already", directory.display());
        Err(Error::InvalidArgument { message, hint: hint.into() })
    };
    let manifest: Value = fs::File::open(directory.join(FILE_NAME))
        .ok()
        .and_then(|file| serde_json::from_reader(file.take(SIZE_LIMIT as u64)).ok())
        .unwrap_or_default();
    if manifest["name"] != options.name.as_str() || !manifest["warm"].is_object() {
        return refused("something else", "choose another name or directory");
    }
    if options.replace { Ok(true) } else { refused("an image", "replace it with `--replace`") }
}
