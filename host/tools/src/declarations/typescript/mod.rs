//! TypeScript declarations: one `namespace` per namespace, functions with one object parameter, objects as interfaces.

pub(super) mod text;
mod writer;

use std::fmt::Write as _;

use isolette_types::ToolCalls;

use self::{
    text::{comment, indented, string},
    writer::{DESCRIPTION, Writer, others_field},
};
use super::{Function, Namespaces, Style, names::type_name, shapes::Shapes, types::Types};
use crate::text::clipped;

/// Maximum width of arguments in one line. Longer ones have one line per argument.
const WIDTH: usize = 80;

/// All tools, in nested namespaces below `tools`.
pub(super) fn declarations(namespaces: &Namespaces<'_>, style: Style) -> String {
    let mut text = format!("// {}\n", remark(style));
    for (namespace, tools) in namespaces.iter().filter_map(|(name, tools)| Some((name.as_ref()?, tools))) {
        let path: Vec<&str> = [style.root()].into_iter().chain(namespace.iter().copied()).collect();
        let _ = write!(text, "\ndeclare namespace {} {{", path.join("."));
        let mut types = Types::default();
        let functions: Vec<String> = tools.iter().map(|tool| Declaration::of(*tool, &mut types).text("")).collect();
        for part in types.written.iter().chain(&functions) {
            let _ = write!(text, "\n{}\n", indented(part));
        }
        text.push_str("}\n");
    }
    if let Some(tools) = namespaces.get(&None) {
        let mut types = Types::default();
        let functions: Vec<String> =
            tools.iter().map(|tool| Declaration::of(*tool, &mut types).text("declare ")).collect();
        for part in types.written.iter().chain(&functions) {
            let _ = write!(text, "\n{part}\n");
        }
    }
    text
}

fn remark(style: Style) -> &'static str {
    match style.tool_calls {
        _ if style.is_asynchronous() => "Calls return promises.",
        ToolCalls::Sync => "Calls return their result at once; to await them does no harm.",
        _ => "Calls return their result, or promises in a program that awaits its calls: `await Promise.all([...])`.",
    }
}

/// One tool, with the types that it needs.
pub(super) fn function(tool: Function<'_>) -> String {
    let mut types = Types::default();
    let text = Declaration::of(tool, &mut types).text("declare ");
    types.written.push(text);
    types.written.join("\n\n")
}

/// One tool in one line. Its types are named but not defined.
pub(super) fn signature(tool: Function<'_>) -> String {
    let declaration = Declaration::of(tool, &mut Types::default());
    let arguments = declaration.arguments_in_line();
    match tool.namespace() {
        Some(_) => format!("{}.{}({arguments}): {}", tool.style.root(), tool.name, declaration.result),
        None => format!("call_tool({arguments}): {}", declaration.result),
    }
}

struct Declaration {
    name: String,
    /// The name of the tool, if the function is `call_tool`.
    literal: Option<String>,
    fields: Vec<(String, String)>,
    /// Whether no field is required.
    optional: bool,
    result: String,
    documentation: String,
}

impl Declaration {
    fn of(tool: Function<'_>, types: &mut Types) -> Self {
        let path = tool.namespace();
        let (name, literal, base) = match path {
            Some(_) => (tool.last_part().to_owned(), None, tool.last_part()),
            None => ("call_tool".to_owned(), Some(string(tool.name)), tool.name),
        };
        let base = type_name(base);
        let mut shapes = Shapes::new(tool.input_schema);
        let record = shapes.parameters();
        let mut simplified = shapes.simplified;
        let mut writer = Writer::new(types, &shapes);
        let mut fields = writer.fields(&record, &base);
        if let Some(others) = &record.others {
            let kind = writer.write(others, &format!("{base} others"));
            fields.push((String::new(), others_field(&record, &kind)));
        }
        let result: String = match tool.output_schema {
            None => "any".into(),
            Some(schema) => {
                let mut shapes = Shapes::new(schema);
                let shape = shapes.root();
                simplified |= shapes.simplified;
                Writer::new(types, &shapes).write(&shape, &format!("{base} result"))
            }
        };
        let result = if tool.style.is_asynchronous() { format!("Promise<{result}>") } else { result };
        let mut documentation = clipped(tool.description.trim(), DESCRIPTION).into_owned();
        if simplified {
            documentation.push_str("\n\n(Some types are too deep or too long to be shown; they are `unknown`.)");
        }
        let optional = record.fields.iter().all(|field| !field.required);
        Self { name, literal, fields, optional, result, documentation: documentation.trim().to_owned() }
    }

    fn text(&self, before: &str) -> String {
        let Self { name, result, documentation, .. } = self;
        format!("{}{before}function {name}({}): {result};", comment(documentation), self.arguments())
    }

    fn arguments(&self) -> String {
        let line = self.arguments_in_line();
        if line.len() <= WIDTH && self.fields.iter().all(|(comment, _)| comment.is_empty()) {
            return line;
        }
        let fields: Vec<String> =
            self.fields.iter().map(|(comment, field)| indented(&format!("{comment}{field};"))).collect();
        self.with_name(&format!("{{\n{}\n}}", fields.join("\n")))
    }

    fn arguments_in_line(&self) -> String {
        if self.fields.is_empty() {
            return self.literal.as_ref().map(|name| format!("name: {name}")).unwrap_or_default();
        }
        let fields: Vec<&str> = self.fields.iter().map(|(_, field)| field.as_str()).collect();
        self.with_name(&format!("{{ {} }}", fields.join("; ")))
    }

    fn with_name(&self, arguments: &str) -> String {
        let mark = if self.optional { "?" } else { "" };
        let name = self.literal.as_ref().map(|name| format!("name: {name}, ")).unwrap_or_default();
        format!("{name}args{mark}: {arguments}")
    }
}
