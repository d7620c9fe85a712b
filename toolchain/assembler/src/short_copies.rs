//! Copies and fills few bytes with a function of the module.
//!
//! Engines call a function of their own for `memory.copy` and `memory.fill`, which takes longer than to move what most programs of
//! these languages do: names, numbers as text, the fields of a new object.

use anyhow::{Result, anyhow};
use wasm_encoder::{
    CodeSection, Component, ComponentSectionId, FunctionSection, Instruction, Module, RawSection, TypeSection, ValType,
    reencode::{Error, Reencode, utils},
};
use wasmparser::{
    CodeSectionReader, FunctionBody, FunctionSectionReader, Operator, Parser, Payload, TypeRef, TypeSectionReader,
};

use crate::sections::sections;

/// Returns the component with these functions in all of its modules that copy or fill, nested components included.
pub(crate) fn shortened(component: &[u8]) -> Result<Vec<u8>> {
    let mut output = Component::new();
    for (id, data) in sections(component)? {
        let inner = if id == u8::from(ComponentSectionId::CoreModule) {
            module(data)?
        } else if id == u8::from(ComponentSectionId::Component) {
            Some(shortened(data)?)
        } else {
            None
        };
        output.section(&RawSection { id, data: inner.as_deref().unwrap_or(data) });
    }
    Ok(output.finish())
}

/// Returns the module, or `None` if it neither copies nor fills.
fn module(binary: &[u8]) -> Result<Option<Vec<u8>>> {
    let mut patcher =
        Patcher { types: 0, functions: 0, added: wat::parse_str(include_str!("short_copies/functions.wat"))? };
    let mut moves = false;
    for payload in Parser::new(0).parse_all(binary) {
        match payload? {
            Payload::TypeSection(types) => {
                for group in types {
                    patcher.types += u32::try_from(group?.types().len())?;
                }
            }
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    patcher.functions += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::FunctionSection(functions) => patcher.functions += functions.count(),
            Payload::CodeSectionEntry(body) => moves = moves || does_move(&body)?,
            _ => {}
        }
    }
    if !moves {
        return Ok(None);
    }
    let mut output = Module::new();
    patcher.parse_core_module(&mut output, Parser::new(0), binary).map_err(|problem| anyhow!("{problem}"))?;
    Ok(Some(output.finish()))
}

fn does_move(body: &FunctionBody<'_>) -> Result<bool, wasmparser::BinaryReaderError> {
    for operator in body.get_operators_reader()? {
        if matches!(operator?, COPY | FILL) {
            return Ok(true);
        }
    }
    Ok(false)
}

const COPY: Operator<'_> = Operator::MemoryCopy { dst_mem: 0, src_mem: 0 };
const FILL: Operator<'_> = Operator::MemoryFill { mem: 0 };

/// Copies a module, and adds one type and two functions.
struct Patcher {
    types: u32,
    functions: u32,
    /// A module with the two functions.
    added: Vec<u8>,
}

impl Reencode for Patcher {
    type Error = std::convert::Infallible;

    fn parse_type_section(&mut self, types: &mut TypeSection, section: TypeSectionReader<'_>) -> Result<(), Error> {
        utils::parse_type_section(self, types, section)?;
        types.ty().function([ValType::I32; 3], []);
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_function_section(self, functions, section)?;
        functions.function(self.types).function(self.types);
        Ok(())
    }

    fn parse_code_section(&mut self, code: &mut CodeSection, section: CodeSectionReader<'_>) -> Result<(), Error> {
        utils::parse_code_section(self, code, section)?;
        for payload in Parser::new(0).parse_all(&self.added) {
            if let Payload::CodeSectionEntry(body) = payload? {
                code.raw(body.as_bytes());
            }
        }
        Ok(())
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Error> {
        if !does_move(&body)? {
            code.raw(body.as_bytes());
            return Ok(());
        }
        let mut function = self.new_function_with_parsed_locals(&body)?;
        for operator in body.get_operators_reader()? {
            match operator? {
                COPY => function.instruction(&Instruction::Call(self.functions)),
                FILL => function.instruction(&Instruction::Call(self.functions + 1)),
                operator => function.instruction(&self.instruction(operator)?),
            };
        }
        code.function(&function);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use wasmtime::{Engine, Instance, Module, Store};

    use super::*;

    const TEXT: &str = r#"(module (memory (export "memory") 1)
        (func (export "copy") (param i32 i32 i32)
            local.get 0  local.get 1  local.get 2  memory.copy)
        (func (export "fill") (param i32 i32 i32)
            local.get 0  local.get 1  local.get 2  memory.fill))"#;

    /// The memory after a call of a function of a module, whose bytes are their own addresses at first.
    fn after(module: &[u8], function: &str, arguments: (i32, i32, i32)) -> Vec<u8> {
        let engine = Engine::default();
        let mut store = Store::new(&engine, ());
        let instance = Instance::new(&mut store, &Module::new(&engine, module).unwrap(), &[]).unwrap();
        let memory = instance.get_memory(&mut store, "memory").unwrap();
        for (address, byte) in memory.data_mut(&mut store).iter_mut().enumerate() {
            *byte = (address % 251) as u8;
        }
        instance.get_typed_func::<_, ()>(&mut store, function).unwrap().call(&mut store, arguments).unwrap();
        memory.data(&store)[..1024].to_vec()
    }

    #[test]
    fn bytes_move_as_the_instructions_move_them() {
        let before = wat::parse_str(TEXT).unwrap();
        let patched = module(&before).unwrap().unwrap();
        for count in (0..=70).chain([127, 128, 500]) {
            for distance in [-65, -17, -16, -9, -8, -3, -1, 0, 1, 2, 5, 8, 15, 16, 31, 33, 64, 90] {
                let arguments = (200 + distance, 200, count);
                assert_eq!(after(&patched, "copy", arguments), after(&before, "copy", arguments), "{arguments:?}");
            }
            for byte in [0, 1, 255, 0x1234] {
                let arguments = (201, byte, count);
                assert_eq!(after(&patched, "fill", arguments), after(&before, "fill", arguments), "{arguments:?}");
            }
        }
    }

    #[test]
    fn other_modules_stay() {
        let text = "(component (core module (memory 1) (func (result i32) i32.const 0 i32.load)))";
        let before = wat::parse_str(text).unwrap();
        assert_eq!(shortened(&before).unwrap(), before);
    }

    #[test]
    fn modules_of_nested_components_are_patched() {
        let before = wat::parse_str(format!("(component (component (core {}))", &TEXT[1..])).unwrap();
        let patched = shortened(&before).unwrap();
        assert!(patched.len() > before.len());
        wasmparser::Validator::new().validate_all(&patched).unwrap();
    }
}
