//! `isolette image`: lists, inspects and verifies images.

use std::{path::Path, process::ExitCode};

use isolette::{Error, Image as SandboxImage, Language};
use serde_json::json;

use crate::{
    arguments::{Image, ImageChoice},
    exit,
    report::{line, print},
};

pub(crate) fn image(command: &Image) -> ExitCode {
    let done = match command {
        Image::List { json } => list(*json),
        Image::Inspect(choice) => inspect(choice),
        Image::Verify(choice) => verify(choice),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => exit::fail(&error),
    }
}

fn list(json: bool) -> Result<(), Error> {
    let mut found = Vec::new();
    for language in [Language::Python, Language::JavaScript] {
        match SandboxImage::find(language) {
            Ok(image) => found.push(image),
            Err(Error::ImageNotFound { .. }) => {}
            // An unusable image is reported, and the other images are still listed.
            Err(error) => say!("warning: {error}"),
        }
    }
    if json {
        let images: Vec<_> = found
            .iter()
            .map(|image| json!({ "name": image.manifest().name, "language": image.language(), "directory": image.directory() }))
            .collect();
        print(&images);
        return Ok(());
    }
    if found.is_empty() {
        say!("no images found\nhint: build them with `cargo xtask image build`");
    }
    for image in found {
        line(&format!("{:<12} {:<12} {}", image.manifest().name, image.language(), image.directory().display()));
    }
    Ok(())
}

fn inspect(choice: &ImageChoice) -> Result<(), Error> {
    let image = open(choice)?;
    let manifest = image.manifest();
    if choice.json {
        print(manifest);
        return Ok(());
    }
    line(&format!("name        {}", manifest.name));
    line(&format!("language    {}", manifest.language));
    line(&format!("directory   {}", image.directory().display()));
    line(&format!("abi         {}", manifest.abi));
    line(&format!("wit         {}", manifest.wit));
    for (name, version) in &manifest.components {
        line(&format!("component   {name} {version}"));
    }
    for (name, version) in &manifest.packages {
        line(&format!("package     {name} {version}"));
    }
    for (name, digest) in &manifest.files {
        line(&format!("file        {name} {} bytes sha256:{}", digest.size, digest.sha256));
    }
    Ok(())
}

fn verify(choice: &ImageChoice) -> Result<(), Error> {
    let image = open(choice)?;
    image.verify()?;
    let count = image.manifest().files.len();
    if choice.json {
        print(&json!({ "directory": image.directory(), "files": count, "ok": true }));
    } else {
        line(&format!("{}: {count} files match the manifest", image.directory().display()));
    }
    Ok(())
}

fn open(choice: &ImageChoice) -> Result<SandboxImage, Error> {
    match choice.image.parse::<Language>() {
        Ok(language) => SandboxImage::find(language),
        Err(_) if Path::new(&choice.image).exists() => SandboxImage::open(Path::new(&choice.image)),
        Err(_) => Err(Error::InvalidArgument {
            message: format!("`{}` is neither a language nor a directory", choice.image),
            hint: "use `python` or `javascript`, or the directory of an image".into(),
        }),
    }
}
