//! Layouts, and the equality and compatibility of shapes: the vectors `compare`, and the ops of
//! XLA's unit tests about layouts. Every rule here is about a kind of line or an op, never about
//! one line.

#[path = "layouts/equality.rs"]
mod equality;
#[path = "layouts/given.rs"]
mod given;

use serde_json::{Value, json};
use xlayout::shape::{ErrorKind, Shape, Tiles};
use xlayout::{ElementType, Layout};
use xlayout_xla::Compare;
use xlayout_xla::layout_util;
use xlayout_xla::shape_util;

use given::{flag, number, numbers, said, shape, text};

type Check = Result<(), String>;

/// The result of an op: a value, or why there is no value.
type Answer = Result<Value, String>;

/// Checks a line or a case. Returns `None` if it is not about layouts.
pub(crate) fn check(kind_or_op: &str, case: &Value) -> Option<Check> {
    let answer = checked(kind_or_op, case)?;
    // A sparse layout in a text must be refused as such, and then there is nothing to ask.
    let refused = given::is_refused_as_sparse(&case["in"]);
    Some(if refused { Ok(()) } else { answer })
}

fn checked(kind_or_op: &str, case: &Value) -> Option<Check> {
    if kind_or_op == "compare" {
        return Some(equality::compare(case));
    }
    let input = case.get("in")?;
    let expected = case.get("expect")?;
    let answer = match kind_or_op {
        _ if given::is_sparse(input) && is_about_layouts(kind_or_op) => {
            return Some(sparse(kind_or_op, input, expected));
        }
        "layout_to_string" => given::layout(input).map(|layout| json!(layout.to_string())),
        "tile_to_string" => tile_to_string(input),
        "layout_equal" => equality::of_layouts(input),
        "layout_delete_dimension" => changed(input, |layout, dimension| {
            layout_util::delete_dimension(layout, dimension).map(|()| layout.clone())
        }),
        "layout_move_dim_to_major" => {
            changed(input, |layout, d| layout_util::move_dim_to_major(layout, d))
        }
        "layout_move_dim_to_minor" => {
            changed(input, |layout, d| layout_util::move_dim_to_minor(layout, d))
        }
        "default_layout" | "descending_layout" => rank(input, Layout::row_major),
        "ascending_layout" => rank(input, Layout::column_major),
        "logical_to_physical" => logical_to_physical(input),
        "dims_consecutive" => dims_consecutive(input),
        "is_monotonic" | "has_descending_layout" | "has_ascending_layout" => {
            monotonic(kind_or_op, input)
        }
        "is_untiled_layout" => is_untiled(input),
        "layouts_in_shapes_equal" => pair(input, |left, right| {
            Compare::new().layouts_in_shapes(left, right)
        }),
        "copy_layout" => return Some(copy_layout(input, expected)),
        "clear_layout_then_has_layout" => of_shape(input, |mut shape| {
            layout_util::clear_layout(&mut shape);
            Ok(json!(layout_util::has_layout(&shape)))
        }),
        "has_layout" => of_shape(input, |shape| Ok(json!(layout_util::has_layout(&shape)))),
        "has_any_layout" => of_shape(input, |shape| {
            Ok(json!(layout_util::has_any_layout(&shape)))
        }),
        "memory_space" => of_shape(input, |shape| Ok(json!(layout_util::memory_space(&shape)))),
        "set_to_default_layout" | "get_with_default_layout" => {
            return Some(same_shape(input, expected, |mut shape| {
                layout_util::set_to_default_layout(&mut shape);
                shape
            }));
        }
        "clear_tiles" => {
            return Some(same_shape(input, expected, |mut shape| {
                layout_util::clear_tiles(&mut shape);
                shape
            }));
        }
        "has_custom_element_size_in_bits" => of_shape(input, |shape| {
            Ok(json!(layout_util::has_custom_element_size_in_bits(&shape)))
        }),
        "shape_to_string_with_layout" | "shape_to_string" => shape_to_string(input),
        "validate_layout_in_shape" => validate_in_shape(input),
        "validate_layout_fields" => validate_fields(input),
        "byte_strides_is_major_to_minor" => byte_strides(input),
        "max_split_size" => of_shape(input, |shape| {
            let dimension = usize::try_from(number(input, "dim")?).map_err(said)?;
            let array = shape.as_array_or_buffer().ok_or("no array")?;
            shape_util::max_split_size(array, dimension)
                .map(Value::from)
                .ok_or_else(|| "no answer".into())
        }),
        "max_elements_per_split" => of_shape(input, |shape| {
            let array = shape.as_array_or_buffer().ok_or("no array")?;
            shape_util::max_elements_in_per_split(array)
                .map(Value::from)
                .ok_or_else(|| "no answer".into())
        }),
        "compare_indices" => compare_indices(input),
        "shape_equal" => equality::of_shapes(input),
        "compatible" => equality::by(input, Compare::compatible()),
        "compatible_ignoring_element_type" => {
            equality::by(input, Compare::compatible().ignore_element_type())
        }
        "compatible_ignoring_fp_precision" => {
            equality::by(input, Compare::compatible().ignore_fp_precision())
        }
        "compatible_kind" => equality::by(input, Compare::compatible_kind()),
        "equal_ignoring_element_type" => equality::by(input, Compare::new().ignore_element_type()),
        "equal_ignoring_fp_precision" => equality::by(input, Compare::new().ignore_fp_precision()),
        "equal_structure" => pair(input, |left, right| {
            Ok::<_, String>(shape_util::equal_structure(left, right))
        }),
        "same_dimensions" => pair(input, shape_util::same_dimensions),
        "same_rank" => pair(input, shape_util::same_rank),
        "same_element_type" => pair(input, |left, right| {
            Ok::<_, String>(shape_util::same_element_type(left, right))
        }),
        "same_element_type_ignoring_fp_precision" => pair(input, |left, right| {
            Ok::<_, String>(shape_util::same_element_type_ignoring_fp_precision(
                left, right,
            ))
        }),
        "are_all_leaves_integers" => of_shape(input, |s| {
            Ok(json!(shape_util::are_all_leaves_integers(&s)))
        }),
        "is_static" => of_shape(input, |s| Ok(json!(!s.is_dynamic()))),
        "dynamic_kind" => of_shape(input, |s| {
            Ok(json!({
                "is_dynamic": s.is_dynamic(),
                "is_unbounded_dynamic": s.is_unbounded_dynamic(),
            }))
        }),
        "dynamic_dimensions" => of_shape(input, |s| {
            let array = s.as_array_or_buffer().ok_or("no array")?;
            Ok(json!(
                array
                    .dims
                    .iter()
                    .map(|dim| dim.is_dynamic())
                    .collect::<Vec<bool>>()
            ))
        }),
        _ => return None,
    };
    Some(answered(expected, answer).map_err(|what| format!("{kind_or_op}: {what}")))
}

/// Whether the op takes a layout by its fields.
fn is_about_layouts(op: &str) -> bool {
    [
        "layout_to_string",
        "layout_delete_dimension",
        "layout_equal",
    ]
    .contains(&op)
        || op.starts_with("validate_layout")
}

/// An error of any words where XLA has one or aborts; else the same answer.
fn answered(expected: &Value, answer: Answer) -> Check {
    let expected = expected.get("ok").unwrap_or(expected);
    let refused = ["error", "err", "fatal", "crash"]
        .iter()
        .any(|name| expected.get(name).is_some())
        || expected
            .as_str()
            .is_some_and(|text| text.starts_with("crash: "))
        || expected.is_null();
    match answer {
        Ok(found) if refused => Err(format!("expected an error ({expected}), found {found}")),
        Err(error) if refused && error.trim().is_empty() => Err("the error says nothing".into()),
        Err(_) if refused => Ok(()),
        Ok(found) if found == *expected => Ok(()),
        Ok(found) => Err(format!("expected {expected}, found {found}")),
        Err(error) => Err(format!("expected {expected}, found the error: {error}")),
    }
}

fn of_shape(input: &Value, ask: impl FnOnce(Shape) -> Answer) -> Answer {
    ask(shape(input, "shape")?)
}

fn pair<E: ToString>(input: &Value, ask: impl FnOnce(&Shape, &Shape) -> Result<bool, E>) -> Answer {
    let answer = ask(&shape(input, "lhs")?, &shape(input, "rhs")?);
    answer.map(Value::from).map_err(|error| error.to_string())
}

fn changed<E: ToString>(
    input: &Value,
    change: impl FnOnce(&mut Layout, usize) -> Result<Layout, E>,
) -> Answer {
    let dimension = usize::try_from(number(input, "dim")?).map_err(said)?;
    let changed = change(&mut given::layout(input)?, dimension);
    changed
        .map(|layout| json!(layout.to_string()))
        .map_err(|error| error.to_string())
}

fn rank<E: ToString>(input: &Value, make: impl FnOnce(usize) -> Result<Layout, E>) -> Answer {
    if input.get("shape").is_some() {
        let layout =
            layout_util::get_default_layout_for_shape(&shape(input, "shape")?).map_err(said)?;
        return Ok(json!(layout.to_string()));
    }
    let rank = usize::try_from(number(input, "rank")?).map_err(said)?;
    make(rank)
        .map(|layout| json!(layout.to_string()))
        .map_err(|error| error.to_string())
}

fn tile_to_string(input: &Value) -> Answer {
    let tile = given::tile(&input["tile"])?;
    Ok(json!(
        Tiles::from_tiles(&[&tile]).map_err(said)?.to_string()
    ))
}

fn logical_to_physical(input: &Value) -> Answer {
    let layout = given::layout(input)?;
    let places = layout_util::make_logical_to_physical(&layout).ok_or("no permutation")?;
    Ok(json!(places[..]))
}

fn dims_consecutive(input: &Value) -> Answer {
    let layout = given::layout(input)?;
    let dims = numbers(input, "dims")?;
    let answer = layout_util::are_dimensions_consecutive(&layout, &dims);
    answer
        .map(Value::from)
        .ok_or_else(|| "a dimension is not listed".into())
}

fn monotonic(op: &str, input: &Value) -> Answer {
    let layout = given::layout(input)?;
    let minor = layout_util::is_monotonic_with_dim0_minor(&layout);
    let major = layout_util::is_monotonic_with_dim0_major(&layout);
    Ok(match op {
        "has_descending_layout" => json!(major),
        "has_ascending_layout" => json!(minor),
        _ => json!({ "dim0_minor": minor, "dim0_major": major }),
    })
}

fn is_untiled(input: &Value) -> Answer {
    let dims = numbers(input, "dims")?;
    Ok(json!(layout_util::is_untiled(
        &given::tiles(&input["tiles"])?,
        &dims
    )))
}

/// The expected shape is written as the given ones are, so shapes are compared, not texts.
fn copy_layout(input: &Value, expected: &Value) -> Check {
    let source = shape(input, "src")?;
    let mut destination = shape(input, "dst")?;
    let before = destination.clone();
    let copied = layout_util::copy_layout_between_shapes(&source, &mut destination);
    match (expected.get("ok"), copied) {
        (Some(_), Ok(())) => {
            let expected = shape(expected, "ok")?;
            same(&expected, &destination)?;
            same(
                &true,
                &Compare::new()
                    .layouts_in_shapes(&source, &destination)
                    .map_err(said)?,
            )
        }
        (Some(_), Err(error)) => Err(format!("expected {expected}, found the error: {error}")),
        (None, Ok(())) => Err(format!(
            "expected an error ({expected}), found {destination}"
        )),
        // All or nothing.
        (None, Err(_)) => same(&before, &destination),
    }
}

fn same_shape(input: &Value, expected: &Value, change: impl FnOnce(Shape) -> Shape) -> Check {
    let expected = given::annotated(expected.as_str().ok_or("no text is expected")?)?;
    same(&expected, &change(shape(input, "shape")?))
}

fn same<T: PartialEq + std::fmt::Debug>(expected: &T, found: &T) -> Check {
    if expected == found {
        Ok(())
    } else {
        Err(format!("expected {expected:?}, found {found:?}"))
    }
}

fn shape_to_string(input: &Value) -> Answer {
    let shape = given::any_shape(input)?;
    let with_layout = input.get("print_layout").is_none_or(|print| print == true);
    Ok(json!(if with_layout {
        shape.to_string()
    } else {
        shape.display_without_layout().to_string()
    }))
}

fn validate_in_shape(input: &Value) -> Answer {
    let allow_missing = flag(input, "allow_missing_layouts")?;
    let shape = given::any_shape(input)?;
    layout_util::validate_layout_in_shape(&shape, allow_missing).map_err(said)?;
    Ok(json!(true))
}

fn validate_fields(input: &Value) -> Answer {
    let base = shape(input, "base")?;
    layout_util::validate_for_shape(&given::layout(input)?, &base).map_err(said)?;
    Ok(json!(true))
}

fn byte_strides(input: &Value) -> Answer {
    let name = text(input, "type")?;
    let element_type = name.parse::<ElementType>().map_err(|_| "no such type")?;
    let shape = xlayout::ArrayShape::new(element_type, &numbers(input, "dims")?).map_err(said)?;
    let answer = layout_util::byte_strides_is_major_to_minor(&shape, &numbers(input, "strides")?);
    answer.map(Value::from).map_err(said)
}

fn compare_indices(input: &Value) -> Answer {
    let lhs = numbers(input, "lhs")?;
    let rhs = numbers(input, "rhs")?;
    Ok(json!(lhs.cmp(&rhs) as i64))
}

/// A sparse layout cannot be made here, as in XLA since 2025: its text must be refused as such.
fn sparse(op: &str, input: &Value, expected: &Value) -> Check {
    let text = match (op, expected.as_str()) {
        ("layout_to_string", Some(text)) => text.to_owned(),
        _ => given::sparse_text(input),
    };
    match Layout::read_xla(&text) {
        Err(error) if matches!(error.kind(), ErrorKind::Sparse { .. }) => Ok(()),
        other => Err(format!(
            "`{text}`: expected to be refused as sparse, found {other:?}"
        )),
    }
}
