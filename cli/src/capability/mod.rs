//! `isolette capability`: creates a crate for embedders that implement an interface.

mod fill;
mod sources;

use std::{fs, path::Path};

use isolette::{Error, interface::InterfaceName};
use serde_json::json;

use self::fill::Fill;
use crate::{
    arguments::Capability,
    exit,
    exit::Code,
    report::{line, print},
};

/// The files of a new crate.
const FILES: [(&str, &str); 5] = [
    ("Cargo.toml", include_str!("template/Cargo.toml.template")),
    ("wit/{interface-name}.wit", include_str!("template/interface.wit.template")),
    ("src/lib.rs", include_str!("template/lib.rs.template")),
    ("tests/programs.rs", include_str!("template/programs.rs.template")),
    ("examples/program.rs", include_str!("template/example.rs.template")),
];

pub(crate) fn capability(command: &Capability) -> Code {
    let Capability::New { directory, interface, isolette, json } = command;
    match new(directory, interface.as_ref(), isolette.as_deref(), *json) {
        Ok(()) => Code::SUCCESS,
        Err(error) => exit::fail(&error),
    }
}

fn new(directory: &Path, interface: Option<&InterfaceName>, isolette: Option<&Path>, json: bool) -> Result<(), Error> {
    let name = directory.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let isolette = sources::find(isolette)?;
    let (fill, interface) = Fill::new(name, interface, &isolette)?;
    if directory.exists() {
        return Err(Error::InvalidArgument {
            message: format!("{} already exists", directory.display()),
            hint: "name a directory that does not exist".into(),
        });
    }
    let mut files = Vec::new();
    for (path, template) in FILES {
        let path = directory.join(fill.fill(path));
        let failed = |error| Error::Io { context: format!("cannot write {}", path.display()), source: error };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        fs::write(&path, fill.fill(template)).map_err(failed)?;
        files.push(path.display().to_string());
    }
    match json {
        true => print(&json!({
            "directory": directory,
            "interface": interface.to_string(),
            "isolette": isolette,
            "files": files,
        })),
        false => files.iter().for_each(|file| line(file)),
    }
    say!(
        "it depends on {}\nhint: `cargo test` in {} runs programs that use {interface}, in images that are installed; change \
         wit/{}.wit and src/lib.rs to what you need",
        isolette.display(),
        directory.display(),
        interface.interface
    );
    Ok(())
}
