//! `isolette image`: lists, inspects and verifies images.

use isolette::{Error, Image as SandboxImage, Language};
use serde_json::json;

use crate::{
    arguments::{Image, ImageChoice},
    exit,
    exit::Code,
    report::{line, print},
    warm_image,
};

pub(crate) fn image(command: &Image) -> Code {
    let done = match command {
        Image::List { json } => list(*json),
        Image::Inspect(choice) => inspect(choice),
        Image::Verify(choice) => verify(choice),
        Image::Warm(options) => return warm_image::make(options),
    };
    match done {
        Ok(()) => Code::SUCCESS,
        Err(error) => exit::fail(&error),
    }
}

fn list(json: bool) -> Result<(), Error> {
    let (found, failures) = SandboxImage::list();
    // An unusable image is reported, and the other images are still listed.
    for error in failures {
        say!("warning: {error}");
    }
    if json {
        let images: Vec<_> = found
            .iter()
            .map(|image| json!({ "name": name(image), "language": image.language(), "warm": is_warm(image), "directory": image.directory() }))
            .collect();
        print(&images);
        return Ok(());
    }
    if found.is_empty() {
        say!("no images found\nhint: build them with `cargo xtask image build`");
    }
    for image in found {
        let warm = if is_warm(&image) { "warm" } else { "" };
        let (name, directory) = (name(&image), image.directory().display());
        line(&format!("{name:<12} {:<12} {warm:<5} {directory}", image.language()));
    }
    Ok(())
}

/// The name by which the image is found, which is that of its folder.
fn name(image: &SandboxImage) -> String {
    image.directory().file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn is_warm(image: &SandboxImage) -> bool {
    image.manifest().warm.is_some()
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
    if let Some(warm) = &manifest.warm {
        let states: Vec<_> = warm.states.keys().map(String::as_str).collect();
        line(&format!("warm        for {}, after the program with sha256:{}", states.join(" and "), warm.set_up));
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
        Err(_) => SandboxImage::at(&choice.image),
    }
}
