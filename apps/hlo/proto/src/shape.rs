//! `ShapeProto` and `Shape`.

use alloc::boxed::Box;
use alloc::vec::Vec;

use xlayout_core::{ArrayShape, Dim, Dims, ElementType, Layout, Shape};
use xlayout_shape::walk::{Build, Step};

use crate::error::{ProtoError, ProtoErrorKind as Kind};
use crate::layout::{full, primitive_type};
use crate::{LayoutProto, MAX_DEPTH, Proto, ShapeProto};

/// In both directions as XLA's `Shape::ToProto` and `Shape::FromProto`.
///
/// Reading takes what a [`Shape`] can hold; the rules about sizes, orders and tiles are checked by
/// [`Shape::validate`], as in XLA.
///
/// ```
/// use xlayout_core::Shape;
/// use xlayout_proto::Proto;
///
/// let shape: Shape = "(f32[2,<=3]{0,1}, token[])".parse()?;
/// let bytes = shape.to_proto_bytes();
/// let again = Shape::from_proto_bytes(&bytes)?;
/// again.validate()?;
/// assert_eq!(again, shape);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Proto for Shape {
    type Message = ShapeProto;

    fn to_proto(&self) -> ShapeProto {
        // The members of each open tuple; of the whole shape first.
        let mut members = Vec::from([Vec::new()]);
        for step in self.walk() {
            let message = match step {
                Step::Open(..) => {
                    members.push(Vec::new());
                    continue;
                }
                Step::Close(tuple) => match members.pop() {
                    Some(members) => holding(tuple, members),
                    None => unreachable!("a walk closes each tuple that it opened, once"),
                },
                Step::Leaf(Self::Array(array), _) => array.to_proto(),
                Step::Leaf(buffer @ Self::Buffer(array), _) => {
                    holding(buffer, Vec::from([array.to_proto()]))
                }
                // Tokens and opaque values.
                Step::Leaf(other, _) => holding(other, Vec::new()),
            };
            if let Some(members) = members.last_mut() {
                members.push(message);
            }
        }
        members
            .pop()
            .and_then(|mut whole| whole.pop())
            .unwrap_or_else(|| unreachable!("the last step of a walk is the whole shape"))
    }

    fn from_proto(message: &ShapeProto) -> Result<Self, ProtoError> {
        shape(message)
    }
}

/// The message of a shape that is not an array.
fn holding(shape: &Shape, tuple_shapes: Vec<ShapeProto>) -> ShapeProto {
    ShapeProto {
        element_type: shape.element_type_including_buffer().number().into(),
        tuple_shapes,
        ..ShapeProto::default()
    }
}

/// As for [`Shape`]; what is not an array is an error.
impl Proto for ArrayShape {
    type Message = ShapeProto;

    fn to_proto(&self) -> ShapeProto {
        let layout = self.layout.as_ref();
        ShapeProto {
            element_type: self.element_type.number().into(),
            dimensions: self.dims.iter().map(|dim| dim.to_xla()).collect(),
            tuple_shapes: Vec::new(),
            layout: layout.map(|layout| Box::new(layout.to_proto())),
            is_dynamic_dimension: self.dims.iter().map(|dim| dim.is_dynamic()).collect(),
        }
    }

    fn from_proto(message: &ShapeProto) -> Result<Self, ProtoError> {
        array(message, element_type(message)?)
    }
}

fn element_type(message: &ShapeProto) -> Result<ElementType, ProtoError> {
    primitive_type("element_type", message.element_type)?
        .ok_or_else(|| Kind::NoElementType.at("element_type"))
}

/// Reads a shape with a stack of its own: messages that were not read from bytes may be nested more
/// deeply than prost allows.
fn shape(mut message: &ShapeProto) -> Result<Shape, ProtoError> {
    let mut build = Build::default();
    // The members of each open tuple, and how many of them are read.
    let mut around: Vec<(&[ShapeProto], usize)> = Vec::new();
    loop {
        if around.len() > MAX_DEPTH {
            // A path of a hundred tuples says nothing.
            return Err(Kind::TooDeep.at(""));
        }
        let read = without_members(message).map_err(|error| {
            around.iter().rev().fold(error, |error, (_, read)| {
                error.within_item("tuple_shapes", read - 1)
            })
        })?;
        let mut whole = match read {
            Some(shape) => build.put(shape),
            None => {
                let members = &message.tuple_shapes;
                build.open(members.len());
                around.push((members, 0));
                None
            }
        };
        while whole.is_none() {
            let Some((members, read)) = around.last_mut() else {
                unreachable!("without open tuples the whole shape is read");
            };
            if let Some(member) = members.get(*read) {
                *read += 1;
                message = member;
                break;
            }
            around.pop();
            whole = build.close();
        }
        if let Some(whole) = whole {
            return Ok(whole);
        }
    }
}

/// Reads a shape; `None` for a tuple, whose members are not read.
fn without_members(message: &ShapeProto) -> Result<Option<Shape>, ProtoError> {
    let element_type = element_type(message)?;
    let holds_shapes = match element_type {
        ElementType::Tuple | ElementType::Buffer => true,
        ElementType::Token | ElementType::OpaqueType => false,
        _ => return array(message, element_type).map(|array| Some(Shape::Array(array))),
    };
    let members = if holds_shapes {
        0
    } else {
        message.tuple_shapes.len()
    };
    let fields = [
        ("dimensions", message.dimensions.len()),
        ("tuple_shapes", members),
        ("layout", message.layout.iter().len()),
        ("is_dynamic_dimension", message.is_dynamic_dimension.len()),
    ];
    none_of(element_type, &fields)?;
    Ok(match element_type {
        ElementType::Token => Some(Shape::Token),
        ElementType::OpaqueType => Some(Shape::Opaque),
        ElementType::Buffer => Some(Shape::Buffer(buffered(message)?)),
        _ => None,
    })
}

/// XLA skips such fields; a message that has them is not a message of XLA's.
fn none_of(element_type: ElementType, fields: &[(&str, usize)]) -> Result<(), ProtoError> {
    match fields.iter().find(|(_, entries)| *entries > 0) {
        Some((field, _)) => Err(Kind::NotInShape { element_type }.at(field)),
        None => Ok(()),
    }
}

/// The array in a buffer.
fn buffered(message: &ShapeProto) -> Result<ArrayShape, ProtoError> {
    let [inner] = &message.tuple_shapes[..] else {
        let shapes = message.tuple_shapes.len();
        return Err(Kind::BufferShapes { shapes }.at("tuple_shapes"));
    };
    ArrayShape::from_proto(inner).map_err(|error| error.within_item("tuple_shapes", 0))
}

fn array(message: &ShapeProto, element_type: ElementType) -> Result<ArrayShape, ProtoError> {
    if !element_type.is_array() {
        return Err(Kind::NotAnArray { element_type }.at("element_type"));
    }
    none_of(
        element_type,
        &[("tuple_shapes", message.tuple_shapes.len())],
    )?;
    let dims = dims(message)?;
    let layout = match &message.layout {
        Some(layout) => Some(
            Layout::from_proto(layout)
                .and_then(|read| lengths(layout, dims.len()).map(|()| read))
                .map_err(|error| error.within("layout"))?,
        ),
        None => None,
    };
    Ok(ArrayShape::from_parts(element_type, dims, layout))
}

fn dims(message: &ShapeProto) -> Result<Dims, ProtoError> {
    let dimensions = &message.dimensions;
    let dynamic = &message.is_dynamic_dimension;
    optional_list("is_dynamic_dimension", dynamic.len(), dimensions.len())?;
    let mut dims = Dims::new();
    for (k, &size) in dimensions.iter().enumerate() {
        // XLA leaves sizes that are no `Dim` to validation.
        let dim = Dim::from_xla(size, dynamic.get(k) == Some(&true))
            .ok_or_else(|| Kind::Size { size }.at_item("dimensions", k))?;
        dims.try_push(dim).map_err(full("dimensions"))?;
    }
    Ok(dims)
}

/// The lists of a layout have an entry for each dimension. XLA's reader of texts checks the first
/// of them as part of the form, too.
fn lengths(layout: &LayoutProto, dimensions: usize) -> Result<(), ProtoError> {
    list("minor_to_major", layout.minor_to_major.len(), dimensions)?;
    let mut optional = [
        ("padded_dimensions", layout.padded_dimensions.len()),
        ("dim_level_types", layout.dim_level_types.len()),
        ("dim_unique", layout.dim_unique.len()),
        ("dim_ordered", layout.dim_ordered.len()),
    ]
    .into_iter();
    optional.try_for_each(|(field, entries)| optional_list(field, entries, dimensions))
}

/// A list with an entry for each dimension, or none at all.
fn optional_list(field: &str, entries: usize, dimensions: usize) -> Result<(), ProtoError> {
    match entries {
        0 => Ok(()),
        _ => list(field, entries, dimensions),
    }
}

/// A list with an entry for each dimension.
fn list(field: &str, entries: usize, dimensions: usize) -> Result<(), ProtoError> {
    let kind = Kind::Length {
        entries,
        dimensions,
    };
    if entries == dimensions {
        Ok(())
    } else {
        Err(kind.at(field))
    }
}
