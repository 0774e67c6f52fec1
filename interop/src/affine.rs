//! The affine map of a memref: `affine_map<(d0, d1) -> (d0 floordiv 8, d1, d0 mod 8)>`.
//!
//! ```text
//! each result is a constant plus a sum of weight * (d / divisor % size)
//! its extent = 1 + its largest value; a digit with `mod` takes its size, also where the array is smaller
//! memory has the results as dimensions, the last one being the most minor:
//!     weight of a result = product of the extents of the results after it
//! what is found: a stride for each dimension, or blocks, or the digits of a CuTe layout
//! ```

use super::blocked::{Block, BlockedLayout, Piece};
use super::cute::Digit;
use super::error::{Error, full, too_large};
use super::read::Reader;
use super::{BoundaryError, CuteLayout, Library, MemRefLayout};
use xlayout_shape::dims::{Dims, INLINE_RANK};
use xlayout_shape::list::List;
use xlayout_shape::order::MajorToMinor;
use xlayout_shape::primitive::PrimitiveType;
use xlayout_shape::text::lex::TokenKind;

/// A constant plus a sum of weighted digits.
#[derive(Clone, Default)]
struct Form {
    constant: i64,
    terms: List<(Piece, i64), INLINE_RANK>,
}

/// The digit that a sum is, if it is one.
fn digit((terms, constant): Sum<'_>) -> Option<Piece> {
    match (constant, terms) {
        (0, [(piece, 1)]) => Some(*piece),
        _ => None,
    }
}

/// The terms of a sum, and its constant.
type Sum<'a> = (&'a [(Piece, i64)], i64);

/// The results of a map: all their terms, and where those of each one end, with its constant.
#[derive(Default)]
struct Results {
    terms: List<(Piece, i64), INLINE_RANK>,
    ends: List<(usize, i64), INLINE_RANK>,
}

impl Results {
    fn push(&mut self, form: &Form) -> Result<(), Error> {
        for &term in &form.terms {
            self.terms.try_push(term).map_err(full)?;
        }
        self.ends
            .try_push((self.terms.len(), form.constant))
            .map_err(full)
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = Sum<'_>> {
        self.ends.iter().enumerate().map(|(k, &(end, constant))| {
            let start = k.checked_sub(1).map_or(0, |k| self.ends[k].0);
            (&self.terms[start..end], constant)
        })
    }
}

impl Form {
    fn scaled(mut self, by: i64) -> Option<Self> {
        self.constant = self.constant.checked_mul(by)?;
        for (_, weight) in self.terms.iter_mut() {
            *weight = weight.checked_mul(by)?;
        }
        Some(self)
    }
}

fn unread(reader: &Reader<'_>, form: &'static str) -> Error {
    let found = reader.excerpt();
    reader.error(BoundaryError::Unread {
        library: Library::MemRef,
        form,
        found,
    })
}

/// `a * 3 + b floordiv 8`. Brackets nest as deep as there are dimensions.
fn sum(reader: &mut Reader<'_>, rank: usize, depth: usize) -> Result<Form, Error> {
    let mut sum = product(reader, rank, depth)?;
    loop {
        if matches!(reader.found(), "-" | "ceildiv") {
            return Err(unread(
                reader,
                "arithmetic that no layout has; `+ * floordiv mod` are read",
            ));
        }
        if !reader.eat(b'+') {
            return Ok(sum);
        }
        let next = product(reader, rank, depth)?;
        sum.constant = sum
            .constant
            .checked_add(next.constant)
            .ok_or_else(too_large)?;
        for &term in &next.terms {
            reader.push(&mut sum.terms, term)?;
        }
    }
}

fn product(reader: &mut Reader<'_>, rank: usize, depth: usize) -> Result<Form, Error> {
    let mut form = factor(reader, rank, depth)?;
    loop {
        let operator = *reader;
        let name = reader.found();
        if !matches!(name, "*" | "floordiv" | "mod") {
            return Ok(form);
        }
        reader.advance();
        let right = factor(reader, rank, depth)?;
        if name == "*" {
            let scaled = match (form.terms.is_empty(), right.terms.is_empty()) {
                (_, true) => form.scaled(right.constant),
                (true, _) => right.scaled(form.constant),
                _ => {
                    return Err(unread(
                        &operator,
                        "a product of two dimensions, which no layout has",
                    ));
                }
            };
            form = scaled.ok_or_else(too_large)?;
            continue;
        }
        let by = Some(right.constant).filter(|&by| by > 0 && right.terms.is_empty());
        let by = by.ok_or_else(|| {
            unread(
                &operator,
                "a division by something else than a number above 0",
            )
        })?;
        let digit =
            digit((&form.terms, form.constant)).and_then(|digit| cut(digit, by, name == "mod"));
        let digit = digit.ok_or_else(|| {
            unread(
                &operator,
                "a division that gives no digit of a single dimension",
            )
        })?;
        form = Form::default();
        form.terms.try_push((digit, 1)).map_err(full)?;
    }
}

/// `digit floordiv by` or `digit mod by`, if it is a digit again.
fn cut(digit: Piece, by: i64, modulo: bool) -> Option<Piece> {
    let Piece { dim, divisor, size } = digit;
    if size.is_some_and(|size| size % by != 0) {
        return None;
    }
    Some(match modulo {
        true => Piece {
            dim,
            divisor,
            size: Some(by),
        },
        false => Piece {
            dim,
            divisor: divisor.checked_mul(by)?,
            size: size.map(|size| size / by),
        },
    })
}

fn factor(reader: &mut Reader<'_>, rank: usize, depth: usize) -> Result<Form, Error> {
    let mut form = Form::default();
    if reader.at(b'(') && depth < INLINE_RANK {
        reader.advance();
        form = sum(reader, rank, depth + 1)?;
        reader.expect(b')', "`)`")?;
    } else if reader.token.tok == TokenKind::Word {
        let number = reader
            .found()
            .strip_prefix('d')
            .and_then(|number| number.parse().ok());
        let Some(dim) = number.filter(|&dim: &usize| dim < rank) else {
            return Err(reader.unexpected("a dimension such as `d0`"));
        };
        reader.advance();
        let piece = Piece {
            dim,
            divisor: 1,
            size: None,
        };
        form.terms.try_push((piece, 1)).map_err(full)?;
    } else {
        form.constant = reader.number()?;
    }
    Ok(form)
}

/// `<(d0, d1) -> (d1, d0)>`, behind `affine_map`.
pub(super) fn affine_map(
    reader: &mut Reader<'_>,
    element_type: PrimitiveType,
    dims: &Dims,
    whole: Reader<'_>,
) -> Result<MemRefLayout, Error> {
    let rank = dims.len();
    reader.expect(b'<', "`<(d0, d1) -> (…)>`")?;
    reader.expect(b'(', "`(` and dimensions")?;
    for k in 0..rank {
        let own = reader
            .found()
            .strip_prefix('d')
            .and_then(|number| number.parse().ok());
        if own != Some(k) {
            return Err(reader.unexpected("every dimension, from `d0` on"));
        }
        reader.advance();
        if k + 1 < rank {
            reader.expect(b',', "`,` and the next dimension")?;
        }
    }
    reader.expect(b')', "`)` behind as many dimensions as there are sizes")?;
    reader.expect(b'-', "`->`")?;
    reader.expect(b'>', "`->`")?;
    reader.expect(b'(', "`(` and the dimensions of the memory")?;
    let mut results = Results::default();
    while !reader.eat(b')') {
        let form = sum(reader, rank, 0)?;
        results.push(&form)?;
        if !reader.eat(b',') && !reader.at(b')') {
            return Err(reader.unexpected("`,` or `)`"));
        }
    }
    let end = reader.token.end;
    reader.expect(b'>', "`>`")?;
    let layout = layout(&results, element_type, dims);
    layout.map_err(|error| Error::new(*error.kind(), Some((whole.token.start, end))))
}

fn layout(
    results: &Results,
    element_type: PrimitiveType,
    dims: &Dims,
) -> Result<MemRefLayout, Error> {
    let rank = dims.len();
    if let Some(blocked) = blocks(results, rank)? {
        if !blocked.blocks.is_empty() {
            return Ok(MemRefLayout::Blocked(blocked));
        }
        return Ok(
            match blocked.major_to_minor.iter().copied().eq(0..rank as i64) {
                true => MemRefLayout::Identity,
                false => MemRefLayout::Permuted(blocked.major_to_minor),
            },
        );
    }
    // Each digit with its weight in memory.
    let mut digits: List<(Piece, i64), INLINE_RANK> = List::new();
    let (mut weight, mut offset) = (1_i64, 0_i64);
    let mut left = results.ends.len();
    for (terms, constant) in results.iter().rev() {
        left -= 1;
        let scaled = constant
            .checked_mul(weight)
            .and_then(|n| offset.checked_add(n));
        offset = scaled.ok_or_else(too_large)?;
        let mut most = constant;
        for &(piece, own) in terms {
            let placed = own.checked_mul(weight).ok_or_else(too_large)?;
            digits.try_push((piece, placed)).map_err(full)?;
            // The extent of the first result is the weight of nothing.
            if left == 0 {
                continue;
            }
            let Piece { dim, divisor, size } = piece;
            let dimension = dim;
            let last = match (size, dims[dim].bound()) {
                (Some(size), _) => size - 1,
                (None, Some(size)) => (size - 1).max(0) / divisor,
                (None, None) => return Err(BoundaryError::RunTimeSize { dimension }.into()),
            };
            let far = last.checked_mul(own).and_then(|far| most.checked_add(far));
            most = far.ok_or_else(too_large)?;
        }
        if left > 0 {
            let extent = most.checked_add(1).filter(|&extent| extent > 0);
            weight = extent
                .and_then(|n| weight.checked_mul(n))
                .ok_or_else(too_large)?;
        }
    }
    let whole = digits
        .iter()
        .all(|(piece, _)| piece.divisor == 1 && piece.size.is_none());
    if whole {
        let mut strides: List<Option<i64>, INLINE_RANK> =
            List::try_from_iter((0..rank).map(|_| Some(0))).map_err(full)?;
        for (piece, weight) in &digits {
            let stride = strides[piece.dim].unwrap_or(0).checked_add(*weight);
            strides[piece.dim] = Some(stride.ok_or_else(too_large)?);
        }
        return Ok(MemRefLayout::Strides {
            strides,
            offset: Some(offset),
        });
    }
    if offset != 0 {
        return Err(BoundaryError::Offset {
            library: Library::MemRef,
        }
        .into());
    }
    let mut sizes: List<i64, INLINE_RANK> = List::new();
    for (dimension, dim) in dims.iter().enumerate() {
        let run_time = BoundaryError::RunTimeSize { dimension };
        sizes.try_push(dim.bound().ok_or(run_time)?).map_err(full)?;
    }
    let shape = cute(&digits, &sizes)?.to_shape_with(element_type, &sizes)?;
    BlockedLayout::of(&shape, Library::MemRef).map(MemRefLayout::Blocked)
}

/// The blocks, where each result is a digit, and the digits of a dimension become finer.
fn blocks(results: &Results, rank: usize) -> Result<Option<BlockedLayout>, Error> {
    let mut outer: List<i64, INLINE_RANK> = List::new();
    let mut blocks: List<Block, INLINE_RANK> = List::new();
    // The digit of each dimension that was the last one.
    let mut above: List<i64, INLINE_RANK> =
        List::try_from_iter((0..rank).map(|_| 0)).map_err(full)?;
    for form in results.iter() {
        let Some(Piece {
            dim: dimension,
            divisor,
            size,
        }) = digit(form)
        else {
            return Ok(None);
        };
        match size {
            None if blocks.is_empty() && above[dimension] == 0 => {
                outer.try_push(dimension as i64).map_err(full)?;
            }
            Some(size) if divisor.checked_mul(size) == Some(above[dimension]) => {
                blocks.try_push(Block { dimension, size }).map_err(full)?;
            }
            _ => return Ok(None),
        }
        above[dimension] = divisor;
    }
    // Every dimension is counted once, and cut down to its elements.
    if outer.len() != rank || above.iter().any(|&divisor| divisor != 1) {
        return Ok(None);
    }
    let major_to_minor = MajorToMinor::new(&outer).map_err(full)?;
    Ok(Some(BlockedLayout {
        major_to_minor,
        blocks,
    }))
}

/// The digits as CuTe has them: each dimension from its finest one on.
fn cute(digits: &[(Piece, i64)], sizes: &[i64]) -> Result<CuteLayout, Error> {
    let mut list: List<Digit, INLINE_RANK> = List::new();
    for (dim, &all) in sizes.iter().enumerate() {
        let own = digits.iter().filter(|(piece, _)| piece.dim == dim).count();
        let mut divisor = 1_i64;
        for _ in 0..own {
            let next = digits
                .iter()
                .find(|(piece, _)| piece.dim == dim && piece.divisor == divisor);
            // A digit is missing, or there twice.
            let &(piece, stride) = next.ok_or(BoundaryError::NoLayout)?;
            let count = (all as u64).div_ceil(divisor as u64) as i64;
            let size = piece.size.unwrap_or(count);
            list.try_push(Digit { dim, size, stride }).map_err(full)?;
            divisor = divisor.checked_mul(size.max(2)).ok_or_else(too_large)?;
        }
    }
    Ok(CuteLayout {
        rank: sizes.len(),
        digits: list,
    })
}
