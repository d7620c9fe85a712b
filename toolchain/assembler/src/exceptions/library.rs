//! Which functions of a library may throw.

use std::collections::HashSet;

use anyhow::{Result, bail, ensure};
use wasmparser::{ElementItems, ExternalKind, FuncType, Operator, Parser, Payload, TypeRef};

/// What has to be known of a whole library to lower one function.
#[derive(Debug, Default)]
pub(super) struct Library {
    /// The types of functions. The index of the first equal one stands for all equal types.
    pub(super) types: Vec<FuncType>,
    /// The types of all functions, the imported ones first.
    pub(super) functions: Vec<u32>,
    pub(super) imported_functions: u32,
    /// The number of global variables, before two are added.
    pub(super) globals: u32,
    pub(super) tags: u32,
    /// Functions that others can call without knowing them: exported, or in a table.
    pub(super) reachable: HashSet<u32>,
    /// The functions that may throw. An imported function does not: exceptions stay in their library.
    throwing: HashSet<u32>,
    /// The types of functions that may throw when they are called through a table.
    throwing_types: HashSet<u32>,
}

/// What a function does that may throw.
#[derive(Debug, Default)]
struct Calls {
    throws: bool,
    functions: HashSet<u32>,
    types: HashSet<u32>,
}

impl Library {
    pub(super) fn read(module: &[u8]) -> Result<Self> {
        let mut library = Self::default();
        let mut calls = Vec::new();
        let mut imported = HashSet::new();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(types) => {
                    for ty in types.into_iter_err_on_gc_types() {
                        library.types.push(ty?);
                    }
                }
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let import = import?;
                        match import.ty {
                            TypeRef::Func(ty) | TypeRef::FuncExact(ty) => {
                                imported.insert(import.name);
                                library.functions.push(ty);
                            }
                            TypeRef::Global(_) => library.globals += 1,
                            TypeRef::Tag(_) => bail!("the library imports a kind of exceptions: it must have its own"),
                            TypeRef::Table(_) | TypeRef::Memory(_) => {}
                        }
                    }
                    library.imported_functions = u32::try_from(library.functions.len())?;
                }
                Payload::FunctionSection(functions) => {
                    for ty in functions {
                        library.functions.push(ty?);
                    }
                }
                Payload::GlobalSection(globals) => library.globals += globals.count(),
                Payload::TagSection(tags) => library.tags += tags.count(),
                Payload::ExportSection(exports) => {
                    for export in exports {
                        let export = export?;
                        if export.kind == ExternalKind::Func {
                            ensure!(
                                !imported.contains(export.name),
                                "the library defines and imports {}, so that another one may have replaced it; hide it",
                                export.name
                            );
                            library.reachable.insert(export.index);
                        }
                    }
                }
                Payload::ElementSection(elements) => {
                    for element in elements {
                        match element?.items {
                            ElementItems::Functions(functions) => {
                                for function in functions {
                                    library.reachable.insert(function?);
                                }
                            }
                            ElementItems::Expressions(_, expressions) => {
                                for expression in expressions {
                                    for operator in expression?.get_operators_reader() {
                                        if let Operator::RefFunc { function_index } = operator? {
                                            library.reachable.insert(function_index);
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
                Payload::CodeSectionEntry(body) => {
                    let mut found = Calls::default();
                    for operator in body.get_operators_reader()? {
                        match operator? {
                            Operator::Throw { .. } | Operator::ThrowRef => found.throws = true,
                            Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
                                found.functions.insert(function_index);
                            }
                            Operator::CallIndirect { type_index, .. }
                            | Operator::ReturnCallIndirect { type_index, .. } => {
                                found.types.insert(library.first_equal(type_index));
                            }
                            _ => {}
                        }
                    }
                    calls.push(found);
                }
                _ => {}
            }
        }
        library.find_throwing(&calls);
        Ok(library)
    }

    /// Spreads what is known from the functions that throw to those that call them, until nothing is new.
    fn find_throwing(&mut self, calls: &[Calls]) {
        loop {
            let before = (self.throwing.len(), self.throwing_types.len());
            for (index, calls) in (self.imported_functions..).zip(calls) {
                if calls.throws
                    || !calls.functions.is_disjoint(&self.throwing)
                    || !calls.types.is_disjoint(&self.throwing_types)
                {
                    self.throwing.insert(index);
                    if self.reachable.contains(&index) {
                        self.throwing_types.insert(self.first_equal(self.functions[index as usize]));
                    }
                }
            }
            if before == (self.throwing.len(), self.throwing_types.len()) {
                return;
            }
        }
    }

    fn first_equal(&self, ty: u32) -> u32 {
        let wanted = &self.types[ty as usize];
        let first = self.types.iter().position(|other| other == wanted);
        first.and_then(|first| u32::try_from(first).ok()).unwrap_or(ty)
    }

    /// Whether a function may throw.
    pub(super) fn throws(&self, function: u32) -> bool {
        self.throwing.contains(&function)
    }

    /// Whether a function of this type that is called through a table may throw.
    pub(super) fn throws_through_table(&self, ty: u32) -> bool {
        self.throwing_types.contains(&self.first_equal(ty))
    }
}
