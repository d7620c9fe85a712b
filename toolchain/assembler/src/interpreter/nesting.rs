//! Nested calls in C end with `RecursionError` before they use up the engine's stack.
//!
//! CPython measures the depth of nested calls by its stack in linear memory. WebAssembly keeps most variables elsewhere, on the
//! engine's own stack, which no code can measure: a function that reads nested JSON uses 16 bytes of the one and 350 of the other.
//! Each function that checks the depth therefore reserves more of the stack in memory, in proportion to what a level takes of
//! the engine's. Functions of CPython that call each other without a check get one.

use std::collections::HashMap;

use anyhow::{Context as _, Result, anyhow, ensure};
use wasm_encoder::{
    BlockType, CodeSection, Function, Instruction as I, Module,
    reencode::{Error, Reencode},
};
use wasmparser::{FunctionBody, Operator, Parser, Payload, TypeRef, ValType};

use super::{code::Outline, table::Table};

/// Bytes of the stack in memory that a function reserves. Checks refuse a call when some 3.75 MiB of that stack are used
/// (`stack.rs`), so at most 40,000 of these functions are nested. Each then has 800 bytes of the engine's 32 MiB: the functions
/// that call each other without Python code between them use up to 500. Python code reserves 350 bytes by itself.
const RESERVED: i32 = 96;

/// The functions that report too deep a nesting. A function that calls one of them checks the depth.
const CHECKS: [&str; 3] = ["_Py_CheckRecursiveCall", "_Py_EnterRecursiveCall", "Py_EnterRecursiveCall"];

/// The function that checks the depth and raises the exception; its parameter is a text for the message.
const CHECK: &str = "Py_EnterRecursiveCall";

/// The number of functions of CPython that check the depth by themselves. Another number means another CPython.
const CHECKED: usize = 72;

/// Functions that can be nested without a limit and do not check it, with the value that says that there is an exception.
const UNCHECKED: [(&str, i32); 24] = [
    // `hash` of nested tuples.
    ("PyObject_Hash", -1),
    // Iterators of iterators.
    ("accumulate_next", 0),
    ("batched_next", 0),
    ("calliter_iternext", 0),
    ("chain_next", 0),
    ("compress_next", 0),
    ("cycle_next", 0),
    ("dropwhile_next", 0),
    ("enum_next", 0),
    ("filter_next", 0),
    ("filterfalse_next", 0),
    ("groupby_next", 0),
    ("islice_next", 0),
    ("map_next", 0),
    ("pairwise_next", 0),
    ("starmap_next", 0),
    ("takewhile_next", 0),
    ("tee_next", 0),
    ("zip_longest_next", 0),
    ("zip_next", 0),
    // Partial functions of partial functions.
    ("partial_vectorcall", 0),
    // Generators that wait for generators, when the innermost one is ended or gets an exception.
    ("gen_close", 0),
    ("_gen_throw", 0),
    // `copy.deepcopy` of elements of XML.
    ("deepcopy", 0),
];

/// Returns the module with larger reservations, or `None` if it is not the interpreter. `limit` returns the address at which
/// CPython refuses nested calls.
pub(super) fn bounded(module: &[u8], table: &Table, limit: &dyn Fn() -> Result<u32>) -> Result<Option<Vec<u8>>> {
    let outline = Outline::of(module)?;
    let Some(check) = outline.functions.get(CHECK).copied().filter(|index| *index >= outline.imported) else {
        return Ok(None);
    };
    let checks = CHECKS.map(|name| outline.functions.get(name).copied());
    ensure!(checks.iter().all(Option::is_some), "the interpreter lacks one of {}", CHECKS.join(", "));
    let mut unchecked = HashMap::new();
    for (name, failure) in UNCHECKED {
        let index = outline.functions.get(name).with_context(|| format!("the interpreter has no function {name}"))?;
        unchecked.insert(*index, failure);
    }
    let mut rewriter = Rewriter {
        next: outline.imported,
        results: results(module)?,
        checks: checks.into_iter().flatten().collect(),
        unchecked,
        check,
        limit: limit()?,
        text: table.empty_text(),
        stack: stack_pointer(module)?,
        checked: 0,
    };
    let mut output = Module::new();
    rewriter.parse_core_module(&mut output, Parser::new(0), module).map_err(|problem| anyhow!("{problem}"))?;
    ensure!(
        rewriter.checked == CHECKED,
        "{} functions of the interpreter check the depth of calls, expected {CHECKED}",
        rewriter.checked
    );
    Ok(Some(output.finish()))
}

/// Returns the type of the result of each function of the module, in the order of their code.
fn results(module: &[u8]) -> Result<Vec<Option<ValType>>> {
    let (mut types, mut functions) = (Vec::new(), Vec::new());
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::TypeSection(section) => {
                for kind in section.into_iter_err_on_gc_types() {
                    types.push(kind?.results().first().copied());
                }
            }
            Payload::FunctionSection(section) => {
                for index in section {
                    functions.push(*types.get(index? as usize).context("a function has no type")?);
                }
            }
            _ => {}
        }
    }
    Ok(functions)
}

/// Returns the index of the global that is the stack pointer, which a library imports first.
fn stack_pointer(module: &[u8]) -> Result<u32> {
    for payload in Parser::new(0).parse_all(module) {
        let Payload::ImportSection(imports) = payload? else { continue };
        let mut globals = 0;
        for import in imports.into_imports() {
            let import = import?;
            if matches!(import.ty, TypeRef::Global(_)) {
                if import.name == "__stack_pointer" {
                    return Ok(globals);
                }
                globals += 1;
            }
        }
    }
    Err(anyhow!("the interpreter imports no stack pointer"))
}

/// Copies a module and changes the functions that nested calls pass through.
struct Rewriter {
    /// The index of the next function.
    next: u32,
    results: Vec<Option<ValType>>,
    checks: Vec<u32>,
    unchecked: HashMap<u32, i32>,
    check: u32,
    limit: u32,
    text: u32,
    stack: u32,
    /// The number of changed functions that have a check of their own.
    checked: usize,
}

type Problem = Error<Unfamiliar>;

/// A function ends in a way that the change does not know.
#[derive(Debug)]
struct Unfamiliar;

impl std::fmt::Display for Unfamiliar {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a function that checks the depth of calls ends by calling another one")
    }
}

impl std::error::Error for Unfamiliar {}

impl Rewriter {
    fn reserve(&self, function: &mut Function, bytes: i32) {
        function.instruction(&I::GlobalGet(self.stack));
        function.instruction(&I::I32Const(bytes));
        function.instruction(&I::I32Sub);
        function.instruction(&I::GlobalSet(self.stack));
    }

    /// Returns from the function with `failure` if the depth is refused.
    fn check(&self, function: &mut Function, failure: i32) {
        function.instruction(&I::GlobalGet(self.stack));
        function.instruction(&I::I32Const(self.limit.cast_signed()));
        function.instruction(&I::I32LtU);
        function.instruction(&I::If(BlockType::Empty));
        function.instruction(&I::I32Const(self.text.cast_signed()));
        function.instruction(&I::Call(self.check));
        function.instruction(&I::If(BlockType::Empty));
        self.reserve(function, -RESERVED);
        function.instruction(&I::I32Const(failure));
        function.instruction(&I::Return);
        function.instruction(&I::End);
        function.instruction(&I::End);
    }

    fn rewrite(
        &mut self,
        code: &mut CodeSection,
        body: &FunctionBody<'_>,
        result: Option<ValType>,
        failure: Option<i32>,
    ) -> Result<(), Problem> {
        let mut function = self.new_function_with_parsed_locals(body)?;
        self.reserve(&mut function, RESERVED);
        if let Some(failure) = failure {
            self.check(&mut function, failure);
        }
        // The code becomes a block, behind which the reservation ends.
        let block = result.map(|result| self.val_type(result)).transpose()?;
        function.instruction(&I::Block(block.map_or(BlockType::Empty, BlockType::Result)));
        let mut open = 0;
        for operator in body.get_operators_reader()? {
            match operator? {
                Operator::Return => {
                    function.instruction(&I::Br(open));
                    continue;
                }
                Operator::ReturnCall { .. } | Operator::ReturnCallIndirect { .. } | Operator::ReturnCallRef { .. } => {
                    return Err(Problem::UserError(Unfamiliar));
                }
                operator => {
                    match operator {
                        Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => open += 1,
                        Operator::End => open = open.saturating_sub(1),
                        _ => {}
                    }
                    function.instruction(&self.instruction(operator)?);
                }
            }
        }
        self.reserve(&mut function, -RESERVED);
        function.instruction(&I::End);
        code.function(&function);
        Ok(())
    }
}

impl Reencode for Rewriter {
    type Error = Unfamiliar;

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Problem> {
        let index = self.next;
        let result = self.results.get(code.len() as usize).copied().flatten();
        self.next += 1;
        if self.checks.contains(&index) {
            code.raw(body.as_bytes());
            return Ok(());
        }
        let failure = self.unchecked.get(&index).copied();
        let mut checks = false;
        for operator in body.get_operators_reader()? {
            if let Operator::Call { function_index } = operator? {
                checks |= self.checks.contains(&function_index);
            }
        }
        if checks {
            self.checked += 1;
        } else if failure.is_none() {
            code.raw(body.as_bytes());
            return Ok(());
        }
        self.rewrite(code, &body, result, failure.filter(|_| !checks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewriter(result: Option<ValType>) -> Rewriter {
        Rewriter {
            next: 0,
            results: vec![result; 2],
            checks: vec![0],
            unchecked: HashMap::new(),
            check: 0,
            limit: 4096,
            text: 8,
            stack: 0,
            checked: 0,
        }
    }

    fn rewritten(rewriter: &mut Rewriter, module: &str) -> String {
        let module = wat::parse_str(module).unwrap();
        let mut output = Module::new();
        rewriter.parse_core_module(&mut output, Parser::new(0), &module).unwrap();
        instructions_of_the_last(output.as_slice())
    }

    /// Returns the names of the instructions of the last function.
    fn instructions_of_the_last(module: &[u8]) -> String {
        let mut names = Vec::new();
        for payload in Parser::new(0).parse_all(module) {
            if let Payload::CodeSectionEntry(body) = payload.unwrap() {
                names.clear();
                for operator in body.get_operators_reader().unwrap() {
                    let text = format!("{:?}", operator.unwrap());
                    names.push(text.split(' ').next().unwrap().to_owned());
                }
            }
        }
        names.join(" ")
    }

    #[test]
    fn a_function_that_checks_reserves_more_and_returns_it_at_each_end() {
        let mut rewriter = rewriter(Some(ValType::I32));
        let instructions = rewritten(
            &mut rewriter,
            "(module (global (mut i32) (i32.const 9)) (func (result i32) i32.const 0)
                (func (result i32) block call 0 br_if 0 i32.const 1 return end i32.const 2))",
        );
        assert_eq!(
            instructions,
            "GlobalGet I32Const I32Sub GlobalSet Block Block Call BrIf I32Const Br End I32Const End \
             GlobalGet I32Const I32Sub GlobalSet End"
        );
        assert_eq!(rewriter.checked, 1);
    }

    #[test]
    fn a_function_without_a_check_gets_one() {
        let mut rewriter = rewriter(None);
        rewriter.unchecked.insert(1, -1);
        let instructions = rewritten(
            &mut rewriter,
            "(module (global (mut i32) (i32.const 9)) (func (param i32) (result i32) i32.const 0) (func (result i32) i32.const 3))",
        );
        assert!(
            instructions
                .contains("I32LtU If I32Const Call If GlobalGet I32Const I32Sub GlobalSet I32Const Return End End")
        );
        assert_eq!(rewriter.checked, 0);
    }
}
