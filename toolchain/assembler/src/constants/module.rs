//! Rewrites the code of a module.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow};
use wasm_encoder::{
    CodeSection, Instruction, Module,
    reencode::{Error, Reencode},
};
use wasmparser::{FunctionBody, Operator, Parser};

/// Returns the module with the known values in place of reads of its variables.
pub(super) fn folded(module: &[u8], known: &BTreeMap<u32, i32>) -> Result<Vec<u8>> {
    let mut output = Module::new();
    Folder { known }.parse_core_module(&mut output, Parser::new(0), module).map_err(|problem| anyhow!("{problem}"))?;
    Ok(output.finish())
}

struct Folder<'a> {
    known: &'a BTreeMap<u32, i32>,
}

impl Reencode for Folder<'_> {
    type Error = std::convert::Infallible;

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Error> {
        let mut function = self.new_function_with_parsed_locals(&body)?;
        for operator in body.get_operators_reader()? {
            let operator = operator?;
            let value = match operator {
                Operator::GlobalGet { global_index } => self.known.get(&global_index),
                _ => None,
            };
            match value {
                Some(value) => function.instruction(&Instruction::I32Const(*value)),
                None => function.instruction(&self.instruction(operator)?),
            };
        }
        code.function(&function);
        Ok(())
    }
}
