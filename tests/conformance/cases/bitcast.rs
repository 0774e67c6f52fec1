//! The results of XLA about bitcasts, reshapes and transposes: the vectors `bitcast`, the column
//! `bitcast` of the vectors `permute`, and the ops of `shape_util_test` that are about them.

use serde_json::{Value, json};
use xlayout::ArrayShape;
use xlayout::bitcast::ElementTypes;
use xlayout_xla::shape_util::{self, BitcastDecomposition, BitcastDecompositionTrt};

use crate::conformance::as_xla::bitcast as as_xla;

type Check = Result<(), String>;

/// Checks a line of vectors of a kind, or a case of an op. Returns `None` for other lines.
pub(crate) fn check(kind_or_op: &str, case: &Value) -> Option<Check> {
    Some(match kind_or_op {
        "bitcast" => bitcast(case),
        "permute" => permute(case),
        _ => {
            let expected = &case["expect"];
            return unit(
                kind_or_op,
                &case["in"],
                expected.get("ok").unwrap_or(expected),
            );
        }
    })
}

fn shape(value: &Value) -> Result<ArrayShape, String> {
    let text = value
        .as_str()
        .ok_or_else(|| format!("{value} is no text of a shape"))?;
    ArrayShape::read_xla(text).map_err(|error| format!("`{text}`: {error}"))
}

fn numbers(value: &Value) -> Result<Vec<i64>, String> {
    let list = value
        .as_array()
        .and_then(|list| list.iter().map(Value::as_i64).collect());
    list.ok_or_else(|| format!("{value} is no list of numbers"))
}

/// Whether XLA refuses or aborts.
fn is_refusal(value: &Value) -> bool {
    ["err", "error", "crash", "fatal"]
        .iter()
        .any(|key| value.get(key).is_some())
}

/// Compares an answer; `null` is none of ours.
fn same(what: &str, expected: &Value, found: Value) -> Check {
    let agree = if is_refusal(expected) {
        found.is_null()
    } else {
        *expected == found
    };
    if agree {
        Ok(())
    } else {
        Err(format!("{what}: expected {expected}, found {found}"))
    }
}

/// A yes or no, which the vectors write as 1 and 0.
fn bit(answer: Option<bool>) -> Value {
    json!(answer.map(u8::from))
}

fn dims(answer: Option<impl AsRef<[i64]>>) -> Value {
    json!(answer.as_ref().map(|list| list.as_ref()))
}

fn text(answer: Option<ArrayShape>) -> Value {
    json!(answer.map(|shape| shape.to_string()))
}

fn pairs(a: &ArrayShape, b: &ArrayShape) -> Value {
    json!(shape_util::dimensions_unmodified_by_reshape(a, b).map(|pairs| pairs.to_vec()))
}

fn bitcast(case: &Value) -> Check {
    let a = shape(&case["a"])?;
    let b = shape(&case["b"])?;
    // Where a key is missing, XLA has nothing to say: that is `null`.
    for (key, expected) in case.as_object().into_iter().flatten() {
        let found = match &**key {
            "a" | "b" => continue,
            "reshape" => bit(as_xla::reshape_is_bitcast(&a, &b, ElementTypes::Compared)),
            "rt" => bit(as_xla::is_reshape_or_transpose_bitcast(
                &a,
                &b,
                ElementTypes::Compared,
            )),
            "deduce" => dims(as_xla::deduce_transpose_dimensions_for_bitcast(&a, &b)),
            "align" => text(as_xla::align_layouts(&a, &b)),
            "unmodified" => pairs(&a, &b),
            "ones" => ones(&a, &b),
            "trt" => json!(as_xla::decompose_bitcast_to_trt(&a, &b).map(trt)),
            _ => return Err(format!("the key `{key}` is not known")),
        };
        same(key, expected, found)?;
    }
    if case.get("ones").is_none() {
        same("ones", &Value::Null, ones(&a, &b))?;
    }
    Ok(())
}

fn ones(a: &ArrayShape, b: &ArrayShape) -> Value {
    let ones = shape_util::inserted_or_deleted_1_sized_dimensions(a, b);
    json!(ones.map(|ones| json!({"del": &ones.deleted[..], "ins": &ones.inserted[..]})))
}

pub(crate) fn trt(trt: BitcastDecompositionTrt) -> Value {
    json!({
        "t1": &trt.transpose1_dims[..],
        "s1": trt.transpose1_shape.to_string(),
        "r": trt.reshape_shape.to_string(),
        "t2": &trt.transpose2_dims[..],
    })
}

/// The column `bitcast` only; the others are about shapes.
fn permute(case: &Value) -> Check {
    let a = shape(&case["a"])?;
    let b = shape(&case["b"])?;
    let perm = numbers(&case["perm"])?;
    let found = as_xla::transpose_is_bitcast(&a, &b, &perm, ElementTypes::Compared);
    same("bitcast", &case["bitcast"], bit(found))
}

fn unit(op: &str, input: &Value, expected: &Value) -> Option<Check> {
    let answer = match op {
        "inserted_or_deleted_1_sized" => inserted_or_deleted(input),
        "dims_unmodified_by_reshape" => both(input).map(|(a, b)| {
            json!(shape_util::dimensions_unmodified_by_reshape(&a, &b).map(|list| list.to_vec()))
        }),
        "reshape_is_bitcast" => both(input)
            .map(|(a, b)| json!(as_xla::reshape_is_bitcast(&a, &b, element_types(input)))),
        "transpose_is_bitcast" => transpose_is_bitcast(input),
        "deduce_transpose_dims" => {
            both(input).map(|(a, b)| dims(as_xla::deduce_transpose_dimensions_for_bitcast(&a, &b)))
        }
        "is_reshape_or_transpose_bitcast" => both(input).map(|(a, b)| {
            json!(as_xla::is_reshape_or_transpose_bitcast(
                &a,
                &b,
                element_types(input)
            ))
        }),
        "decompose_bitcast" => both(input).map(|(a, b)| {
            let found = as_xla::decompose_bitcast(&a, &b);
            decomposition(found, expected.get("dims").is_some())
        }),
        "align_layouts" => return Some(align_layouts(input, expected)),
        "normalized_transpose_shape" => normalized(input),
        "normalized_logical_transpose_shape" => return Some(normalized_logical(input, expected)),
        _ => return None,
    };
    Some(answer.and_then(|found| same(op, expected, found)))
}

/// The shapes that a case calls `input` and `output`, `pre` and `post`, or `a` and `b`.
fn both(input: &Value) -> Result<(ArrayShape, ArrayShape), String> {
    let named = |names: [&str; 3]| {
        let given = names.iter().find_map(|name| input.get(name));
        shape(given.ok_or_else(|| format!("none of {names:?} is there"))?)
    };
    Ok((
        named(["input", "pre", "a"])?,
        named(["output", "post", "b"])?,
    ))
}

fn element_types(input: &Value) -> ElementTypes {
    match input["ignore_element_type"] {
        Value::Bool(true) => ElementTypes::Ignored,
        _ => ElementTypes::Compared,
    }
}

/// The test asks only whether there is an answer.
fn inserted_or_deleted(input: &Value) -> Result<Value, String> {
    let (a, b) = both(input)?;
    Ok(json!(
        shape_util::inserted_or_deleted_1_sized_dimensions(&a, &b).is_some()
    ))
}

fn transpose_is_bitcast(input: &Value) -> Result<Value, String> {
    let (a, b) = both(input)?;
    let mapping = numbers(&input["dimension_mapping"])?;
    Ok(json!(as_xla::transpose_is_bitcast(
        &a,
        &b,
        &mapping,
        element_types(input)
    )))
}

/// Some cases call the permutation of a transpose `dims`.
fn decomposition(answer: Option<BitcastDecomposition>, short: bool) -> Value {
    match answer {
        None => Value::Null,
        Some(BitcastDecomposition::Reshape) => json!({"kind": "reshape"}),
        Some(BitcastDecomposition::Transpose { transpose_dims }) => {
            let name = if short { "dims" } else { "transpose_dims" };
            json!({"kind": "transpose", name: &transpose_dims[..]})
        }
        Some(BitcastDecomposition::Trt(trt)) => json!({
            "kind": "trt",
            "transpose1_dims": &trt.transpose1_dims[..],
            "transpose1_shape": trt.transpose1_shape.to_string(),
            "reshape_shape": trt.reshape_shape.to_string(),
            "transpose2_dims": &trt.transpose2_dims[..],
        }),
    }
}

/// The answer is a minor_to_major list, or that there is one: the test asks for the list or for a
/// bitcast.
fn align_layouts(input: &Value, expected: &Value) -> Check {
    let a = shape(&input["input"])?;
    let b = ArrayShape::new(a.element_type, &numbers(&input["output_dims"])?)
        .map_err(|error| error.to_string())?;
    let found = as_xla::align_layouts(&a, &b);
    let minor_to_major = found
        .as_ref()
        .and_then(|shape| shape.layout.as_ref())
        .map(|layout| layout.minor_to_major.to_vec());
    if let Some(aligned) = &found
        && as_xla::reshape_is_bitcast(&a, aligned, ElementTypes::Compared) != Some(true)
    {
        return Err(format!(
            "align_layouts: a reshape to {aligned} is no bitcast"
        ));
    }
    let wanted = match expected {
        Value::Object(fields) => fields.get("minor_to_major").unwrap_or(expected),
        _ => expected,
    };
    match wanted {
        Value::Array(_) | Value::Null => same("align_layouts", wanted, json!(minor_to_major)),
        Value::String(text) if text.contains('[') => {
            same("align_layouts", wanted, self::text(found))
        }
        // An answer of any layout.
        Value::Bool(false) => same("align_layouts", &Value::Null, json!(minor_to_major)),
        _ if found.is_none() => Err(format!(
            "align_layouts: expected {expected}, found no layout"
        )),
        _ => Ok(()),
    }
}

fn normalized(input: &Value) -> Result<Value, String> {
    let (a, b) = both(input)?;
    let permutation = numbers(&input["permutation"])?;
    let permutation = permutation
        .try_into()
        .map_err(|list| format!("{list:?} is not three"))?;
    Ok(json!(shape_util::get_normalized_transpose_shape(
        &a,
        &b,
        permutation
    )))
}

/// XLA of 2024 was told the permutation, of three dimensions, and filled in ones to get there; the
/// newest leaves them out. So they count for nothing.
fn normalized_logical(input: &Value, expected: &Value) -> Check {
    let (a, b) = both(input)?;
    let found =
        shape_util::get_normalized_logical_transpose_shape(&a, &b, &numbers(&input["dimensions"])?)
            .map(|found| (found.dims.to_vec(), found.permutation.to_vec()));
    let what = "normalized_logical_transpose_shape";
    if expected.is_null() || is_refusal(expected) {
        return same(what, &Value::Null, json!(found));
    }
    let (mut dims, mut permutation) = match expected {
        Value::Array(_) => (numbers(expected)?, numbers(&input["permutation"])?),
        _ => (
            numbers(&expected["dims"])?,
            numbers(&expected["permutation"])?,
        ),
    };
    while let Some(one) = dims.iter().position(|&size| size == 1)
        && dims.len() > 1
    {
        dims.remove(one);
        let gone = permutation.remove(one);
        permutation
            .iter_mut()
            .for_each(|d| *d -= i64::from(*d > gone));
    }
    same(what, &json!([dims, permutation]), json!(found))
}
