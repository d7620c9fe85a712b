//! Types of an interface, prepared for encoding and decoding: aliases are resolved, names are those of JavaScript.

use std::rc::Rc;

use guest_js_text::names;
use rquickjs::{Atom, Ctx, Persistent, Result};

use super::description::{Case as DescribedCase, DefinitionKind, Description, Type};

/// The name of a property, or a text, as a value of the engine.
pub(crate) type KnownText = Persistent<Atom<'static>>;

/// A persistent text.
pub(super) fn restore<'js>(ctx: &Ctx<'js>, text: &KnownText) -> Result<Atom<'js>> {
    text.clone().restore(ctx)
}

/// The structure of a value.
#[derive(Clone)]
pub(crate) enum Shape {
    Bool,
    Number(Number),
    U64,
    S64,
    Char,
    String,
    List(Rc<Shape>),
    /// `nested` if the inner type is an option as well.
    Option {
        some: Rc<Shape>,
        nested: bool,
    },
    Tuple(Rc<[Shape]>),
    Result {
        ok: Option<Rc<Shape>>,
        error: Option<Rc<Shape>>,
    },
    Record(Rc<Record>),
    Variant(Rc<Variant>),
    Enum(Rc<Variant>),
    Flags(Rc<Record>),
    Handle {
        owned: bool,
        resource: usize,
        name: Rc<str>,
    },
}

/// Types that are numbers in JavaScript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    U8,
    U16,
    U32,
    S8,
    S16,
    S32,
    F32,
    F64,
}

/// The fields of a record, or flags, whose shapes are all `Bool`.
pub(crate) struct Record {
    pub(crate) name: String,
    pub(crate) fields: Vec<Field>,
}

pub(crate) struct Field {
    /// The name in JavaScript.
    pub(crate) name: String,
    pub(crate) key: KnownText,
    pub(crate) shape: Shape,
    /// Whether every object has a property with this name.
    pub(crate) is_usual: bool,
}

/// The cases of a variant or an enumeration.
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) cases: Vec<Case>,
}

pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) text: KnownText,
    pub(crate) shape: Option<Shape>,
}

impl Variant {
    /// The number of bytes of the index of a case.
    pub(crate) fn discriminant(&self) -> usize {
        match self.cases.len() {
            ..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 4,
        }
    }
}

/// Makes shapes of the types of a description.
pub(crate) struct Shapes<'a, 'js> {
    ctx: &'a Ctx<'js>,
    /// `None` for resources.
    named: Vec<(String, Option<Shape>)>,
}

impl<'a, 'js> Shapes<'a, 'js> {
    pub(crate) fn new(ctx: &'a Ctx<'js>, description: &Description) -> Result<Self> {
        let mut shapes = Self { ctx, named: Vec::with_capacity(description.types.len()) };
        for definition in &description.types {
            let name = definition.name.clone();
            let shape = match &definition.kind {
                DefinitionKind::Record { fields } => {
                    let fields = fields.iter().map(|field| shapes.field(&field.name, shapes.shape(&field.r#type)?));
                    Some(Shape::Record(Rc::new(Record { name, fields: fields.collect::<Result<_>>()? })))
                }
                DefinitionKind::Flags { flags } => {
                    let fields = flags.iter().map(|flag| shapes.field(&flag.name, Shape::Bool));
                    Some(Shape::Flags(Rc::new(Record { name, fields: fields.collect::<Result<_>>()? })))
                }
                DefinitionKind::Variant { cases } => Some(Shape::Variant(shapes.variant(name, cases)?)),
                DefinitionKind::Enum { cases } => Some(Shape::Enum(shapes.variant(name, cases)?)),
                DefinitionKind::Alias { r#type } => Some(shapes.shape(r#type)?),
                DefinitionKind::Resource => None,
            };
            shapes.named.push((definition.name.clone(), shape));
        }
        Ok(shapes)
    }

    fn field(&self, name: &str, shape: Shape) -> Result<Field> {
        let name = names::camel(name);
        let key = self.known(&name)?;
        Ok(Field { is_usual: names::is_usual(&name), name, key, shape })
    }

    fn variant(&self, name: String, cases: &[DescribedCase]) -> Result<Rc<Variant>> {
        let cases = cases.iter().map(|case| {
            let shape = case.r#type.as_ref().map(|kind| self.shape(kind)).transpose()?;
            Ok(Case { name: case.name.clone(), text: self.known(&case.name)?, shape })
        });
        Ok(Rc::new(Variant { name, cases: cases.collect::<Result<_>>()? }))
    }

    fn known(&self, name: &str) -> Result<KnownText> {
        Ok(Persistent::save(self.ctx, Atom::from_str(self.ctx.clone(), name)?))
    }

    /// The shape of a type. The host never sends a description with an invalid reference.
    pub(crate) fn shape(&self, kind: &Type) -> Result<Shape> {
        Ok(match kind {
            Type::Bool => Shape::Bool,
            Type::U8 => Shape::Number(Number::U8),
            Type::U16 => Shape::Number(Number::U16),
            Type::U32 => Shape::Number(Number::U32),
            Type::U64 => Shape::U64,
            Type::S8 => Shape::Number(Number::S8),
            Type::S16 => Shape::Number(Number::S16),
            Type::S32 => Shape::Number(Number::S32),
            Type::S64 => Shape::S64,
            Type::F32 => Shape::Number(Number::F32),
            Type::F64 => Shape::Number(Number::F64),
            Type::Char => Shape::Char,
            Type::String => Shape::String,
            Type::List(item) => Shape::List(Rc::new(self.shape(item)?)),
            Type::Option(some) => {
                let some = self.shape(some)?;
                Shape::Option { nested: matches!(some, Shape::Option { .. }), some: Rc::new(some) }
            }
            Type::Tuple(kinds) => Shape::Tuple(kinds.iter().map(|kind| self.shape(kind)).collect::<Result<_>>()?),
            Type::Result { ok, error } => {
                Shape::Result { ok: self.payload(ok.as_deref())?, error: self.payload(error.as_deref())? }
            }
            Type::Named(index) => {
                self.named.get(*index).and_then(|(_, shape)| shape.clone()).ok_or(rquickjs::Error::Unknown)?
            }
            Type::Own(index) | Type::Borrow(index) => {
                let (name, _) = self.named.get(*index).ok_or(rquickjs::Error::Unknown)?;
                Shape::Handle { owned: matches!(kind, Type::Own(_)), resource: *index, name: name.as_str().into() }
            }
        })
    }

    pub(crate) fn payload(&self, kind: Option<&Type>) -> Result<Option<Rc<Shape>>> {
        kind.map(|kind| self.shape(kind).map(Rc::new)).transpose()
    }
}
