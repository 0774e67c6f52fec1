//! `sizes`, `strides` and `linear`: the numbers of XLA's own helpers.
//!
//! XLA computes them in 64 bits that wrap, and counts a dimension without a bound as the least
//! number. A number that came about in this way is none: where our function says that something
//! wrapped, the exact one must answer nothing, and XLA's number does not count.

use serde_json::Value;
use xlayout::shape::{Shape, TileDim};
use xlayout::{ArrayLayout, ArrayShape, DynLayout};
use xlayout_xla::index_util;
use xlayout_xla::shape_util;

use super::Check;
use super::as_xla::sizes as as_xla;
use super::fields::{Fields, is_refusal, numbers, same};

/// What XLA's helpers were told of the size of a pointer.
const POINTER: i64 = 8;

/// Our answer in both forms.
pub(super) struct Answer {
    /// The number as XLA computes it, and whether it wrapped; `None` if XLA aborts.
    wrapping: Option<(i64, bool)>,
    /// The answer for those who want a right one.
    exact: Option<i64>,
    /// Whether a negative number, too, is no exact answer.
    natural: bool,
}

impl Answer {
    pub(super) fn exact(number: i64) -> Self {
        Self {
            wrapping: Some((number, false)),
            exact: Some(number),
            natural: false,
        }
    }

    /// The answer of a function that only XLA has.
    fn of_xla(wrapping: Option<(i64, bool)>, natural: bool) -> Self {
        let exact = wrapping.filter(|(number, wrapped)| !wrapped && (!natural || *number >= 0));
        Self {
            wrapping,
            exact: exact.map(|(number, _)| number),
            natural,
        }
    }

    /// Compares with XLA's answer.
    pub(super) fn check(&self, name: &str, expected: &Value) -> Check {
        if is_refusal(expected) {
            return same(name, None, self.exact);
        }
        let xla = expected
            .as_i64()
            .ok_or_else(|| format!("`{name}` is no number, but {expected}"))?;
        match self.wrapping {
            None => Err(format!("{name}: expected {xla}, found no answer")),
            Some((_, true)) => same(&format!("{name} (wraps in XLA)"), None, self.exact),
            Some((found, false)) => {
                same(name, xla, found)?;
                let exact = (!self.natural || xla >= 0).then_some(xla);
                same(&format!("{name}, exactly"), exact, self.exact)
            }
        }
    }
}

pub(super) fn byte_size_of(shape: &Shape) -> Answer {
    Answer {
        wrapping: Some(as_xla::byte_size_of(shape, POINTER)),
        exact: shape_util::byte_size_with_pointers(shape, POINTER),
        natural: false,
    }
}

pub(super) fn elements(shape: &Shape) -> Answer {
    Answer {
        wrapping: as_xla::elements_in_recursive(shape),
        exact: shape_util::elements_in_recursive(shape),
        natural: false,
    }
}

pub(super) fn array_size(array: &ArrayShape) -> Answer {
    Answer::of_xla(as_xla::array_size(array), false)
}

pub(super) fn array_data_size(array: &ArrayShape) -> Answer {
    Answer::of_xla(as_xla::array_data_size(array), true)
}

/// Reads the shape of a line. Nothing where XLA refuses it and we do, too.
fn read(line: &Fields<'_>) -> Result<Option<Shape>, String> {
    let text = line.text("t")?;
    match Shape::read_xla(text) {
        Ok(shape) => Ok(Some(shape)),
        Err(_) if line.refused() => Ok(None),
        Err(error) => Err(format!(
            "`{text}`: expected to be read, found the error: {error}"
        )),
    }
}

fn array(shape: &Shape) -> Result<&ArrayShape, String> {
    match shape {
        Shape::Array(array) | Shape::Buffer(array) => Ok(array),
        _ => Err(format!("{shape} is no array, which this line needs")),
    }
}

pub(super) fn sizes(line: &Fields<'_>) -> Check {
    let Some(shape) = read(line)? else {
        return Ok(());
    };
    if line.refused() {
        let answers = [byte_size_of(&shape).exact, elements(&shape).exact];
        let array = shape.as_array().and_then(|array| array_size(array).exact);
        return same("the answers", [None; 3], [answers[0], answers[1], array]);
    }
    let mut checked = 0;
    for (name, expected) in line.0 {
        let answer = match name.as_str() {
            "bytes" => byte_size_of(&shape),
            "table" => {
                let table = shape_util::byte_size_with_pointers(&shape, POINTER)
                    .filter(|_| shape.is_tuple());
                Answer {
                    wrapping: table.map(|n| (n, false)),
                    exact: table,
                    natural: false,
                }
            }
            "elems" => elements(&shape),
            "array" => array_size(array(&shape)?),
            "data" => array_data_size(array(&shape)?),
            "bits" => Answer::exact(array(&shape)?.element_size_in_bits()),
            "t" => continue,
            _ => return Err(format!("the answer `{name}` is not known")),
        };
        answer.check(name, expected)?;
        checked += 1;
    }
    if checked == 0 {
        Err("the line has no answers".into())
    } else {
        Ok(())
    }
}

pub(super) fn strides(line: &Fields<'_>) -> Check {
    let Some(shape) = read(line)? else {
        return Ok(());
    };
    let array = array(&shape)?;
    let packed = shape_util::byte_strides(array).map(|strides| strides.to_vec());
    let unpacked = shape_util::unpacked_byte_strides(array).map(|strides| strides.to_vec());
    if line.refused() {
        return same("the strides", (None, None), (packed, unpacked));
    }
    let list = |name: &str, value: &Value| match value {
        Value::Null => Ok(None),
        value if is_refusal(value) => Ok(None),
        value => numbers(name, value).map(Some),
    };
    let expected = list("bs", line.value("bs")?)?;
    let expected_unpacked = match line.get("ubs") {
        Some(value) => list("ubs", value)?,
        None => expected.clone(),
    };
    let whole = array.element_type.bytes().map_or(0, i64::from);
    let expected = expected.filter(|_| fit(array, array.element_size_in_bits() / 8));
    same("ByteStrides", expected, packed)?;
    same(
        "UnpackedByteStrides",
        expected_unpacked.filter(|_| fit(array, whole)),
        unpacked,
    )
}

/// Whether the strides of elements of `bytes` bytes can be counted in 64 bits.
fn fit(array: &ArrayShape, bytes: i64) -> bool {
    let Some(layout) = &array.layout else {
        return false;
    };
    let major = layout.minor_to_major.last().copied();
    let sizes = layout.minor_to_major.iter().filter(|&&d| Some(d) != major);
    let sizes = sizes.map(|&d| shape_util::get_dimension(array, d).and_then(|dim| dim.bound()));
    sizes
        .map(|size| size.map(i128::from))
        .try_fold(i128::from(bytes), |product, size| {
            product.checked_mul(size?)
        })
        .is_some_and(|product| product <= i128::from(i64::MAX))
}

pub(super) fn linear(line: &Fields<'_>) -> Check {
    let Some(shape) = read(line)? else {
        return Ok(());
    };
    let array = array(&shape)?;
    if line.refused() {
        let origin = vec![0; array.rank()];
        let answers = [
            as_xla::linear_index(array, &origin),
            array_size(array).exact,
        ];
        return same("the answers", [None; 2], answers);
    }
    let lin = line.numbers("lin")?;
    let untiled = if line.get("untiled").is_some() {
        line.numbers("untiled")?
    } else {
        lin.clone()
    };
    let elements = shape_util::elements_in(array).and_then(|n| usize::try_from(n).ok());
    same("elements", Some(lin.len()), elements)?;
    same("entries of `untiled`", lin.len(), untiled.len())?;
    // All levels give what the first gives where there is no other: not so for a vector, of which
    // XLA's helper ignores the tile.
    let tiles = array.layout.as_ref().map(|layout| &layout.tiles);
    let one_level = tiles.is_some_and(|tiles| {
        tiles.len() <= 1
            && tiles
                .iter()
                .all(|t| !t.contains(&TileDim::Combine) && (array.rank() != 1 || t.len() == 1))
    });
    let full = if one_level {
        Some(DynLayout::new(array.clone()).map_err(|e| e.to_string())?)
    } else {
        None
    };
    let mut index = vec![0; array.rank()];
    for (&lin, &untiled) in lin.iter().zip(&untiled) {
        let at = |what: &str| format!("{what} of {index:?}");
        same(
            &at("LayoutUtil::LinearIndex"),
            Some(lin),
            as_xla::linear_index(array, &index),
        )?;
        let found = index_util::multidimensional_index_to_linear_index(array, &index);
        same(
            &at("MultidimensionalIndexToLinearIndex"),
            Some(untiled),
            found,
        )?;
        if line.get("inv").and_then(Value::as_i64) == Some(1) {
            let back = index_util::linear_index_to_multidimensional_index(array, untiled);
            same(&at("the inverse"), Some(&index[..]), back.as_deref())?;
        }
        if let Some(full) = &full {
            let wide: Vec<usize> = index.iter().map(|&i| i as usize).collect();
            same(
                &at("the linear index"),
                lin,
                full.linear_index(&wide[..].into()) as i64,
            )?;
            same(
                &at("the inverse"),
                Some(&wide[..]),
                full.multi_index(lin as usize).as_deref(),
            )?;
        }
        // Last of all, so that a line with too few numbers is found out.
        let more = index_util::bump_indices(array, &mut index);
        same("BumpIndices answers", true, more.is_some())?;
    }
    for (name, answer) in [
        ("array", array_size(array)),
        ("data", array_data_size(array)),
    ] {
        if let Some(expected) = line.get(name) {
            answer.check(name, expected)?;
        }
    }
    if line.get("dimstride").is_some() {
        let strides: Option<Vec<i64>> = (0..array.rank())
            .map(|d| index_util::dimension_stride(array, d))
            .collect();
        same(
            "GetDimensionStride",
            Some(line.numbers("dimstride")?),
            strides,
        )?;
    }
    Ok(())
}
