//! Lowers the exceptions of one function.

use anyhow::anyhow;
use wasm_encoder::{
    BlockType, Function, Instruction,
    reencode::{Error, Reencode},
};
use wasmparser::{Catch, FunctionBody, Operator, ValType};

use super::{Lowering, Problem, library::Library};

/// A `block`, `loop`, `if` or `try_table`. The last becomes two blocks: the outer one is left with the results of its body, and
/// the inner one when a call in it has thrown; what follows the inner one finds the handler.
#[derive(Debug)]
struct Frame {
    /// The handlers of a `try_table`.
    catches: Option<Vec<Catch>>,
}

impl Frame {
    const fn blocks(&self) -> u32 {
        if self.catches.is_some() { 2 } else { 1 }
    }
}

/// A function whose exceptions are being lowered.
pub(super) struct Body<'a> {
    library: &'a Library,
    index: u32,
    frames: Vec<Frame>,
    /// The global variables: the tag of the exception that is thrown plus one, or zero; and its number.
    tag: u32,
    number: u32,
}

impl<'a> Body<'a> {
    pub(super) fn new(library: &'a Library, index: u32) -> Self {
        Self { library, index, frames: Vec::new(), tag: library.globals, number: library.globals + 1 }
    }

    pub(super) fn lower(mut self, module: &mut Lowering<'_>, body: &FunctionBody<'_>) -> Result<Function, Problem> {
        let mut output = module.new_function_with_parsed_locals(body)?;
        if self.library.reachable.contains(&self.index) && self.library.throws(self.index) {
            // Nothing is thrown when a function begins, unless it left the library unnoticed.
            output.instruction(&Instruction::I32Const(0)).instruction(&Instruction::GlobalSet(self.tag));
        }
        for operator in body.get_operators_reader()? {
            self.operator(module, operator?, &mut output)?;
        }
        Ok(output)
    }

    fn operator(
        &mut self,
        module: &mut Lowering<'_>,
        operator: Operator<'_>,
        output: &mut Function,
    ) -> Result<(), Problem> {
        match operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                self.frames.push(Frame { catches: None });
                output.instruction(&module.instruction(operator)?);
            }
            Operator::TryTable { try_table } => {
                if let wasmparser::BlockType::FuncType(ty) = try_table.ty
                    && !self.library.types[ty as usize].params().is_empty()
                {
                    return Err(Error::UserError(anyhow!("a `try_table` has parameters")));
                }
                self.frames.push(Frame { catches: Some(try_table.catches) });
                let results = module.block_type(try_table.ty)?;
                output.instruction(&Instruction::Block(results)).instruction(&Instruction::Block(BlockType::Empty));
            }
            Operator::End => self.end(output),
            Operator::Br { relative_depth } => {
                output.instruction(&Instruction::Br(self.depth(relative_depth)));
            }
            Operator::BrIf { relative_depth } => {
                output.instruction(&Instruction::BrIf(self.depth(relative_depth)));
            }
            Operator::BrTable { targets } => {
                let depths = targets.targets().map(|target| Ok(self.depth(target?)));
                let depths: Vec<u32> = depths.collect::<Result<_, Problem>>()?;
                output.instruction(&Instruction::BrTable(depths.into(), self.depth(targets.default())));
            }
            Operator::Throw { tag_index } => {
                output.instruction(&Instruction::GlobalSet(self.number));
                output.instruction(&Instruction::I32Const(of_tag(tag_index)));
                output.instruction(&Instruction::GlobalSet(self.tag));
                self.unwind(output, 0);
            }
            Operator::ThrowRef => {
                output.instruction(&Instruction::GlobalSet(self.number));
                for (mask, variable) in [(3, self.tag), (!3, self.number)] {
                    output.instruction(&Instruction::GlobalGet(self.number));
                    output.instruction(&Instruction::I32Const(mask)).instruction(&Instruction::I32And);
                    output.instruction(&Instruction::GlobalSet(variable));
                }
                self.unwind(output, 0);
            }
            Operator::RefNull {
                hty:
                    wasmparser::HeapType::Abstract {
                        ty: wasmparser::AbstractHeapType::Exn | wasmparser::AbstractHeapType::NoExn,
                        ..
                    },
            } => {
                output.instruction(&Instruction::I32Const(0));
            }
            Operator::Call { function_index } => {
                output.instruction(&module.instruction(operator)?);
                if self.library.throws(function_index) {
                    self.test(output);
                }
            }
            Operator::CallIndirect { type_index, .. } => {
                output.instruction(&module.instruction(operator)?);
                if self.library.throws_through_table(type_index) {
                    self.test(output);
                }
            }
            Operator::Try { .. }
            | Operator::Catch { .. }
            | Operator::Rethrow { .. }
            | Operator::Delegate { .. }
            | Operator::CatchAll => {
                let refused = "the library was compiled with the exceptions of the first proposal";
                return Err(Error::UserError(anyhow!(refused)));
            }
            Operator::BrOnNull { .. } | Operator::BrOnNonNull { .. } | Operator::CallRef { .. } => {
                return Err(Error::UserError(anyhow!("the library uses references to functions")));
            }
            other => {
                output.instruction(&module.instruction(other)?);
            }
        }
        Ok(())
    }

    /// The end of a block, and after that of a `try_table` the choice of the handler.
    fn end(&mut self, output: &mut Function) {
        let catches = self.frames.pop().and_then(|frame| frame.catches);
        let Some(catches) = catches else {
            output.instruction(&Instruction::End);
            return;
        };
        output.instruction(&Instruction::Br(1)).instruction(&Instruction::End);
        let mut all = false;
        for catch in catches {
            match catch {
                Catch::One { tag, label } | Catch::OneRef { tag, label } => {
                    output.instruction(&Instruction::GlobalGet(self.tag));
                    output.instruction(&Instruction::I32Const(of_tag(tag))).instruction(&Instruction::I32Eq);
                    output.instruction(&Instruction::If(BlockType::Empty));
                    output.instruction(&Instruction::GlobalGet(self.number));
                    if matches!(catch, Catch::OneRef { .. }) {
                        self.reference(output);
                    }
                    self.handle(label, 2, output);
                    output.instruction(&Instruction::End);
                }
                Catch::All { label } | Catch::AllRef { label } => {
                    if matches!(catch, Catch::AllRef { .. }) {
                        self.reference(output);
                    }
                    self.handle(label, 1, output);
                    all = true;
                }
            }
        }
        if !all {
            self.unwind(output, 1);
        }
        output.instruction(&Instruction::End);
    }

    /// Puts the exception as one number on the stack.
    fn reference(&self, output: &mut Function) {
        output.instruction(&Instruction::GlobalGet(self.number)).instruction(&Instruction::GlobalGet(self.tag));
        output.instruction(&Instruction::I32Or);
    }

    /// Branches to a handler outside of a `try_table`, from inside of `within` blocks that replace it.
    fn handle(&self, label: u32, within: u32, output: &mut Function) {
        output.instruction(&Instruction::I32Const(0)).instruction(&Instruction::GlobalSet(self.tag));
        output.instruction(&Instruction::Br(self.depth(label) + within));
    }

    /// Leaves for the handler if what was just called has thrown.
    fn test(&self, output: &mut Function) {
        output.instruction(&Instruction::GlobalGet(self.tag));
        if let Some(depth) = self.handler() {
            output.instruction(&Instruction::BrIf(depth));
        } else {
            output.instruction(&Instruction::If(BlockType::Empty));
            self.unwind(output, 1);
            output.instruction(&Instruction::End);
        }
    }

    /// Leaves for the handler, from inside of `within` blocks that the function did not have.
    fn unwind(&self, output: &mut Function, within: u32) {
        if let Some(depth) = self.handler() {
            output.instruction(&Instruction::Br(depth + within));
            return;
        }
        let ty = self.library.functions[self.index as usize];
        for result in self.library.types[ty as usize].results() {
            output.instruction(&match result {
                ValType::I32 => Instruction::I32Const(0),
                ValType::I64 => Instruction::I64Const(0),
                ValType::F32 => Instruction::F32Const(0.0.into()),
                ValType::F64 => Instruction::F64Const(0.0.into()),
                ValType::V128 => Instruction::V128Const(0),
                // No compiler of C or C++ makes functions that return references.
                ValType::Ref(_) => Instruction::Unreachable,
            });
        }
        output.instruction(&Instruction::Return);
    }

    /// Where the search for a handler begins: the depth of the inner block of the innermost `try_table`.
    fn handler(&self) -> Option<u32> {
        let depth = self.frames.iter().rev().position(|frame| frame.catches.is_some())?;
        Some(self.blocks(depth))
    }

    /// The depth of what had this depth before.
    fn depth(&self, before: u32) -> u32 {
        let frames = before as usize;
        let target = self.frames.iter().rev().nth(frames).map_or(1, Frame::blocks);
        self.blocks(frames) + target - 1
    }

    /// The number of blocks that the innermost frames have become.
    fn blocks(&self, frames: usize) -> u32 {
        self.frames.iter().rev().take(frames).map(Frame::blocks).sum()
    }
}

/// The value of the variable for a tag.
fn of_tag(tag: u32) -> i32 {
    i32::try_from(tag).unwrap_or(i32::MAX - 1) + 1
}
