//! Shapes: the vectors `facts`, `permute` and `make_shape_jaxlib`, and the ops of XLA's unit tests
//! about shapes. Every rule here is about a kind of line or an op, never about one line.

#[path = "shapes/given.rs"]
mod given;
#[path = "shapes/vectors.rs"]
mod vectors;

use serde_json::{Value, json};
use xlayout::shape::{Dim, Shape, ShapeIndex};
use xlayout::{ArrayShape, ElementType};
use xlayout_xla::shape_util;
use xlayout_xla::shape_util::IterationSpace;

use given::{Input, compare, said};

use crate::conformance::as_xla;

type Check = Result<(), String>;

/// The result of an op: a value, or why there is no value.
type Answer = Result<Value, String>;

/// Checks a line or a case. Returns `None` if it is not about shapes.
pub(crate) fn check(kind_or_op: &str, case: &Value) -> Option<Check> {
    match kind_or_op {
        "facts" => return Some(vectors::facts(case)),
        "permute" => return Some(vectors::permute(case)),
        "make_shape_jaxlib" => return Some(vectors::make_shape(case)),
        _ => {}
    }
    let input = case.get("in")?;
    let expected = case.get("expect")?;
    let answer = op(kind_or_op, &Input(input), expected)?;
    Some(compare(expected, answer).map_err(|what| format!("{kind_or_op}: {what}")))
}

/// The answer of an op; nothing for those that are not about shapes.
fn op(op: &str, input: &Input<'_>, expected: &Value) -> Option<Answer> {
    // Several ops ask one thing of one array.
    let of_array = |answer: fn(&ArrayShape) -> Value| input.array().map(|array| answer(&array));
    Some(match op {
        "get_dimension" => get_dimension(input),
        "true_num_dimensions" => of_array(|array| json!(shape_util::true_num_dimensions(array))),
        "elements_in" => of_array(|array| json!(shape_util::elements_in(array))),
        "is_zero_element_array" => input
            .shape()
            .map(|shape| json!(shape_util::is_zero_element_array(&shape))),
        "has_degenerate_dimensions" => {
            of_array(|array| json!(shape_util::true_num_dimensions(array) < array.rank()))
        }
        "byte_size_of" => byte_size_of(input),
        "byte_size_of_primitive_type" => input.primitive_type().map(|ty| json!(ty.bytes())),
        "array_size" => of_array(|array| {
            json!({
                "array_size": as_xla::sizes::array_size(array).map(|(number, _)| number),
                "array_data_size": as_xla::sizes::array_data_size(array).map(|(number, _)| number),
            })
        }),
        "byte_strides" => {
            of_array(|array| json!(shape_util::byte_strides(array).map(|list| list.to_vec())))
        }
        "unpacked_byte_strides" => of_array(|array| {
            json!(shape_util::unpacked_byte_strides(array).map(|list| list.to_vec()))
        }),
        "packed_factor_1d_interleaved" => {
            of_array(|array| json!(shape_util::packed_factor_for_1d_interleaved_array(array)))
        }
        "is_effectively_most_major" => is_effectively_most_major(input),
        "is_empty_tuple" => input
            .shape()
            .map(|shape| json!(shape.tuple_shapes().is_some_and(<[Shape]>::is_empty))),
        "is_nested_tuple" => input.shape().map(|shape| {
            json!((shape.tuple_shapes()).is_some_and(|members| members.iter().any(Shape::is_tuple)))
        }),
        "has_primitive_type" => has_primitive_type(input),
        "index_is_valid" => index_is_valid(input),
        "is_leaf_index" => is_leaf_index(input),
        "get_subshape" => shown(expected, get_subshape(input)),
        "for_each_subshape" => for_each_subshape(input),
        "for_each_index_count" => for_each_index_count(input),
        "for_each_index" => for_each_index(input),
        "permute_dimensions" => permute_dimensions(input, expected),
        "append_minor_dimension" => shown(expected, append_minor_dimension(input)),
        "delete_dimensions" | "shape_delete_dimensions" => {
            shown(expected, delete_dimensions(input))
        }
        "prepend_major_dimension" => shown(expected, prepend_major_dimension(input)),
        "update_dynamic_dimension" => shown(expected, update_dynamic_dimension(input)),
        "move_dim_to_major" => shown(expected, move_dim_to_major(input)),
        "descending_same_physical" => shown(expected, descending_same_physical(input)),
        "make_validated_shape" => make_validated_shape(input, expected),
        _ => return None,
    })
}

/// A shape as it is expected: without a layout, if the expected text has none.
fn shown(expected: &Value, shape: Result<Shape, String>) -> Answer {
    let shape = shape?;
    let bare = expected.as_str().is_some_and(|text| !text.contains('{'));
    Ok(json!(if bare {
        shape.display_without_layout().to_string()
    } else {
        shape.to_string()
    }))
}

fn get_dimension(input: &Input<'_>) -> Answer {
    let dimension = shape_util::get_dimension(&input.array()?, input.number("dim")?);
    Ok(json!(dimension.map(Dim::to_xla)))
}

/// Without a size of pointers XLA takes -1.
fn byte_size_of(input: &Input<'_>) -> Answer {
    let pointer = input.0.get("pointer_size").and_then(Value::as_i64);
    Ok(json!(shape_util::byte_size_with_pointers(
        &input.shape()?,
        pointer.unwrap_or(-1)
    )))
}

fn is_effectively_most_major(input: &Input<'_>) -> Answer {
    let dimension = input.dimension("dim")?;
    let answer = shape_util::is_effectively_most_major_dimension(&input.array()?, dimension);
    answer.map(Value::from).map_err(said)
}

fn has_primitive_type(input: &Input<'_>) -> Answer {
    Ok(json!(shape_util::has_primitive_type(
        &input.shape()?,
        input.primitive_type()?
    )))
}

fn index_is_valid(input: &Input<'_>) -> Answer {
    let shape = input.shape()?;
    let index = input.numbers("index")?;
    Ok(json!(shape_util::subshape(&shape, &index).is_ok()))
}

fn is_leaf_index(input: &Input<'_>) -> Answer {
    let shape = input.shape()?;
    let index = input.numbers("index")?;
    let found = shape_util::subshape(&shape, &index).map_err(said)?;
    Ok(json!(!found.is_tuple()))
}

fn get_subshape(input: &Input<'_>) -> Result<Shape, String> {
    let shape = input.shape()?;
    shape_util::subshape(&shape, &input.numbers("index")?)
        .cloned()
        .map_err(said)
}

/// The paths in the sequence of the visits. Each leads to the shape that was visited.
fn for_each_subshape(input: &Input<'_>) -> Answer {
    let shape = input.shape()?;
    let mut visited: Vec<ShapeIndex> = Vec::new();
    let mut expected = 1;
    for (path, found) in shape_util::subshapes(&shape) {
        if shape_util::subshape(&shape, &path).map_err(said)? != found {
            return Err(format!("another shape is at {path}"));
        }
        expected += found.tuple_shapes().map_or(0, <[Shape]>::len);
        visited.push(path);
    }
    if visited.len() != expected {
        return Err(format!("visited {visited:?}"));
    }
    Ok(visited.iter().map(|index| index.to_vec()).collect())
}

fn for_each_index_count(input: &Input<'_>) -> Answer {
    let shape = shape_util::validated(ElementType::F32, &input.numbers("dims")?);
    let indices = shape_util::indices(&shape.map_err(said)?).map_err(said)?;
    Ok(json!(indices.count()))
}

/// Which indices are visited, at once and in parts.
fn for_each_index(input: &Input<'_>) -> Answer {
    let shape = input.array()?;
    let space = if input.0.get("base").is_some() {
        let [base, count, increment] = ["base", "count", "incr"].map(|name| input.numbers(name));
        IterationSpace::new(&base?, &count?, &increment?).map_err(said)?
    } else {
        IterationSpace::whole(&shape).map_err(said)?
    };
    let indices = shape_util::indices_in(&shape, &space).map_err(said)?;
    let visited: Vec<Vec<i64>> = indices.map(|index| index.to_vec()).collect();
    let three = std::num::NonZeroUsize::new(3).ok_or("3 is 0")?;
    let parts = shape_util::indices_in_parts(&shape, &space, three).map_err(said)?;
    let mut in_parts: Vec<Vec<i64>> = parts.flatten().map(|index| index.to_vec()).collect();
    let mut sorted = visited.clone();
    sorted.sort();
    in_parts.sort();
    if sorted != in_parts {
        return Err(format!("visited {sorted:?}, and in parts {in_parts:?}"));
    }
    Ok(json!(visited))
}

/// Whether the layouts say that dimension `permutation[i]` of the one is dimension `i` of the
/// other, in the same place of memory: what XLA's `TransposeIsBitcast` tests.
fn same_places(from: &ArrayShape, to: &ArrayShape, permutation: &[i64]) -> Option<bool> {
    let [from, to] = [from, to].map(|shape| shape.layout.as_ref().map(|l| &l.minor_to_major));
    let mapped: Option<Vec<i64>> = to?
        .iter()
        .map(|&d| permutation.get(usize::try_from(d).ok()?).copied())
        .collect();
    Some(mapped? == from?[..])
}

fn permute_dimensions(input: &Input<'_>, expected: &Value) -> Answer {
    let shape = input.array()?;
    let permutation = input.numbers("permutation")?;
    let permuted = shape_util::permute_dimensions(&shape, &permutation).map_err(said)?;
    let text = expected.get("shape").unwrap_or(expected);
    let mut answer = json!({ "shape": shown(text, Ok(permuted.clone().into()))? });
    if expected.get("transpose_is_bitcast").is_some() {
        answer["transpose_is_bitcast"] = json!(same_places(&shape, &permuted, &permutation));
    }
    Ok(if expected.is_string() {
        answer["shape"].take()
    } else {
        answer
    })
}

fn append_minor_dimension(input: &Input<'_>) -> Result<Shape, String> {
    let longer = shape_util::append_minor_dimension(&input.array()?, input.number("bound")?);
    longer.map(Shape::from).map_err(said)
}

fn prepend_major_dimension(input: &Input<'_>) -> Result<Shape, String> {
    let longer = shape_util::prepend_major_dimension(&input.array()?, input.number("bound")?);
    longer.map(Shape::from).map_err(said)
}

/// XLA's function finds the array in the tuple itself, and aborts if there is none.
fn update_dynamic_dimension(input: &Input<'_>) -> Result<Shape, String> {
    let mut shape = input.shape()?;
    let index = match input.0.get("index") {
        Some(_) => input.numbers("index")?,
        None => Vec::new(),
    };
    let is_dynamic = input.0["dynamic"].as_bool();
    let is_dynamic = is_dynamic.ok_or("`dynamic` is no truth value")?;
    let dimension = input.dimension("dim")?;
    let array = shape_util::subshape_mut(&mut shape, &index).map_err(said)?;
    let array = array.as_array_or_buffer_mut().ok_or("it is no array")?;
    shape_util::set_dynamic_dimension(array, dimension, is_dynamic).map_err(said)?;
    Ok(shape)
}

fn delete_dimensions(input: &Input<'_>) -> Result<Shape, String> {
    let dimensions = input.numbers("dims")?;
    let dimensions: Result<Vec<usize>, _> = dimensions.into_iter().map(usize::try_from).collect();
    let shorter = shape_util::delete_dimensions(&input.array()?, &dimensions.map_err(said)?);
    shorter.map(Shape::from).map_err(said)
}

/// XLA keeps of the layout minor_to_major only.
fn move_dim_to_major(input: &Input<'_>) -> Result<Shape, String> {
    let mut moved =
        shape_util::move_dim_to_major(&input.shape()?, input.dimension("dim")?).map_err(said)?;
    for (_, leaf) in shape_util::leaf_shapes_mut(&mut moved) {
        if let Some(array) = leaf.as_array_or_buffer_mut() {
            *array = shape_util::with_minor_to_major_only(array);
        }
    }
    Ok(moved)
}

fn descending_same_physical(input: &Input<'_>) -> Result<Shape, String> {
    let descending = shape_util::with_descending_layout_and_same_physical_layout(&input.array()?);
    descending.map(Shape::from).map_err(said)
}

fn make_validated_shape(input: &Input<'_>, expected: &Value) -> Answer {
    let sizes = input.0["dims"].as_array().ok_or("`dims` is no list")?;
    let size = |size: &Value| match size.as_str() {
        Some("unbounded") => Some(Dim::UNBOUNDED_SIZE),
        _ => size.as_i64(),
    };
    let sizes: Option<Vec<i64>> = sizes.iter().map(size).collect();
    let sizes = sizes.ok_or("a size is no number")?;
    let element_type = input.primitive_type()?;
    let shape = match input.0.get("dynamic").and_then(Value::as_array) {
        Some(dynamic) => {
            let dynamic: Option<Vec<bool>> = dynamic.iter().map(Value::as_bool).collect();
            let dynamic = dynamic.ok_or("a flag is no truth value")?;
            shape_util::validated_dynamic(element_type, &sizes, &dynamic)
        }
        None => shape_util::validated(element_type, &sizes),
    };
    let shape = shape.map_err(said)?;
    match expected.get("ok") {
        Some(Value::Bool(_)) => Ok(json!(true)),
        ok => shown(ok.unwrap_or(expected), Ok(shape.into())),
    }
}
