//! Compiles programs with syntax that generates code and cannot simply be removed: `enum`, `namespace`, parameter properties,
//! `<T>x`, decorators, `accessor`. The whole program is printed again.

use guest_js_text::rewrite;
use swc_common::{BytePos, DUMMY_SP, GLOBALS, Globals, LineCol, Mark, SourceMap, errors::HANDLER, sync::Lrc};
use swc_ecma_ast::{
    Decl, EsVersion, Expr, Ident, Module, ModuleItem, Param, ParamOrTsParamProp, Pat, Program, Script, Stmt,
    TsEnumMember, TsKeywordType, TsKeywordTypeKind, TsTypeAnn, VarDecl,
};
use swc_ecma_codegen::{Config, Emitter, text_writer::JsWriter};
use swc_ecma_parser::{Parser, StringInput, Syntax, TsSyntax, lexer::Lexer};
use swc_ecma_transforms_base::{
    fixer::fixer,
    helpers::{HELPERS, Helpers, inject_helpers},
    hygiene::hygiene,
    resolver,
};
use swc_ecma_transforms_proposal::{decorator_2023_11::decorator_2023_11, decorators};
use swc_ecma_transforms_typescript::typescript;
use swc_ecma_visit::{Visit, VisitMut, VisitMutWith, VisitWith};

use super::complaints::{Complaint, Complaints};

/// The position of each part of the printed program in the source.
pub(super) type Map = Vec<(BytePos, LineCol)>;

/// Whether a program without types has syntax that the engine does not support.
pub(super) fn is_needed(stripped: &str) -> bool {
    (stripped.contains('@') || stripped.contains("accessor")) && rewrite::has_decorators(stripped)
}

/// Compiles a program that is the body of the only function in `source`. The first `before` bytes do not belong to the program.
pub(super) fn compile(source: String, before: usize) -> Result<(String, Map), Complaint> {
    compile_as(source, before, body_of_function)
}

/// Compiles a module.
pub(super) fn compile_module(source: String) -> Result<(String, Map), Complaint> {
    compile_as(source, 0, |mut parser, style| {
        let module = parser.parse_module().map_err(|error| error.kind().msg().into_owned())?;
        module.visit_with(style);
        Ok(module)
    })
}

type Parse = fn(Parser<Lexer<'_>>, &mut Style) -> Result<Module, String>;

fn compile_as(source: String, before: usize, parse: Parse) -> Result<(String, Map), Complaint> {
    let complaints = Complaints::default();
    let handler = complaints.handler();
    let map = Lrc::new(SourceMap::default());
    let compiled = GLOBALS.set(&Globals::new(), || HANDLER.set(&handler, || translate(&map, source, parse)));
    let complaint = |text| complaints.first().unwrap_or((text, None));
    let program = compiled.map_err(complaint)?;
    if let Some(first) = complaints.first() {
        return Err(first);
    }
    let (code, mut places) = print(&map, &program).map_err(|text| (text, None))?;
    places.retain_mut(|(position, _)| {
        let offset = (position.0 as usize).checked_sub(1 + before);
        offset.and_then(|offset| u32::try_from(offset).ok()).is_some_and(|offset| {
            *position = BytePos(offset);
            true
        })
    });
    Ok((code, places))
}

/// The body of the only function of a script, as a module: only in modules do decorators get the names of classes.
fn body_of_function(mut parser: Parser<Lexer<'_>>, style: &mut Style) -> Result<Module, String> {
    let script = parser.parse_script().map_err(|error| error.kind().msg().into_owned())?;
    script.visit_with(style);
    let Script { span, body: mut statements, .. } = script;
    let Some(Stmt::Decl(Decl::Fn(function))) = statements.pop() else {
        return Err("the program is no function".to_owned());
    };
    let statements = function.function.body.map(|body| body.stmts).unwrap_or_default();
    Ok(Module { span, body: statements.into_iter().map(ModuleItem::Stmt).collect(), shebang: None })
}

fn translate(map: &Lrc<SourceMap>, source: String, parse: Parse) -> Result<Program, String> {
    let file = map.new_source_file(Lrc::new(swc_common::FileName::Anon), source);
    let syntax = Syntax::Typescript(TsSyntax { decorators: true, ..TsSyntax::default() });
    let lexer = Lexer::new(syntax, EsVersion::latest(), StringInput::from(&*file), None);
    let mut style = Style::default();
    let mut program = Program::Module(parse(Parser::new_from(lexer), &mut style)?);
    if style.longest_member > RECKONED {
        return Err(format!("the value of a member of an `enum` can have {RECKONED} operators"));
    }
    let (unresolved, top_level) = (Mark::new(), Mark::new());
    HELPERS.set(&Helpers::new(false), || {
        program.mutate(&mut resolver(unresolved, top_level, true));
        if style.decorated && style.legacy {
            let config = decorators::Config { legacy: true, emit_metadata: false, use_define_for_class_fields: true };
            program.mutate(&mut decorators::decorators(config));
        } else {
            program.mutate(&mut decorator_2023_11());
        }
        program.visit_mut_with(&mut Annotated);
        let config = typescript::Config {
            native_class_properties: true,
            no_empty_export: true,
            ..typescript::Config::default()
        };
        program.mutate(&mut typescript::typescript(config, unresolved, top_level));
        program.mutate(&mut inject_helpers(unresolved));
        program.mutate(&mut hygiene());
        program.mutate(&mut fixer(None));
    });
    Ok(program)
}

fn print(map: &Lrc<SourceMap>, program: &Program) -> Result<(String, Map), String> {
    let mut code = Vec::new();
    let mut places = Vec::new();
    let mut wr = JsWriter::new(map.clone(), "\n", &mut code, Some(&mut places));
    // The engine stores the text of every function. In nested functions, most of it would be indentation.
    wr.set_indent_str("");
    let mut emitter = Emitter { cfg: Config::default(), comments: None, cm: map.clone(), wr };
    emitter.emit_program(program).map_err(|error| error.to_string())?;
    let code = String::from_utf8(code).map_err(|error| error.to_string())?;
    Ok((code, places))
}

/// The kind of decorators that a program uses.
///
/// TypeScript reads this from its configuration, which does not exist here. Only the older kind decorates parameters, and only
/// its decorators get a `PropertyDescriptor`.
#[derive(Default)]
struct Style {
    decorated: bool,
    legacy: bool,
    /// The largest number of operators in the value of a member of an `enum`, which the compiler evaluates recursively.
    longest_member: usize,
}

impl Visit for Style {
    fn visit_decorator(&mut self, node: &swc_ecma_ast::Decorator) {
        self.decorated = true;
        node.visit_children_with(self);
    }

    fn visit_param(&mut self, node: &Param) {
        self.legacy |= !node.decorators.is_empty();
        node.visit_children_with(self);
    }

    fn visit_param_or_ts_param_prop(&mut self, node: &ParamOrTsParamProp) {
        if let ParamOrTsParamProp::TsParamProp(property) = node {
            self.legacy |= !property.decorators.is_empty();
        }
        node.visit_children_with(self);
    }

    fn visit_ts_enum_member(&mut self, node: &TsEnumMember) {
        self.longest_member = self.longest_member.max(node.init.as_deref().map_or(0, operators));
        node.visit_children_with(self);
    }

    fn visit_ident(&mut self, node: &Ident) {
        self.legacy |= matches!(&*node.sym, "PropertyDescriptor" | "TypedPropertyDescriptor");
    }
}

/// Gives the type `any` to constants with many operators.
///
/// The compiler evaluates constants without a declared type, because members of an `enum` may use them, and copies all operands
/// for each operator: some hundreds of MB for a sum of 2000.
struct Annotated;

/// The maximum number of operators of a constant, or of a member of an `enum`, that is evaluated.
const RECKONED: usize = 200;

impl VisitMut for Annotated {
    fn visit_mut_var_decl(&mut self, node: &mut VarDecl) {
        node.visit_mut_children_with(self);
        for declared in &mut node.decls {
            if let (Pat::Ident(name), Some(value)) = (&mut declared.name, &declared.init)
                && operators(value) > RECKONED
            {
                let any = TsKeywordType { span: DUMMY_SP, kind: TsKeywordTypeKind::TsAnyKeyword };
                name.type_ann
                    .get_or_insert_with(|| TsTypeAnn { span: DUMMY_SP, type_ann: Box::new(any.into()) }.into());
            }
        }
    }
}

/// Counts nested operators on the left side.
fn operators(mut value: &Expr) -> usize {
    let mut count = 0;
    while let Expr::Bin(binary) = value {
        count += 1;
        value = &binary.left;
    }
    count
}
