//! The intersection of two shapes, which expresses `allOf` as a type.

use super::{shape::Shape, shapes::Shapes};

impl Shapes<'_> {
    /// Returns the shape of values that fit both shapes, as far as it can be determined. Two records become one with
    /// all fields.
    pub(super) fn both(&mut self, left: Shape, right: Shape) -> Shape {
        match (self.unnamed(left), self.unnamed(right)) {
            ((_, Shape::Anything), (right, _)) => right,
            ((left, Shape::Record(one)), (_, Shape::Record(two))) => {
                if let (Shape::Named(_), true) = (&left, two.fields.is_empty()) {
                    return left;
                }
                let mut merged = one;
                for field in two.fields {
                    match merged.fields.iter_mut().find(|known| known.name == field.name) {
                        Some(known) => {
                            let required = known.required || field.required;
                            if field.shape != Shape::Anything {
                                *known = field;
                            }
                            known.required = required;
                        }
                        None => merged.fields.push(field),
                    }
                }
                merged.title = merged.title.or(two.title);
                merged.others = merged.others.or(two.others);
                let merged = Shape::Record(merged);
                self.charge(&merged);
                merged
            }
            // A record and an object with any keys.
            ((_, Shape::Map(_)), (right, Shape::Record(_))) => right,
            ((left, _), _) => left,
        }
    }

    /// A shape, together with the definition that it names.
    fn unnamed(&self, shape: Shape) -> (Shape, Shape) {
        let meant = match &shape {
            Shape::Named(index) => self.definitions[*index].shape.clone(),
            shape => shape.clone(),
        };
        (shape, meant)
    }
}
