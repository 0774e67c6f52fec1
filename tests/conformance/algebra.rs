//! CuTe's layouts: what maps of `xlayout-algebra` are, compared with offsets that were enumerated.
//!
//! Where CuTe refuses a line, or is wrong, the offsets are right nevertheless. Only for the logical
//! product the lines follow CuTe: see [`product`].

use std::collections::HashSet;

use super::Check;
use super::fields::{Fields, same};
use xlayout_algebra::{Banks, Budget, Map, MapError, Swizzle, bank_conflicts};
use xlayout_interop::CuteLayout;

type Answer<T> = Result<T, String>;

/// A layout of CuTe's.
struct Cute {
    shape: Vec<u64>,
    stride: Vec<i64>,
}

impl Cute {
    fn read(fields: &Fields<'_>, name: &str) -> Answer<Self> {
        let text = fields.text(name)?;
        let layout: CuteLayout = text.parse().map_err(|error| format!("{error}"))?;
        let modes = (0..layout.rank()).flat_map(|dim| layout.digits(dim));
        let (shape, stride) = modes
            .map(|(size, stride)| (size.unsigned_abs(), stride))
            .unzip();
        Ok(Self { shape, stride })
    }

    fn map(&self) -> Answer<Map> {
        said(Map::cute(&self.shape, &self.stride))
    }

    /// The composition as CuTe means it: offsets beyond the layout go on in its last mode.
    fn after(&self, inner: &Map) -> Answer<Map> {
        let indices = inner.range().1.unsigned_abs() + 1;
        let outer = said(Map::cute_extended(&self.shape, &self.stride, indices))?;
        said(outer.after(inner))
    }
}

fn said<T>(result: Result<T, MapError>) -> Answer<T> {
    result.map_err(|error| error.to_string())
}

fn offsets(map: &Map) -> Vec<i64> {
    (0..map.size())
        .filter_map(|index| map.at_index(index))
        .collect()
}

/// One line.
pub(super) fn algebra(line: &Fields<'_>) -> Check {
    let a = Cute::read(line, "a")?;
    match line.text("op")? {
        "composition" => composition(line, &a),
        "coalesce" => coalesce(line, &a),
        "right_inverse" => right_inverse(line, &a),
        "left_inverse" => left_inverse(line, &a),
        "complement" => complement(line, &a),
        "logical_divide" => divide(line, &a),
        "logical_product" => product(line, &a),
        "swizzle" => swizzle(line, &a),
        "bank_conflicts" => conflicts(line, &a),
        op => Err(format!("the op `{op}` is not known")),
    }
}

fn composition(line: &Fields<'_>, a: &Cute) -> Check {
    let found = a.after(&Cute::read(line, "b")?.map()?)?;
    same("offsets", line.numbers("offsets")?, offsets(&found))?;
    if line.text("cute_is")? == "right" {
        let cute = Cute::read(line, "cute")?.map()?;
        same(
            "the first index that differs from CuTe's layout",
            Ok(None),
            found.first_difference(&cute, Budget::DEFAULT),
        )?;
    }
    Ok(())
}

fn coalesce(line: &Fields<'_>, a: &Cute) -> Check {
    let found = said(a.map()?.coalesce())?;
    same("offsets", line.numbers("offsets")?, offsets(&found))?;
    let cute = Cute::read(line, "cute")?.map()?;
    same("map", cute.to_string(), found.to_string())
}

fn right_inverse(line: &Fields<'_>, a: &Cute) -> Check {
    let map = a.map()?;
    same(
        "first hole",
        Ok(line.number("largest")?.unsigned_abs()),
        map.first_hole(Budget::DEFAULT),
    )?;
    let inverse = said(map.right_inverse(Budget::DEFAULT))?;
    let values = offsets(&inverse);
    let back: Vec<_> = values
        .iter()
        .map(|&index| map.at_index(index.unsigned_abs()))
        .collect();
    same(
        "offsets of the indices",
        (0..values.len() as i64).map(Some).collect(),
        back,
    )?;
    same("length", line.numbers("values")?.len(), values.len())?;
    if said(map.is_injective(Budget::DEFAULT))? {
        same("indices", line.numbers("values")?, values)?;
    }
    Ok(())
}

fn left_inverse(line: &Fields<'_>, a: &Cute) -> Check {
    let inverse = said(a.map()?.left_inverse(Budget::DEFAULT))?;
    for pair in line.list("pairs")? {
        let pair = super::fields::numbers("pairs", pair)?;
        same(
            "index",
            Some(pair[1]),
            inverse.at(&[pair[0].unsigned_abs()]),
        )?;
    }
    Ok(())
}

fn complement(line: &Fields<'_>, a: &Cute) -> Check {
    let cotarget = line.number("cotarget")?;
    let found = a.map()?.complement(cotarget.unsigned_abs());
    let exact = line.value("exact")?.as_bool() == Some(true);
    match (exact, found) {
        (true, found) => {
            let mut found = offsets(&said(found)?);
            found.retain(|&offset| offset < cotarget);
            same("offsets", line.numbers("offsets")?, found)
        }
        (false, Err(MapError::NoComplement { .. })) => Ok(()),
        (false, found) => Err(format!(
            "expected that there is no complement, found {found:?}"
        )),
    }
}

fn divide(line: &Fields<'_>, a: &Cute) -> Check {
    let map = a.map()?;
    let tile = Cute::read(line, "b")?.map()?;
    let is_null = line.value("offsets")?.is_null();
    let found = map.divide(&tile);
    // The divisor or its complement may reach beyond the array, where its last mode goes on.
    let found = match (is_null, found) {
        (_, Err(MapError::OutOfBounds { .. })) | (false, Err(MapError::NotDivisible { .. })) => {
            let rest = said(tile.complement(map.size()))?;
            Ok(a.after(&said(rest.concat(&tile))?)?)
        }
        (_, found) => found,
    };
    match (is_null, found) {
        (false, found) => same("offsets", line.numbers("offsets")?, offsets(&said(found)?)),
        (true, Err(MapError::NoComplement { .. } | MapError::NotDivisible { .. })) => Ok(()),
        (true, found) => Err(format!("expected no division, found {found:?}")),
    }
}

/// The lines have what CuTe's product gives. It is a product where the copies have
/// `size(a) * size(b)` offsets, and `a` has an exact complement. Where CuTe refuses, cuts `b`, or
/// leaves holes between copies, the product is checked by its definition: the copies of `a` are
/// moved by `b`'s offsets, counted in translations that fill an interval; and if there is none, no
/// set of translations fills one.
fn product(line: &Fields<'_>, a: &Cute) -> Check {
    let b = Cute::read(line, "b")?.map()?;
    let map = a.map()?;
    let found = map.product(&b);
    let size = map.size() * b.size();
    let recorded = match line.value("offsets")?.is_null() {
        true => None,
        false => Some(line.numbers("offsets")?),
    };
    let own = offsets(&map);
    let cotarget = map.size() as i64 * (b.range().1 + 1);
    let Ok(found) = found else {
        return same(
            "translations that fill an interval",
            None,
            translations(&own, cotarget),
        );
    };
    if let Some(recorded) = recorded
        && recorded.len() as u64 == size
    {
        return same("offsets", recorded, offsets(&found));
    }
    let places = translations(&own, cotarget).ok_or("no translations fill an interval")?;
    let copies = offsets(&b)
        .into_iter()
        .flat_map(|copy| own.iter().map(move |offset| (copy, offset)));
    let expected: Vec<_> = copies
        .map(|(copy, offset)| places[copy as usize] + offset)
        .collect();
    same("offsets", expected, offsets(&found))
}

/// The translations of these offsets that fill an interval from 0 to at least `cotarget`, which are
/// forced one by one; nothing if two overlap.
fn translations(offsets: &[i64], cotarget: i64) -> Option<Vec<i64>> {
    let image: HashSet<i64> = offsets.iter().copied().collect();
    let mut filled = HashSet::new();
    let mut translations = Vec::new();
    for first in 0..cotarget {
        if !filled.contains(&first) {
            if image.iter().any(|offset| !filled.insert(first + offset)) {
                return None;
            }
            translations.push(first);
        }
    }
    Some(translations)
}

fn swizzle_of(numbers: &[i64]) -> Answer<Swizzle> {
    let [bits, base, shift] = numbers else {
        return Err(format!("a swizzle of {} numbers", numbers.len()));
    };
    said(Swizzle::new(*bits as u8, *base as u8, *shift as i8))
}

fn swizzle(line: &Fields<'_>, a: &Cute) -> Check {
    let numbers = [
        line.number("bits")?,
        line.number("base")?,
        line.number("shift")?,
    ];
    let found = said(a.map()?.swizzle(swizzle_of(&numbers)?))?;
    same("offsets", line.numbers("offsets")?, offsets(&found))
}

fn conflicts(line: &Fields<'_>, a: &Cute) -> Check {
    let threads = line.number("threads")?.unsigned_abs();
    let mut access = said(a.map()?.slice(&[0], &[threads], &[1]))?;
    if !line.value("swizzle")?.is_null() {
        access = said(access.swizzle(swizzle_of(&line.numbers("swizzle")?)?))?;
    }
    let banks = Banks {
        banks: line.number("banks")? as u32,
        width: line.number("bank_bytes")? as u32,
        ..Banks::B32
    };
    let found = said(bank_conflicts(
        &access,
        line.number("element_bytes")? as u32,
        banks,
    ))?;
    same(
        "wavefronts",
        line.number("wavefronts")?,
        found.wavefronts.into(),
    )
}
