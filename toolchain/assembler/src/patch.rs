//! Patches a memory leak in components of componentize-py: for a list of bytes that Python passes to the host, the component
//! copies the bytes and never frees the copy, so that a program that prints or writes a lot runs out of memory.
//!
//! componentize-py generates the code that passes values. For other lists the code requests that the copy is freed after the
//! call; this patch adds the same request where the interpreter made the copy. It matches the code instruction by instruction
//! and rejects a component with any difference, so that a developer reviews the patch for each new version of componentize-py.

use anyhow::{Result, bail, ensure};
use wasm_encoder::{
    CodeSection, Component, ComponentSectionId, Instruction, Module, RawSection,
    reencode::{Error, Reencode},
};
use wasmparser::{FunctionBody, Operator, Parser, Payload};

use crate::sections::sections;

/// The function that takes a list from the interpreter. Its parameters are the context, the type, and the location to which it
/// writes the address of the bytes. It writes no address if the caller must copy the elements.
const TAKE: &str = "wit_dylib_pop_list";

/// The function that frees memory. Its parameters are the context, the address, the size, the alignment, and whether to free
/// after the call.
const FREE: &str = "wit_dylib_dealloc_bytes";

/// Returns the component with requests to free the lists that it passes.
pub(crate) fn patched(component: &[u8]) -> Result<Vec<u8>> {
    let mut output = Component::new();
    let mut lists = None;
    for (id, data) in sections(component)? {
        match functions(id, data)? {
            None => output.section(&RawSection { id, data }),
            Some((take, free)) => {
                let mut patcher = Patcher { take, free, lists: 0 };
                let mut module = Module::new();
                patcher.parse_core_module(&mut module, Parser::new(0), data).map_err(anyhow::Error::msg)?;
                ensure!(lists.replace(patcher.lists).is_none(), "two modules pass values to the host");
                output.section(&RawSection { id, data: module.as_slice() })
            }
        };
    }
    match lists {
        None => bail!("no module imports {TAKE} and {FREE}"),
        Some(0) => bail!("the component passes no list to the host"),
        Some(_) => Ok(output.finish()),
    }
}

/// Returns the indices of the two functions in a module that imports both.
fn functions(section: u8, data: &[u8]) -> Result<Option<(u32, u32)>> {
    if section != u8::from(ComponentSectionId::CoreModule) {
        return Ok(None);
    }
    for payload in Parser::new(0).parse_all(data) {
        let Payload::ImportSection(imports) = payload? else { continue };
        let mut names = Vec::new();
        for import in imports.into_imports() {
            let import = import?;
            if matches!(import.ty, wasmparser::TypeRef::Func(_)) {
                names.push(import.name);
            }
        }
        let index = |name| names.iter().position(|import| *import == name).and_then(|index| u32::try_from(index).ok());
        return Ok(index(TAKE).zip(index(FREE)));
    }
    Ok(None)
}

/// Copies a module and adds the requests.
struct Patcher {
    take: u32,
    free: u32,
    /// The number of added requests.
    lists: usize,
}

/// The local variables of a list that was taken from the interpreter.
struct Taken {
    context: u32,
    address: u32,
    length: u32,
}

impl Patcher {
    /// Matches the instructions around a call of [`TAKE`]:
    ///
    /// ```wat
    /// local.get $context  i32.const <type>  local.get $stack  i32.const <slot>  i32.add  call $wit_dylib_pop_list
    /// local.set $length   local.get $stack  i32.const <slot>  i32.add  i32.load  local.set $address
    /// local.get $address  i32.eqz  if <copy the elements> end
    /// ```
    fn taken(&self, operators: &[Operator<'_>], call: usize) -> Option<Taken> {
        use Operator::{Call, I32Add, I32Const, I32Eqz, I32Load, If, LocalGet, LocalSet};
        let around = operators.get(call.checked_sub(5)?..call.checked_add(10)?)?;
        match around {
            [
                LocalGet { local_index: context },
                I32Const { .. },
                LocalGet { .. },
                I32Const { .. },
                I32Add,
                Call { .. },
                LocalSet { local_index: length },
                LocalGet { .. },
                I32Const { .. },
                I32Add,
                I32Load { .. },
                LocalSet { local_index: address },
                LocalGet { local_index: tested },
                I32Eqz,
                If { .. },
            ] if tested == address => Some(Taken { context: *context, address: *address, length: *length }),
            _ => None,
        }
    }

    fn patch(&mut self, code: &mut CodeSection, body: &FunctionBody<'_>) -> Result<(), Problem> {
        let mut function = self.new_function_with_parsed_locals(body)?;
        let operators = body.get_operators_reader()?.into_iter().collect::<Result<Vec<_>, _>>()?;
        // One entry for each open block: the list to free in its `else`, if the block copies the elements of a list.
        let mut blocks = Vec::new();
        let mut next = None;
        for (index, operator) in operators.iter().enumerate() {
            match operator {
                Operator::Call { function_index } if *function_index == self.take => {
                    next = Some((index + 9, self.taken(&operators, index).ok_or(Problem::UserError(Unfamiliar))?));
                }
                Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                    blocks.push(next.take_if(|(block, _)| *block == index).map(|(_, taken)| taken));
                }
                // The code already has an `else`, which this patch would add.
                Operator::Else if blocks.last().is_some_and(Option::is_some) => {
                    return Err(Problem::UserError(Unfamiliar));
                }
                Operator::End => {
                    if let Some(Some(taken)) = blocks.pop() {
                        self.free(&mut function, &taken);
                    }
                }
                _ => {}
            }
            function.instruction(&self.instruction(operator.clone())?);
        }
        code.function(&function);
        Ok(())
    }

    /// Adds the request in an `else`. The elements are bytes, so the size is the length of the list.
    fn free(&mut self, function: &mut wasm_encoder::Function, taken: &Taken) {
        self.lists += 1;
        function.instruction(&Instruction::Else);
        for argument in [taken.context, taken.address, taken.length] {
            function.instruction(&Instruction::LocalGet(argument));
        }
        let (alignment, after_the_call) = (1, 1);
        function.instruction(&Instruction::I32Const(alignment));
        function.instruction(&Instruction::I32Const(after_the_call));
        function.instruction(&Instruction::Call(self.free));
    }
}

type Problem = Error<Unfamiliar>;

/// The code around a list differs from the code that this patch was written for.
#[derive(Debug)]
struct Unfamiliar;

impl std::fmt::Display for Unfamiliar {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "the code around a call of {TAKE} differs from the code that this patch was written for")
    }
}

impl std::error::Error for Unfamiliar {}

impl Reencode for Patcher {
    type Error = Unfamiliar;

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Problem> {
        self.patch(code, &body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A component with one module that takes a list like generated code; `copying` copies its elements.
    fn component(copying: &str) -> Vec<u8> {
        wat::parse_str(format!(
            r#"(component (core module
                (import "env" "wit_dylib_dealloc_bytes" (func $free (param i32 i32 i32 i32 i32)))
                (import "env" "wit_dylib_pop_list" (func $take (param i32 i32 i32) (result i32)))
                (import "env" "memory" (memory 1))
                (func (param $context i32) (local $stack i32) (local $length i32) (local $address i32)
                    local.get $context  i32.const 4  local.get $stack  i32.const 0  i32.add  call $take
                    local.set $length  local.get $stack  i32.const 0  i32.add  i32.load  local.set $address
                    {copying})))"#
        ))
        .unwrap()
    }

    #[test]
    fn bytes_are_freed_where_elements_are_not_copied() {
        let before = component("local.get $address  i32.eqz  if  loop br 0 end  end");
        let after = component(
            "local.get $address  i32.eqz  if  loop br 0 end
             else  local.get $context  local.get $address  local.get $length  i32.const 1  i32.const 1  call $free  end",
        );
        assert_eq!(patched(&before).unwrap(), after);
    }

    #[test]
    fn code_that_already_frees_is_rejected() {
        let problem = patched(&component("local.get $address  i32.eqz  if  else  end")).unwrap_err();
        assert!(format!("{problem:#}").contains("differs from the code"), "{problem:#}");
    }

    #[test]
    fn unfamiliar_code_is_rejected() {
        let problem = patched(&component("local.get $length  i32.eqz  if  end")).unwrap_err();
        assert!(format!("{problem:#}").contains("differs from the code"), "{problem:#}");
        let problem = patched(&wat::parse_str("(component (core module))").unwrap()).unwrap_err();
        assert!(format!("{problem:#}").contains("no module"), "{problem:#}");
    }
}
