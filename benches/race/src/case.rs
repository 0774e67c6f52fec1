//! A case of the race: a shape with a layout, an arrow, and the layout to copy it to.

use std::fmt;

use xlayout_core::text::{Rules, read_array};
use xlayout_core::{ArrayLayout, DynLayout};

/// The most bytes of a side of a case. The race has a few buffers of this size.
const MAX_BYTES: u64 = 4 << 30;

/// A copy from one layout to another.
pub(crate) struct Case {
    /// The text of the case.
    pub(crate) text: String,
    pub(crate) src: DynLayout,
    pub(crate) dst: DynLayout,
}

/// The mistakes in the text of a case, as text.
pub(crate) struct CaseError(String);

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Case {
    /// Reads `f32[4096,4096]{1,0} -> {0,1}`. The right side is the destination's layout, or its
    /// whole shape; its element type may be before it.
    pub(crate) fn read(text: &str) -> Result<Self, CaseError> {
        let Some((left, right)) = text.split_once("->") else {
            return Err(CaseError(format!(
                "error: this case has no `->`\n  {text}\n  {}^\nhelp: write the source's shape and \
                 layout, and behind `->` the destination's layout: `f32[4096,4096]{{1,0}} -> {{0,1}}`",
                " ".repeat(text.chars().count()),
            )));
        };
        let src = layout(left.trim())?;
        let dst = layout(&destination(&src, left.trim(), right.trim())?)?;
        let case = Self {
            text: text.trim().to_owned(),
            src,
            dst,
        };
        case.check()?;
        Ok(case)
    }

    fn check(&self) -> Result<(), CaseError> {
        let fail = |why: String| Err(CaseError(format!("error: {why}\n  {}", self.text)));
        let src = &self.src;
        let dst = &self.dst;
        if src.element_type() != dst.element_type() {
            let a = src.element_type();
            let b = dst.element_type();
            return fail(format!("the source holds {a}, the destination {b}"));
        }
        if src.dims() != dst.dims() {
            let a = src.dims();
            let b = dst.dims();
            return fail(format!(
                "the source's sizes are {a:?}, the destination's {b:?}"
            ));
        }
        for side in [src, dst] {
            if !matches!(side.element_bits(), 8 | 16 | 32 | 64 | 128) {
                let bits = side.element_bits();
                return fail(format!(
                    "elements of {bits} bits do not race, those of 8, 16, 32, 64 and 128 bits do"
                ));
            }
            if side.bytes() as u64 > MAX_BYTES {
                let bytes = side.bytes();
                return fail(format!(
                    "one side takes {bytes} bytes, and the race goes up to {MAX_BYTES}"
                ));
            }
        }
        if src.element_bits() != dst.element_bits() {
            return fail("the two sides' elements are of different widths".to_owned());
        }
        Ok(())
    }

    /// The number of elements of the larger buffer.
    pub(crate) fn buffer_len(&self) -> usize {
        self.src.buffer_len().max(self.dst.buffer_len())
    }

    /// The bytes for goals and rates: those of all elements; with padding or tiles those of the
    /// larger buffer.
    pub(crate) fn bytes(&self) -> usize {
        self.src.bytes().max(self.dst.bytes())
    }
}

/// The text of the destination's shape, completed from the source's.
fn destination(src: &DynLayout, left: &str, right: &str) -> Result<String, CaseError> {
    if right.is_empty() {
        return Err(CaseError(format!(
            "error: the destination's layout is missing\n  {left} ->\n  {}   ^\n\
             help: write it behind `->`, as in `f32[4096,4096]{{1,0}} -> {{0,1}}`",
            " ".repeat(left.chars().count()),
        )));
    }
    if right.contains('[') && !right.starts_with(['{', '<']) {
        return Ok(right.to_owned());
    }
    let shape = src.array_shape();
    let dims: Vec<String> = src.dims().iter().map(ToString::to_string).collect();
    let begin = right.find(['{', '<']).unwrap_or(right.len());
    let name = match right[..begin].trim() {
        "" => shape.element_type.to_string(),
        name => name.to_owned(),
    };
    Ok(format!("{name}[{}]{}", dims.join(","), &right[begin..]))
}

/// Reads one side. All mistakes are reported at once.
fn layout(text: &str) -> Result<DynLayout, CaseError> {
    let mut mistakes = Vec::new();
    let rules = Rules {
        addressable: true,
        ..Rules::default()
    };
    let read = read_array(text, rules, &mut |mistake| {
        mistakes.push(mistake.render(text).to_string());
    });
    match read {
        Some(shape) => DynLayout::new(shape)
            .map_err(|layout_error| CaseError(format!("error: {layout_error}\n  {text}"))),
        None => Err(CaseError(mistakes.join("\n"))),
    }
}
