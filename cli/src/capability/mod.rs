//! `isolette capability`: a crate to start from, for who wants to lend an interface of their own.

use std::{fs, path::Path, process::ExitCode};

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use isolette::{Error, interface::InterfaceName};
use serde_json::json;

use crate::{
    arguments::Capability,
    exit,
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

pub(crate) fn capability(command: &Capability) -> ExitCode {
    let Capability::New { directory, interface, isolette, json } = command;
    match new(directory, interface.as_ref(), isolette.as_deref(), *json) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => exit::fail(&error),
    }
}

fn new(directory: &Path, interface: Option<&InterfaceName>, isolette: Option<&Path>, json: bool) -> Result<(), Error> {
    let name = directory.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let default: InterfaceName = format!("acme:{name}/{name}@0.1.0").parse().map_err(|_| Error::InvalidArgument {
        message: format!("`{}` cannot be the name of a crate and of an interface", name.escape_debug()),
        hint: "use words of letters and digits, each beginning with a letter, with `-` between them".into(),
    })?;
    let interface = interface.unwrap_or(&default);
    if directory.exists() {
        return Err(Error::InvalidArgument {
            message: format!("{} is already there", directory.display()),
            hint: "name a directory that is not".into(),
        });
    }
    let fill = Fill::new(name, interface, isolette);
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
        true => print(&json!({ "directory": directory, "interface": interface.to_string(), "files": files })),
        false => files.iter().for_each(|file| line(file)),
    }
    eprintln!(
        "hint: `cargo test` in {} runs programs that use {interface}; change wit/{}.wit and src/lib.rs to what you need",
        directory.display(),
        interface.interface
    );
    Ok(())
}

/// What stands for the names in the templates.
struct Fill(Vec<(&'static str, String)>);

impl Fill {
    fn new(name: &str, interface: &InterfaceName, isolette: Option<&Path>) -> Self {
        let mut kind = name.to_upper_camel_case();
        let own = interface.interface.to_upper_camel_case();
        if kind == own {
            kind.push_str("Server");
        }
        let version = interface.version.as_ref().map_or_else(String::new, |version| format!("@{version}"));
        Self(vec![
            ("{crate}", name.to_owned()),
            ("{crate_name}", name.to_snake_case()),
            ("{type}", kind),
            ("{trait}", own),
            ("{module}", interface.interface.to_snake_case()),
            ("{interface-name}", interface.interface.clone()),
            ("{interface}", interface.to_string()),
            ("{unversioned}", interface.unversioned()),
            ("{package}", format!("{}:{}{version}", interface.namespace, interface.package)),
            (
                "{python_package}",
                format!("{}.{}", interface.namespace.to_snake_case(), interface.package.to_snake_case()),
            ),
            ("{python_module}", interface.interface.to_snake_case()),
            (
                "{isolette}",
                isolette.map_or_else(
                    || format!("version = \"{}\"", env!("CARGO_PKG_VERSION")),
                    |path| format!("path = \"{}\"", path.display()),
                ),
            ),
        ])
    }

    fn fill(&self, template: &str) -> String {
        self.0.iter().fold(template.to_owned(), |text, (mark, value)| text.replace(mark, value))
    }
}
