//! Which variable of which module is which, and what its value is.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Context as _, Result, bail};
use wasm_encoder::ComponentSectionId;
use wasmparser::{
    BinaryReader, ComponentAlias, ComponentAliasSectionReader, ConstExpr, ExternalKind, Instance,
    InstanceSectionReader, Operator, Parser, Payload, TypeRef,
};

use crate::sections::sections;

/// The variables of a module.
#[derive(Default)]
struct Variables {
    /// Those that are imported, which come first: the names of the module and of the variable.
    imported: Vec<(String, String)>,
    /// The initial values of the others, if these are known.
    defined: Vec<Option<i32>>,
    exported: HashMap<String, u32>,
    /// What code sets them to: the sum of two variables, or something else.
    set: Vec<(u32, Option<(u32, u32)>)>,
}

/// An instance of a module, or a list of exports.
enum Made {
    Of { module: u32, arguments: HashMap<String, u32> },
    Listed(HashMap<String, u32>),
}

/// A variable: the instance that defines it, and its index there.
type Place = (u32, u32);

/// What code sets variables to: the sum of two, or something else.
type Sets = BTreeMap<Place, Vec<Option<(Place, Place)>>>;

/// The values of variables in a component.
pub(super) struct Values {
    modules: Vec<Variables>,
    instances: Vec<Made>,
    /// The component's own list of variables: the instance that exports each, and its name there.
    aliases: Vec<(u32, String)>,
    set: Sets,
}

impl Values {
    pub(super) fn of(component: &[u8]) -> Result<Self> {
        let mut values = Self { modules: Vec::new(), instances: Vec::new(), aliases: Vec::new(), set: BTreeMap::new() };
        for (id, data) in sections(component)? {
            let reader = || BinaryReader::new(data, 0);
            if id == u8::from(ComponentSectionId::CoreModule) {
                values.modules.push(Variables::of(data)?);
            } else if id == u8::from(ComponentSectionId::CoreInstance) {
                for instance in InstanceSectionReader::new(reader())? {
                    values.instances.push(Made::of(instance?));
                }
            } else if id == u8::from(ComponentSectionId::Alias) {
                for alias in ComponentAliasSectionReader::new(reader())? {
                    let ComponentAlias::CoreInstanceExport { kind: ExternalKind::Global, instance_index, name } =
                        alias?
                    else {
                        continue;
                    };
                    values.aliases.push((instance_index, name.to_owned()));
                }
            }
        }
        values.set = values.places_that_are_set()?;
        Ok(values)
    }

    fn places_that_are_set(&self) -> Result<Sets> {
        let mut set = Sets::new();
        for (number, made) in (0..).zip(&self.instances) {
            let Made::Of { module, .. } = made else { continue };
            for (variable, sum) in &self.module(*module)?.set {
                let sum = sum.map(|(one, two)| anyhow::Ok((self.place(number, one)?, self.place(number, two)?)));
                set.entry(self.place(number, *variable)?).or_default().push(sum.transpose()?);
            }
        }
        Ok(set)
    }

    /// Returns the known values of a module's variables. There are none if it has not exactly one instance.
    pub(super) fn of_module(&self, number: u32) -> BTreeMap<u32, i32> {
        let mut made =
            (0..).zip(&self.instances).filter(|(_, made)| matches!(made, Made::Of { module, .. } if *module == number));
        let (Some((instance, _)), None, Ok(variables)) = (made.next(), made.next(), self.module(number)) else {
            return BTreeMap::new();
        };
        let count = u32::try_from(variables.imported.len() + variables.defined.len()).unwrap_or_default();
        (0..count).filter_map(|variable| Some((variable, self.value(instance, variable)?))).collect()
    }

    /// Returns the value that a variable has at all times.
    fn value(&self, instance: u32, variable: u32) -> Option<i32> {
        let place = self.place(instance, variable).ok()?;
        let value = self.initial_value(place)?;
        // The linker's code sets addresses, and componentize-py starts with what they were set to.
        let stays = |sum: &Option<(Place, Place)>| {
            let (one, two) = sum.as_ref()?;
            let constant = |place| if self.set.contains_key(place) { None } else { self.initial_value(*place) };
            (constant(one)?.wrapping_add(constant(two)?) == value).then_some(())
        };
        self.set.get(&place).into_iter().flatten().all(|sum| stays(sum).is_some()).then_some(value)
    }

    fn initial_value(&self, (instance, variable): Place) -> Option<i32> {
        let Made::Of { module, .. } = self.instances.get(usize::try_from(instance).ok()?)? else { return None };
        let variables = self.module(*module).ok()?;
        let defined = usize::try_from(variable).ok()?.checked_sub(variables.imported.len())?;
        variables.defined.get(defined).copied().flatten()
    }

    /// Returns where a variable of an instance is defined.
    fn place(&self, instance: u32, variable: u32) -> Result<Place> {
        let made = self.instances.get(usize::try_from(instance)?).context("there is no such instance")?;
        let Made::Of { module, arguments } = made else { bail!("a list of exports has no variables") };
        match self.module(*module)?.imported.get(usize::try_from(variable)?) {
            None => Ok((instance, variable)),
            Some((from, name)) => self.exported(*arguments.get(from).context("an argument is missing")?, name),
        }
    }

    /// Returns where a variable that an instance exports is defined. An instance imports from earlier ones only.
    fn exported(&self, instance: u32, name: &str) -> Result<Place> {
        match self.instances.get(usize::try_from(instance)?).context("there is no such instance")? {
            Made::Of { module, .. } => {
                let variable = self.module(*module)?.exported.get(name).context("there is no such export")?;
                self.place(instance, *variable)
            }
            Made::Listed(exports) => {
                let alias = exports.get(name).context("there is no such export")?;
                let (instance, name) = self.aliases.get(usize::try_from(*alias)?).context("there is no such alias")?;
                self.exported(*instance, name)
            }
        }
    }

    fn module(&self, number: u32) -> Result<&Variables> {
        self.modules.get(usize::try_from(number)?).context("there is no such module")
    }
}

impl Made {
    fn of(instance: Instance<'_>) -> Self {
        match instance {
            Instance::Instantiate { module_index, args } => Self::Of {
                module: module_index,
                arguments: args.iter().map(|argument| (argument.name.to_owned(), argument.index)).collect(),
            },
            Instance::FromExports(exports) => Self::Listed(
                exports
                    .iter()
                    .filter(|export| export.kind == ExternalKind::Global)
                    .map(|export| (export.name.to_owned(), export.index))
                    .collect(),
            ),
        }
    }
}

impl Variables {
    fn of(module: &[u8]) -> Result<Self> {
        let mut found = Self::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let import = import?;
                        if matches!(import.ty, TypeRef::Global(_)) {
                            found.imported.push((import.module.to_owned(), import.name.to_owned()));
                        }
                    }
                }
                Payload::GlobalSection(globals) => {
                    for global in globals {
                        found.defined.push(constant(&global?.init_expr)?);
                    }
                }
                Payload::ExportSection(exports) => {
                    for export in exports {
                        let export = export?;
                        if export.kind == ExternalKind::Global {
                            found.exported.insert(export.name.to_owned(), export.index);
                        }
                    }
                }
                Payload::CodeSectionEntry(body) => {
                    let operators = body.get_operators_reader()?.into_iter().collect::<Result<Vec<_>, _>>()?;
                    for (place, operator) in operators.iter().enumerate() {
                        let Operator::GlobalSet { global_index } = operator else { continue };
                        found.set.push((*global_index, sum_of_variables(&operators[..place])));
                    }
                }
                _ => {}
            }
        }
        Ok(found)
    }
}

/// The variables whose sum the last of these instructions compute, if they do.
fn sum_of_variables(before: &[Operator<'_>]) -> Option<(u32, u32)> {
    match before {
        [
            ..,
            Operator::GlobalGet { global_index: one },
            Operator::GlobalGet { global_index: two },
            Operator::I32Add,
        ] => Some((*one, *two)),
        _ => None,
    }
}

/// The value of an expression that is one number of 32 bits.
fn constant(expression: &ConstExpr<'_>) -> Result<Option<i32>> {
    let operators = expression.get_operators_reader().into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(match operators.as_slice() {
        [Operator::I32Const { value }, Operator::End] => Some(*value),
        _ => None,
    })
}
