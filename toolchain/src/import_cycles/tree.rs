//! The modules of one crate, and the modules that the paths in their texts lead to.

use std::{
    collections::BTreeMap,
    path::{Path as FilePath, PathBuf},
};

use super::source::{Import, Path, Source};

/// Texts, by path below the crate's `src`.
pub(super) type Files = BTreeMap<PathBuf, String>;

/// The names that lead from the crate's root to a module.
pub(super) type ModulePath = Vec<String>;

/// The maximum number of re-exports that are followed in a row.
const MOST_REEXPORTS: usize = 32;

/// All modules that belong to one root file.
#[derive(Debug)]
pub(super) struct Tree {
    modules: BTreeMap<ModulePath, Module>,
}

#[derive(Debug)]
struct Module {
    file: PathBuf,
    source: Source,
}

/// A path in the text of one module that leads into another one; neither contains the other.
#[derive(Debug)]
pub(super) struct Edge {
    pub(super) file: PathBuf,
    pub(super) path: Path,
    /// The module that contains both.
    pub(super) parent: ModulePath,
    /// The two children of it that contain the modules.
    pub(super) from: String,
    pub(super) to: String,
}

impl Tree {
    pub(super) fn read(files: &Files, root: &FilePath) -> Self {
        let mut tree = Self { modules: BTreeMap::new() };
        if let Some(text) = files.get(root) {
            let folder = root.parent().unwrap_or(FilePath::new(""));
            tree.add(files, Vec::new(), Module { file: root.to_owned(), source: Source::read(text) }, folder);
        }
        tree
    }

    /// Adds a module and those that it declares, whose files are in `folder`.
    fn add(&mut self, files: &Files, path: ModulePath, mut module: Module, folder: &FilePath) {
        for (name, inline) in std::mem::take(&mut module.source.modules) {
            let inside = folder.join(&name);
            let file = match &inline {
                Some(_) => module.file.clone(),
                None => inside.with_extension("rs"),
            };
            let file = if files.contains_key(&file) { file } else { inside.join("mod.rs") };
            let source = inline.or_else(|| files.get(&file).map(|text| Source::read(text)));
            // A file that does not exist is generated, or the compiler reports it.
            let Some(source) = source else { continue };
            self.add(files, child(&path, &name), Module { file, source }, &inside);
        }
        self.modules.insert(path, module);
    }

    /// Every path that leads from one module to another.
    pub(super) fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (from, module) in &self.modules {
            let imported = module.source.imports.iter().map(|import| &import.path);
            for path in imported.chain(&module.source.paths) {
                let Some(to) = self.entered(from, &path.segments, from, MOST_REEXPORTS) else { continue };
                let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
                if let (Some(one), Some(other)) = (from.get(common), to.get(common)) {
                    edges.push(Edge {
                        file: module.file.clone(),
                        path: path.clone(),
                        parent: from[..common].to_vec(),
                        from: one.clone(),
                        to: other.clone(),
                    });
                }
            }
        }
        edges
    }

    /// The first module on a path that does not contain the module with the path. `at` is where the path starts.
    ///
    /// Names that a module imports with `use` lead to where they are defined.
    fn entered(&self, at: &[String], segments: &[String], asker: &[String], steps: usize) -> Option<ModulePath> {
        let steps = steps.checked_sub(1)?;
        let (name, rest) = segments.split_first()?;
        match name.as_str() {
            "crate" => return self.entered(&[], rest, asker, steps),
            "self" => return self.entered(at, rest, asker, steps),
            "super" => return self.entered(at.split_last()?.1, rest, asker, steps),
            _ => {}
        }
        let inside = child(at, name);
        if self.modules.contains_key(&inside) {
            return if asker.starts_with(&inside) { self.entered(&inside, rest, asker, steps) } else { Some(inside) };
        }
        let source = &self.modules.get(at)?.source;
        if source.items.contains(name) {
            return None;
        }
        let leads_on = |import: &Import, last: &[String]| [&import.path.segments, last].concat();
        if let Some(import) = source.imports.iter().find(|import| import.name.as_ref() == Some(name)) {
            return self.entered(at, &leads_on(import, rest), asker, steps);
        }
        let mut everything = source.imports.iter().filter(|import| import.name.is_none());
        let import = everything.find(|import| self.has(at, &import.path.segments, name, steps))?;
        self.entered(at, &leads_on(import, segments), asker, steps)
    }

    /// Whether the module that a path leads to has such a name.
    fn has(&self, at: &[String], segments: &[String], name: &String, steps: usize) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let Some(path) = self.module(at, segments, steps) else { return false };
        let source = &self.modules[&path].source;
        let imported = |import: &Import| match &import.name {
            Some(known) => known == name,
            None => self.has(&path, &import.path.segments, name, steps),
        };
        source.items.contains(name)
            || self.modules.contains_key(&child(&path, name))
            || source.imports.iter().any(imported)
    }

    /// The module that a path leads to, if it leads to one.
    fn module(&self, at: &[String], segments: &[String], steps: usize) -> Option<ModulePath> {
        let steps = steps.checked_sub(1)?;
        let Some((name, rest)) = segments.split_first() else {
            return self.modules.contains_key(at).then(|| at.to_vec());
        };
        match name.as_str() {
            "crate" => return self.module(&[], rest, steps),
            "self" => return self.module(at, rest, steps),
            "super" => return self.module(at.split_last()?.1, rest, steps),
            _ => {}
        }
        let inside = child(at, name);
        if self.modules.contains_key(&inside) {
            return self.module(&inside, rest, steps);
        }
        let imports = &self.modules.get(at)?.source.imports;
        let import = imports.iter().find(|import| import.name.as_ref() == Some(name))?;
        self.module(at, &[&import.path.segments, rest].concat(), steps)
    }
}

fn child(parent: &[String], name: &str) -> ModulePath {
    let mut path = parent.to_vec();
    path.push(name.to_owned());
    path
}
