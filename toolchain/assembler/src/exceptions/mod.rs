//! Lowers exceptions: turns `throw` and `try_table` into branches, so that C++ libraries run where exceptions are not enabled.
//!
//! A thrown exception is noted in two global variables of the library: its tag, and the one number that it carries. Each call
//! that may throw is followed by a test of the tag, and a branch to where the exception is handled; without a handler, the
//! function returns zeros. That costs two instructions for each such call, and no engine needs to unwind stacks.
//!
//! An exception stays within its library. What leaves it for the C code of another one returns zeros there, as a function of
//! Python's that has failed without setting an error, and is forgotten when the library is next called.
//!
//! The instructions: <https://github.com/WebAssembly/exception-handling/blob/main/proposals/exception-handling/Exceptions.md>.

mod body;
mod library;

#[cfg(test)]
mod tests;

use anyhow::{Result, ensure};
use body::Body;
use library::Library;
use wasm_encoder::{
    CodeSection, ConstExpr, ExportSection, GlobalSection, GlobalType, Module, RawSection, SectionId, TagSection,
    ValType,
    reencode::{Error, Reencode, utils},
};
use wasmparser::{Export, ExternalKind, FunctionBody, GlobalSectionReader, Parser, RefType, TagSectionReader};

use crate::sections::sections;

type Problem = Error<anyhow::Error>;

/// Returns a module without exceptions.
pub(crate) fn lowered(module: &[u8]) -> Result<Vec<u8>> {
    let library = Library::read(module)?;
    if library.tags == 0 {
        return Ok(module.to_vec());
    }
    // An exception is its number with its tag in the two lowest bits, which are zero in an address.
    ensure!(library.tags < 4, "the library has {} kinds of exceptions, which do not fit in two bits", library.tags);
    let mut lowering = Lowering { library: &library, globals_added: false, function: library.imported_functions };
    let mut lowered = Module::new();
    lowering.parse_core_module(&mut lowered, Parser::new(0), module).map_err(anyhow::Error::msg)?;
    let mut output = Module::new();
    for (id, data) in sections(lowered.as_slice())? {
        if id != SectionId::Tag as u8 {
            output.section(&RawSection { id, data });
        }
    }
    Ok(output.finish())
}

/// Copies a module, and replaces what has to do with exceptions.
struct Lowering<'a> {
    library: &'a Library,
    globals_added: bool,
    /// The index of the next function.
    function: u32,
}

impl Lowering<'_> {
    /// Adds the tag and the number of the exception that is thrown.
    fn add_globals(&mut self, globals: &mut GlobalSection) {
        for _ in 0..2 {
            globals
                .global(GlobalType { val_type: ValType::I32, mutable: true, shared: false }, &ConstExpr::i32_const(0));
        }
        self.globals_added = true;
    }
}

impl Reencode for Lowering<'_> {
    type Error = anyhow::Error;

    /// An exception is a number.
    fn val_type(&mut self, ty: wasmparser::ValType) -> Result<ValType, Problem> {
        match ty {
            wasmparser::ValType::Ref(RefType::EXNREF | RefType::EXN) => Ok(ValType::I32),
            other => utils::val_type(self, other),
        }
    }

    fn parse_tag_section(&mut self, _: &mut TagSection, _: TagSectionReader<'_>) -> Result<(), Problem> {
        Ok(())
    }

    fn parse_export(&mut self, exports: &mut ExportSection, export: Export<'_>) -> Result<(), Problem> {
        if export.kind == ExternalKind::Tag { Ok(()) } else { utils::parse_export(self, exports, export) }
    }

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: GlobalSectionReader<'_>,
    ) -> Result<(), Problem> {
        utils::parse_global_section(self, globals, section)?;
        self.add_globals(globals);
        Ok(())
    }

    fn intersperse_section_hook(
        &mut self,
        module: &mut Module,
        _: Option<SectionId>,
        before: Option<SectionId>,
    ) -> Result<(), Problem> {
        use SectionId::{Code, Data, DataCount, Element, Export, Start};
        if !self.globals_added && matches!(before, Some(Export | Start | Element | DataCount | Code | Data)) {
            let mut globals = GlobalSection::new();
            self.add_globals(&mut globals);
            module.section(&globals);
        }
        Ok(())
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Problem> {
        let function = Body::new(self.library, self.function).lower(self, &body)?;
        self.function += 1;
        code.function(&function);
        Ok(())
    }
}
