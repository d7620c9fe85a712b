//! Finds the functions to patch in a module by name, and encodes the patched module.

use std::collections::HashMap;

use anyhow::{Context as _, Result, anyhow};
use sha2::{Digest as _, Sha256};
use wasm_encoder::{
    CodeSection, ConstExpr, Function, GlobalSection, GlobalType, Module, ValType,
    reencode::{Error, Reencode},
};
use wasmparser::{FunctionBody, KnownCustom, Name, Parser, Payload, TypeRef};

use super::{
    edits::{Edits, Site},
    patches::{PATCHES, Patch},
    table::Table,
};

/// Returns the patched module and the number of patches, or `None` if the module has none of the functions.
pub(super) fn patched(module: &[u8], table: &Table) -> Result<Option<(Vec<u8>, usize)>> {
    let outline = Outline::of(module)?;
    let patches: HashMap<u32, &Patch> = PATCHES
        .iter()
        .filter_map(|patch| Some((*outline.functions.get(patch.function)?, patch)))
        .filter(|(index, _)| *index >= outline.imported)
        .collect();
    if patches.is_empty() {
        return Ok(None);
    }
    let count = patches.len();
    let mut patcher = Patcher { next: outline.imported, depth: outline.globals, outline: &outline, table, patches };
    let mut output = Module::new();
    patcher.parse_core_module(&mut output, Parser::new(0), module).map_err(|problem| anyhow!("{problem}"))?;
    Ok(Some((output.finish(), count)))
}

/// The function indices and counts of a module.
pub(super) struct Outline {
    pub(super) functions: HashMap<String, u32>,
    pub(super) imported: u32,
    globals: u32,
}

impl Outline {
    pub(super) fn of(module: &[u8]) -> Result<Self> {
        let mut outline = Self { functions: HashMap::new(), imported: 0, globals: 0 };
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        match import?.ty {
                            TypeRef::Func(_) => outline.imported += 1,
                            TypeRef::Global(_) => outline.globals += 1,
                            _ => {}
                        }
                    }
                }
                Payload::GlobalSection(globals) => outline.globals += globals.count(),
                Payload::CustomSection(section) => {
                    let KnownCustom::Name(names) = section.as_known() else { continue };
                    for names in names {
                        let Ok(Name::Function(names)) = names else { continue };
                        for naming in names {
                            let naming = naming.context("cannot read the name of a function")?;
                            // Static functions may share a name; the patched functions have unique names.
                            outline.functions.insert(naming.name.to_owned(), naming.index);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(outline)
    }
}

/// Copies a module and applies the patches.
struct Patcher<'a> {
    /// The index of the next function.
    next: u32,
    /// The index of the global that the patches add.
    depth: u32,
    outline: &'a Outline,
    table: &'a Table,
    patches: HashMap<u32, &'static Patch>,
}

type Problem = Error<Unfamiliar>;

/// The code of a function differs from the code that its patch was written for.
#[derive(Debug)]
struct Unfamiliar {
    function: &'static str,
    digest: String,
}

impl std::fmt::Display for Unfamiliar {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { function, digest } = self;
        write!(formatter, "{function} has unfamiliar code with the digest {digest}")
    }
}

impl std::error::Error for Unfamiliar {}

impl Patcher<'_> {
    fn patch(&mut self, code: &mut CodeSection, body: &FunctionBody<'_>, patch: &Patch) -> Result<(), Problem> {
        let digest = hex(&Sha256::digest(body.as_bytes()));
        let unfamiliar = || Problem::UserError(Unfamiliar { function: patch.function, digest: digest.clone() });
        if !digest.starts_with(patch.digest) {
            return Err(unfamiliar());
        }
        let operators = body.get_operators_reader()?.into_iter().collect::<Result<Vec<_>, _>>()?;
        let site = Site {
            operators: &operators,
            table: self.table,
            depth: self.depth,
            function: &|name| self.outline.functions.get(name).copied(),
        };
        let mut edits = Edits::default();
        (patch.change)(&site, &mut edits).ok_or_else(unfamiliar)?;
        let mut locals = Vec::new();
        for local in body.get_locals_reader()? {
            let (count, kind) = local?;
            locals.push((count, self.val_type(kind)?));
        }
        locals.push((edits.locals, ValType::I32));
        locals.push((edits.long_locals, ValType::I64));
        let mut function = Function::new(locals);
        for (place, operator) in operators.into_iter().enumerate() {
            let (before, instead) = edits.at(place);
            for instruction in before.iter().chain(instead.unwrap_or_default()) {
                function.instruction(instruction);
            }
            if instead.is_none() {
                function.instruction(&self.instruction(operator)?);
            }
        }
        code.function(&function);
        Ok(())
    }
}

impl Reencode for Patcher<'_> {
    type Error = Unfamiliar;

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Problem> {
        let index = self.next;
        self.next += 1;
        match self.patches.get(&index).copied() {
            Some(patch) => self.patch(code, &body, patch),
            None => {
                code.raw(body.as_bytes());
                Ok(())
            }
        }
    }

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: wasmparser::GlobalSectionReader<'_>,
    ) -> Result<(), Problem> {
        wasm_encoder::reencode::utils::parse_global_section(self, globals, section)?;
        let kind = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
        globals.global(kind, &ConstExpr::i32_const(0));
        Ok(())
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
