//! Reading CuTe's text, and finding the layout of XLA's that it means.

use core::cmp::Reverse;
use core::str::FromStr;

use super::Digit;
use crate::error::{Error, Items, full, list, push, shaped, too_large};
use crate::read::Reader;
use crate::strides::arrange;
use crate::strides::arrange::{check_above, not_forwards, with_ones};
use crate::{BoundaryError, CuteLayout, Library, MAX_RANK, StrideUnit};
use xlayout_shape::text::lex::TokenKind;
use xlayout_shape::{ArrayShape, ElementType, TileDim};

/// Reads `(shape):(stride)` with known integers, `_8` being one, too. What is nested deeper than a
/// dimension's digits means the same without the nesting.
impl FromStr for CuteLayout {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let mut shape = Reader::new(text, Library::Cute);
        let mut stride = shape;
        while !stride.at(b':') {
            let swizzle = stride.token.tok == TokenKind::Word && stride.found() == "o";
            if swizzle || stride.found().starts_with("Sw") {
                return Err(stride.unread("a swizzle, which no layout of XLA's has"));
            }
            if stride.token.tok == TokenKind::End {
                return Err(stride.unexpected("`:` and the stride"));
            }
            stride.advance();
        }
        stride.advance();
        // Both texts in step: where one has a bracket or a comma, so has the other.
        let mut digits = Items::<Digit>::new();
        let mut depth = 0_usize;
        let mut dim = 0_usize;
        let mut number_due = true;
        loop {
            let mark = shape.token.tok;
            match mark {
                TokenKind::Mark(b':') if depth == 0 => break,
                TokenKind::Mark(b',') if depth > 0 && !number_due => {
                    number_due = true;
                    dim += usize::from(depth == 1);
                }
                TokenKind::Mark(b'(') if number_due => depth += 1,
                TokenKind::Mark(b')') if depth > 0 => {
                    depth -= 1;
                    number_due = false;
                }
                _ if number_due => {
                    let here = shape;
                    let size = integer(&mut shape, false)?;
                    if stride.at(b'(') {
                        return Err(profile(&stride));
                    }
                    let stride = integer(&mut stride, true)?;
                    here.push(&mut digits, Digit { dim, size, stride })?;
                    number_due = false;
                    continue;
                }
                _ => return Err(shape.unexpected("`,`, `)` or `:`")),
            }
            if stride.token.tok != mark {
                return Err(profile(&stride));
            }
            shape.advance();
            stride.advance();
            if dim >= MAX_RANK {
                let limit = MAX_RANK;
                return Err(shape.error(BoundaryError::TooManyDimensions { limit }));
            }
            number_due &= mark != TokenKind::Mark(b'(') || !shape.at(b')');
            if depth == 0 {
                break;
            }
        }
        if !shape.at(b':') {
            return Err(shape.unexpected("`:` and the stride"));
        }
        stride.end()?;
        // `()` is the one tuple without dimensions.
        let empty = digits.is_empty() && dim == 0 && text.trim_start().starts_with("()");
        let rank = if empty { 0 } else { dim + 1 };
        Ok(Self { rank, digits })
    }
}

impl CuteLayout {
    /// The shape with a layout of XLA's that has this memory map: dense, padded, or tiled with as
    /// many tile levels as it takes.
    ///
    /// ```
    /// use xlayout_core::ElementType::F32;
    /// use xlayout_interop::CuteLayout;
    ///
    /// let shape = |text: &str| text.parse::<CuteLayout>()?.to_shape(F32).map(|s| s.to_string());
    /// assert_eq!(shape("(2,3):(3,1)")?, "f32[2,3]{1,0}");
    /// assert_eq!(shape("(2,3):(5,1)")?, "f32[2,3]{1,0}, padded_dimensions = [2, 5]");
    /// assert_eq!(shape("((2,4),3):((1,6),2)")?, "f32[8,3]{1,0:T(2,1)}");
    /// assert_eq!(
    ///     shape("((4,2),3):((6,1),2)").unwrap_err().to_string(),
    ///     "the modes of dimension 0 do not lie in memory in their sequence; only layouts whose \
    ///      modes lie fastest first within each dimension are read",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If digits are broadcast, run backwards or overlap, if a stride is no multiple of the next
    /// smaller one, or if a size has more than 64 bits. If the digits of a coordinate are in memory
    /// in another sequence than their weights, the layout is not found. XLA has such digits where a
    /// tile is longer than the tile before it, as in `T(4)(2,1)` of a vector. Swizzles and merged
    /// coordinates have no such text.
    pub fn to_shape(&self, element_type: ElementType) -> Result<ArrayShape, Error> {
        self.to_shape_with(element_type, &list(self.shape())?)
    }

    /// Like [`to_shape`](Self::to_shape), for an array of these sizes; the CuTe layout may have
    /// rounded some of them up to whole tiles.
    ///
    /// ```
    /// use xlayout_core::ElementType::F32;
    /// use xlayout_interop::CuteLayout;
    /// let layout: CuteLayout = "((8,3),(128,2)):((128,2048),(1,1024))".parse()?;
    /// let shape = layout.to_shape_with(F32, &[20, 200])?;
    /// assert_eq!(shape.to_string(), "f32[20,200]{1,0:T(8,128)}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`to_shape`](Self::to_shape), and sizes that do not round up to those of this layout.
    pub fn to_shape_with(
        &self,
        element_type: ElementType,
        dims: &[i64],
    ) -> Result<ArrayShape, Error> {
        to_shape(self, element_type, dims)
    }
}

/// `1@0`, `E<0>`
const BASIS: &str = "a basis element, which is no place in memory";

fn profile(stride: &Reader<'_>) -> Error {
    if stride.at(b'@') {
        return stride.unread(BASIS);
    }
    let found = stride.excerpt();
    stride.error(BoundaryError::CuteProfile { found })
}

/// `8` or `_8`.
fn integer(reader: &mut Reader<'_>, signed: bool) -> Result<i64, Error> {
    let found = reader.found();
    if let Some(digits) = found.strip_prefix('_') {
        let least = if signed { i64::MIN } else { 0 };
        let number = reader.parsed(found, digits, least)?;
        reader.advance();
        return Ok(number);
    }
    if reader.at(b'?') {
        return Err(reader.unread("a number that only the run time knows"));
    }
    if found.starts_with('E') || reader.at(b'@') {
        return Err(reader.unread(BASIS));
    }
    if signed {
        reader.number()
    } else {
        reader.size()
    }
}

/// One digit with what it means.
#[derive(Clone, Copy, Default)]
struct Placed {
    digit: Digit,
    divisor: i64,
    /// How many places it has until the next digit in memory steps.
    width: i64,
    /// Which tile level makes it: 0 is "which of the outermost tiles".
    level: usize,
}

/// The layout of XLA's with this memory map.
pub(super) fn to_shape(
    cute: &CuteLayout,
    element_type: ElementType,
    dims: &[i64],
) -> Result<ArrayShape, Error> {
    let rank = dims.len();
    if rank != cute.rank {
        let cute = cute.rank;
        return Err(BoundaryError::CuteRank { rank, cute }.into());
    }
    let cute = clipped(cute, dims)?;
    let mut placed = Items::<Placed>::new();
    // Strides of dimensions with one digit; 0 for those with none, whose stride means nothing.
    let mut strides = list(dims.iter().map(|_| 0))?;
    let mut flat = true;
    for &digit in &cute.digits {
        let below = placed.last().filter(|last| last.digit.dim == digit.dim);
        flat &= below.is_none();
        // No overflow: `clipped` has multiplied all sizes of the dimension.
        let divisor = below.map_or(1, |last| last.divisor * last.digit.size);
        strides[digit.dim] = digit.stride;
        let next = Placed {
            digit,
            divisor,
            ..Placed::default()
        };
        push(&mut placed, next)?;
    }
    if flat || dims.contains(&0) {
        let host = arrange(element_type, dims, &strides, StrideUnit::Elements);
        match host.as_ref().map_err(Error::kind) {
            // Not by padding, but by a tile.
            Err(BoundaryError::ElementGap { .. }) => {}
            _ => return host?.padded(),
        }
    }
    place(&mut placed)?;
    let shape = tiled(element_type, dims, &mut placed)?;
    // Rather no answer than a wrong one.
    if CuteLayout::new(&shape)?.coalesced()? == cute {
        Ok(shape)
    } else {
        Err(BoundaryError::NoLayout.into())
    }
}

/// The same memory map in as few digits as it takes, and no larger than an array of these sizes
/// needs. The sizes must be those of the CuTe layout but for rounding up in the last digits.
fn clipped(cute: &CuteLayout, dims: &[i64]) -> Result<CuteLayout, Error> {
    for (dimension, &size) in dims.iter().enumerate() {
        let mut divisor = 1_i64;
        let mut top = 1;
        for (size, _) in cute.digits(dimension) {
            divisor = divisor.checked_mul(top).ok_or_else(too_large)?;
            top = size;
        }
        let whole = divisor.checked_mul(top).ok_or_else(too_large)?;
        let fits = match whole {
            0 => size == 0,
            _ => size > 0 && (size - 1) / divisor + 1 == top,
        };
        if !fits {
            return Err(BoundaryError::CuteSize {
                dimension,
                size,
                cute: whole,
            }
            .into());
        }
    }
    let mut cute = cute.coalesced()?;
    let digits = &mut *cute.digits;
    let mut divisor = 1;
    for k in 0..digits.len() {
        let Digit { dim, size, .. } = digits[k];
        if k == 0 || digits[k - 1].dim != dim {
            divisor = 1;
        }
        let last = digits.get(k + 1).is_none_or(|next| next.dim != dim);
        // Without elements no digit is cut short.
        if last && dims[dim] != 0 {
            digits[k].size = (dims[dim] - 1) / divisor + 1;
        }
        // No overflow: `whole` was the product of all of them.
        divisor *= size;
    }
    cute.coalesced()
}

/// Sorts the digits by memory, the most major first, and finds their widths.
fn place(placed: &mut [Placed]) -> Result<(), Error> {
    let unit = StrideUnit::Elements;
    for &Placed { digit, .. } in placed.iter() {
        let step = (digit.dim, digit.stride);
        not_forwards(step, digit.size, unit).map_or(Ok(()), Err)?;
    }
    placed.sort_unstable_by_key(|p| (Reverse((p.digit.stride, p.digit.dim)), p.divisor));
    let mut above: Option<Digit> = None;
    for k in 0..placed.len() {
        let Placed { digit, divisor, .. } = placed[k];
        let dimension = digit.dim;
        let finer = |p: &Placed| p.digit.dim == dimension && p.divisor > divisor;
        if placed[k + 1..].iter().any(finer) {
            return Err(BoundaryError::CuteDigits { dimension }.into());
        }
        placed[k].width = digit.size;
        if let Some(above) = above {
            let below = (dimension, digit.stride);
            check_above((above.dim, above.stride), below, digit.size, unit)?;
            placed[k].width = above.stride / digit.stride;
        }
        above = Some(digit);
    }
    Ok(())
}

/// The layout whose tiles make these digits, the most major first.
///
/// Each tile level splits the dimensions that it covers, so that the digits of one level lie in
/// memory in the sequence of the physical dimensions. Where that sequence begins anew, a level
/// begins.
fn tiled(
    element_type: ElementType,
    dims: &[i64],
    placed: &mut [Placed],
) -> Result<ArrayShape, Error> {
    // The dimensions by their first digit, the most minor first.
    let mut moving = Items::<usize>::new();
    for p in placed.iter() {
        if !moving.contains(&p.digit.dim) {
            push(&mut moving, p.digit.dim)?;
        }
    }
    moving.reverse();
    let ones = list((0..dims.len()).map(|d| 1 + i64::from(moving.contains(&d))))?;
    let minor_to_major = with_ones(&ones, &moving, None)?;
    let physical = minor_to_major.to_major_to_minor();
    let at = |dim: usize| physical.iter().position(|&d| d == dim as i64);

    let mut level = 0;
    let mut last = None;
    for k in 0..placed.len() {
        let p = placed[k];
        let here = at(p.digit.dim);
        if last >= here {
            level += 1;
        }
        if p.width != p.digit.size {
            // Tiles pad, the counts of the outermost ones do not; and a tile that cuts off the
            // digit above is as wide as that says, so that another digit must pad.
            let above = placed[..k].iter().rfind(|a| a.digit.dim == p.digit.dim);
            level = level.max(above.map_or(1, |a| a.level + 2));
        }
        placed[k].level = level;
        last = here;
    }

    let mut layout = xlayout_shape::layout::Layout::new(minor_to_major.clone());
    for tile_level in 1..=level {
        let mut tile = Items::<TileDim>::new();
        for &dim in physical.iter() {
            // What is left of the dimension: its digits from this level on.
            let own = |p: &&Placed| p.digit.dim as i64 == dim && p.level >= tile_level;
            let left = match placed.iter().find(own) {
                Some(next) if next.level == tile_level => next.divisor.checked_mul(next.width),
                Some(later) => later.divisor.checked_mul(later.digit.size),
                None => Some(1),
            };
            let left = left.ok_or_else(too_large)?;
            // Entries of 1 at the beginning of a tile do nothing.
            if left != 1 || !tile.is_empty() {
                push(&mut tile, TileDim::Size(left))?;
            }
        }
        layout.tiles.push(&tile).map_err(full)?;
    }
    let gap = placed.last().map_or(1, |p| p.digit.stride);
    if gap != 1 {
        // A tile longer than all that it cuts: one element of each, and a dimension of one index
        // before them that is padded to the gap.
        let entries = layout.tiles.iter().map(<[TileDim]>::len).sum::<usize>() + dims.len();
        let tile = list((0..=entries).map(|k| TileDim::Size(if k == 0 { gap } else { 1 })))?;
        layout.tiles.push(&tile).map_err(full)?;
    }
    shaped(element_type, dims, layout)
}
