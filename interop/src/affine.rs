//! The affine map of a memref: `affine_map<(d0, d1) -> (d0 floordiv 8, d1, d0 mod 8)>`.
//!
//! ```text
//! each result is a constant plus a sum of weight * (d / divisor % size)
//! its extent = 1 + its largest value; a digit with `mod` takes its size, also where the array is
//!              smaller
//! memory has the results as dimensions, the last one being the most minor:
//!     weight of a result = product of the extents of the results after it
//! what is found: blocks, or a stride for each dimension, or the digits of a CuTe layout
//! ```

use super::blocked::{Block, BlockedLayout, Piece};
use super::cute::Digit;
use super::error::{Error, Items, Numbers, list, push, too_large};
use super::read::Reader;
use super::{BoundaryError, CuteLayout, Library, MemRefLayout};
use xlayout_shape::text::lex::TokenKind;
use xlayout_shape::{Dims, ElementType, INLINE_RANK, List};

/// The names of the dimensions, and of symbols.
#[derive(Default)]
struct Names<'t> {
    dims: Items<&'t str>,
    symbols: Items<&'t str>,
}

/// A digit with its weight.
type Weighted = (Piece, i64);

/// A constant plus a sum of weighted digits.
#[derive(Default)]
struct Sum {
    constant: i64,
    /// Whether a symbol is added, whose value only the run time knows.
    unknown: bool,
    terms: Items<Weighted>,
}

/// `a * 3 + b floordiv 8`, of dimensions with these names. Brackets nest as deep as there are
/// dimensions.
fn sum(reader: &mut Reader<'_>, names: &Names<'_>, depth: usize) -> Result<Sum, Error> {
    let mut sum = product(reader, names, depth)?;
    while reader.eat(b'+') {
        let next = product(reader, names, depth)?;
        let constant = sum.constant.checked_add(next.constant);
        sum.constant = constant.ok_or_else(too_large)?;
        sum.unknown |= next.unknown;
        for &term in &next.terms {
            reader.push(&mut sum.terms, term)?;
        }
    }
    match reader.found() {
        "-" | "ceildiv" => {
            Err(reader.unread("arithmetic that no layout has; `+ * floordiv mod` are read"))
        }
        _ => Ok(sum),
    }
}

fn product(reader: &mut Reader<'_>, names: &Names<'_>, depth: usize) -> Result<Sum, Error> {
    let mut left = factor(reader, names, depth)?;
    loop {
        let operator = *reader;
        let name = reader.found();
        if !matches!(name, "*" | "floordiv" | "mod") {
            return Ok(left);
        }
        reader.advance();
        let mut right = factor(reader, names, depth)?;
        if left.unknown || right.unknown {
            return Err(operator.unread("arithmetic with a number that only the run time knows"));
        }
        if name == "*" && left.terms.is_empty() {
            core::mem::swap(&mut left, &mut right);
        }
        let number = right.constant;
        if !right.terms.is_empty() || name != "*" && number < 1 {
            return Err(operator.unread("arithmetic with something else than a number above 0"));
        }
        if name == "*" {
            let product = |n: i64| n.checked_mul(number).ok_or_else(too_large);
            left.constant = product(left.constant)?;
            for (_, weight) in left.terms.iter_mut() {
                *weight = product(*weight)?;
            }
            continue;
        }
        let digit = match (left.constant, left.terms.as_slice()) {
            (0, &[(digit, 1)]) => cut(digit, number, name == "mod"),
            _ => None,
        };
        let what = "a division that gives no digit of a single dimension";
        left.terms[0].0 = digit.ok_or_else(|| operator.unread(what))?;
    }
}

/// `digit floordiv number` or `digit mod number`, if it is a digit again.
fn cut(digit: Piece, number: i64, modulo: bool) -> Option<Piece> {
    let divides = digit.size.is_none_or(|size| size % number == 0);
    let above = digit.divisor.checked_mul(number).filter(|_| divides)?;
    Some(if modulo {
        Piece::new(digit.dim, digit.divisor, Some(number))
    } else {
        Piece::new(digit.dim, above, digit.size.map(|size| size / number))
    })
}

fn factor(reader: &mut Reader<'_>, names: &Names<'_>, depth: usize) -> Result<Sum, Error> {
    let mut own = Sum::default();
    if reader.at(b'(') && depth < INLINE_RANK {
        reader.advance();
        own = sum(reader, names, depth + 1)?;
        reader.expect(b')', "`)`")?;
    } else if reader.token.tok == TokenKind::Word {
        let found = reader.found();
        match names.dims.iter().position(|name| *name == found) {
            Some(dim) => reader.push(&mut own.terms, (Piece::new(dim, 1, None), 1))?,
            None if names.symbols.contains(&found) => own.unknown = true,
            None => return Err(reader.unexpected("a dimension such as `d0`")),
        }
        reader.advance();
    } else {
        own.constant = reader.number()?;
    }
    Ok(own)
}

/// What is found in a map.
#[derive(Default)]
struct Results {
    /// The number of the result that a term is in, and the term.
    terms: Items<(usize, Weighted)>,
    constants: Numbers,
    unknown: bool,
}

/// `<(d0, d1) -> (d1, d0)>`, behind `affine_map`.
pub(super) fn affine_map(
    reader: &mut Reader<'_>,
    element_type: ElementType,
    dims: &Dims,
    whole: Reader<'_>,
) -> Result<MemRefLayout, Error> {
    reader.expect(b'<', "`<(d0, d1) -> (…)>`")?;
    reader.expect(b'(', "`(` and dimensions")?;
    let mut names = Names::default();
    for k in 0..dims.len() {
        if k > 0 {
            reader.expect(b',', "`,` and the next dimension")?;
        }
        if reader.token.tok != TokenKind::Word || names.dims.contains(&reader.found()) {
            return Err(reader.unexpected("a name for every dimension, such as `d0`"));
        }
        reader.push(&mut names.dims, reader.found())?;
        reader.advance();
    }
    reader.expect(b')', "`)` behind as many dimensions as there are sizes")?;
    if reader.eat(b'[') {
        reader.items(b']', "`,` or `]`", |reader| {
            let name = reader.found();
            reader.advance();
            reader.push(&mut names.symbols, name)
        })?;
    }
    reader.expect(b'-', "`->`")?;
    reader.expect(b'>', "`->`")?;
    reader.expect(b'(', "`(` and the dimensions of the memory")?;
    let mut results = Results::default();
    reader.items(b')', "`,` or `)`", |reader| {
        let number = results.constants.len();
        let sum = sum(reader, &names, 0)?;
        reader.push(&mut results.constants, sum.constant)?;
        results.unknown |= sum.unknown;
        let mut terms = sum.terms.iter();
        terms.try_for_each(|&term| reader.push(&mut results.terms, (number, term)))
    })?;
    reader.expect(b'>', "`>`")?;
    let layout = results.layout(element_type, dims);
    layout.map_err(|error| whole.error_until(reader, *error.kind()))
}

impl Results {
    fn layout(&self, element_type: ElementType, dims: &Dims) -> Result<MemRefLayout, Error> {
        let rank = dims.len();
        if let Some(blocked) = self.blocks(rank)?.filter(|_| !self.unknown) {
            let order = &blocked.major_to_minor;
            return Ok(if !blocked.blocks.is_empty() {
                MemRefLayout::Blocked(blocked)
            } else if order.iter().copied().eq(0..rank as i64) {
                MemRefLayout::Identity
            } else {
                MemRefLayout::Permuted(blocked.major_to_minor)
            });
        }
        let (digits, offset) = self.digits(dims)?;
        let whole = |digit: &Piece| digit.divisor == 1 && digit.size.is_none();
        if digits.iter().all(|(digit, _)| whole(digit)) {
            let mut strides: Items<Option<i64>> = list((0..rank).map(|_| Some(0)))?;
            for (digit, weight) in &digits {
                let stride = strides[digit.dim].and_then(|stride| stride.checked_add(*weight));
                strides[digit.dim] = Some(stride.ok_or_else(too_large)?);
            }
            let offset = Some(offset).filter(|_| !self.unknown);
            return Ok(MemRefLayout::Strides { strides, offset });
        }
        let library = Library::MemRef;
        if offset != 0 || self.unknown {
            return Err(BoundaryError::Offset { library }.into());
        }
        let sizes = super::strides::sizes(dims)?;
        let cute = cute(&digits, &sizes)?;
        let shape = cute.to_shape_with(element_type, &sizes)?;
        BlockedLayout::of(&shape, library).map(MemRefLayout::Blocked)
    }

    /// The blocks, where each result is a digit, and the digits of a dimension become finer.
    fn blocks(&self, rank: usize) -> Result<Option<BlockedLayout>, Error> {
        let mut outer = Numbers::new();
        let mut blocks = Items::<Block>::new();
        // The divisor of the last digit of each dimension.
        let mut above: Numbers = list((0..rank).map(|_| 0))?;
        for (k, &(number, (digit, weight))) in self.terms.iter().enumerate() {
            let before = above[digit.dim];
            match digit.size {
                _ if k != number || weight != 1 => return Ok(None),
                None if blocks.is_empty() && before == 0 => {
                    push(&mut outer, digit.dim as i64)?;
                }
                Some(size) if digit.divisor.checked_mul(size) == Some(before) => {
                    push(&mut blocks, Block::new(digit.dim, size))?;
                }
                _ => return Ok(None),
            }
            above[digit.dim] = digit.divisor;
        }
        // Every result is one digit, and every dimension is cut down to its elements.
        let one_each = self.terms.len() == self.constants.len();
        if !one_each
            || self.constants.iter().any(|&n| n != 0)
            || above.iter().any(|&divisor| divisor != 1)
        {
            return Ok(None);
        }
        BlockedLayout::of_lists(&outer, blocks).map(Some)
    }

    /// Each digit with its weight in memory, and the place of the first element.
    fn digits(&self, dims: &Dims) -> Result<(Items<Weighted>, i64), Error> {
        let mut digits = List::new();
        let mut weight = 1_i64;
        let mut offset = 0_i64;
        for (k, &constant) in self.constants.iter().enumerate().rev() {
            let scaled = constant.checked_mul(weight);
            let sum = scaled.and_then(|scaled| offset.checked_add(scaled));
            offset = sum.ok_or_else(too_large)?;
            let mut largest = constant;
            for &(_, (digit, own)) in self.terms.iter().filter(|term| term.0 == k) {
                let placed = own.checked_mul(weight).ok_or_else(too_large)?;
                push(&mut digits, (digit, placed))?;
                // The extent of the first result is the weight of nothing.
                if k == 0 {
                    continue;
                }
                let dimension = digit.dim;
                let last = match (digit.size, dims[dimension].bound()) {
                    (Some(size), _) => size - 1,
                    (None, Some(size)) => (size - 1).max(0) / digit.divisor,
                    _ => return Err(BoundaryError::RunTimeSize { dimension }.into()),
                };
                let far = last
                    .checked_mul(own)
                    .and_then(|far| largest.checked_add(far));
                largest = far.ok_or_else(too_large)?;
            }
            let extent = largest.checked_add(1).filter(|&extent| extent > 0);
            let next = extent.and_then(|extent| weight.checked_mul(extent));
            if k > 0 {
                weight = next.ok_or_else(too_large)?;
            }
        }
        Ok((digits, offset))
    }
}

/// The digits as CuTe has them: each dimension from its finest one on.
fn cute(digits: &[Weighted], sizes: &[i64]) -> Result<CuteLayout, Error> {
    let mut list = Items::<Digit>::new();
    for (dim, &all) in sizes.iter().enumerate() {
        let mut divisor = 1_i64;
        for _ in digits.iter().filter(|(digit, _)| digit.dim == dim) {
            let finest = |(digit, _): &&Weighted| digit.dim == dim && digit.divisor == divisor;
            // A digit is missing, or there twice.
            let next = digits.iter().find(finest);
            let &(digit, stride) = next.ok_or(BoundaryError::NoLayout)?;
            // Neither is negative.
            let count = (all as u64).div_ceil(divisor as u64) as i64;
            let size = digit.size.unwrap_or(count);
            push(&mut list, Digit { dim, size, stride })?;
            divisor = divisor.checked_mul(size.max(2)).ok_or_else(too_large)?;
        }
    }
    let rank = sizes.len();
    Ok(CuteLayout { rank, digits: list })
}
