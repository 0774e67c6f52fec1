//! The answer as JSON.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use crate::copies::{
    Change, Constrained, Constraint, Copy, Cure, Doubt, Every, Found, Kind, Sizes, Traffic,
};
use serde::Serialize;
use serde::Serializer;
use serde::ser::SerializeMap;
use xlayout::ArrayShape;

use super::super::listed::Listed;
use super::relayout::relayout;
use xlayout_words::number;

pub(crate) fn write(
    out: &mut dyn Write,
    bandwidth: Option<u64>,
    every: &[Every],
) -> io::Result<()> {
    let mut cures = Vec::new();
    let mut constraints = Vec::new();
    let mut rewrites = Vec::new();
    let all_found = || every.iter().map(|module| &module.found);
    // Advice for a compiler for which none was verified is not shown.
    for found in all_found().filter(|found| found.is_verified) {
        let advised = found.cures.iter().flat_map(Advised::all);
        cures.extend(advised.map(|advised| OfModule::new(found, advised)));
        let slices = found.constraints.iter().flat_map(Slice::all);
        constraints.extend(slices.map(|slice| OfModule::new(found, slice)));
        let of_module = |rewrite| OfModule::new(found, rewrite);
        rewrites.extend(found.rewrites.iter().map(of_module));
    }
    // Plans are cached, because many copies have the same layouts.
    let plans: RefCell<HashMap<[Arc<ArrayShape>; 2], Option<String>>> = RefCell::default();
    let planned = |copy: Copy| {
        let plan = (copy.kind == Kind::Layout).then(|| {
            let shapes = [copy.from_shape.clone(), copy.to_shape.clone()];
            let mut plans = plans.borrow_mut();
            plans
                .entry(shapes)
                .or_insert_with_key(|[from, to]| relayout(from, to))
                .clone()
        });
        Planned {
            relayout: plan,
            ..Planned::new(copy, bandwidth)
        }
    };
    let copies = || every.iter().flat_map(Every::copies).map(&planned);
    let modules =
        || all_found().map(|found| OfModule::new(found, ModuleSums::of(found, bandwidth)));
    let mut serializer = serde_json::Serializer::pretty(&mut *out);
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("copies", &Listed(copies))?;
    map.serialize_entry("cures", &cures)?;
    map.serialize_entry("constraints", &constraints)?;
    map.serialize_entry("rewrites", &rewrites)?;
    map.serialize_entry("modules", &Listed(modules))?;
    SerializeMap::end(map)?;
    writeln!(out)
}

/// A copy, and its relayout plan if it changes the layout.
#[derive(Serialize)]
pub(super) struct Planned {
    #[serde(flatten)]
    copy: Copy,
    /// The plan; `Some(None)` if none is known, and `None` if the copy does not change the layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    relayout: Option<Option<String>>,
    /// The least and the greatest time.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<(f64, Option<f64>)>,
}

impl Planned {
    pub(super) fn new(copy: Copy, bandwidth: Option<u64>) -> Self {
        Self {
            relayout: None,
            seconds: bandwidth.map(|bandwidth| copy.traffic.seconds(bandwidth)),
            copy,
        }
    }
}

/// A finding, with the file and the name of its module.
#[derive(Serialize)]
struct OfModule<'a, T> {
    file: &'a str,
    module: &'a str,
    #[serde(flatten)]
    finding: T,
}

impl<'a, T> OfModule<'a, T> {
    fn new(found: &'a Found, finding: T) -> Self {
        Self {
            file: &found.file,
            module: &found.module,
            finding,
        }
    }
}

/// A parameter or a result in another layout, with the advice that it is a part of.
#[derive(Serialize)]
struct Advised<'a> {
    #[serde(flatten)]
    change: &'a Change,
    #[serde(flatten)]
    cure: &'a Cure,
    #[serde(flatten)]
    sizes: Sizes,
    may_not_pay: Option<String>,
    paste: &'a [String],
}

impl<'a> Advised<'a> {
    fn all(cure: &'a Cure) -> impl Iterator<Item = Self> {
        let words = |doubt: &Doubt| doubt.words(|bytes| format!("{bytes} bytes"));
        cure.changes.iter().map(move |change| Self {
            change,
            cure,
            sizes: change.sizes,
            may_not_pay: cure.doubt.as_ref().map(words),
            paste: &cure.paste,
        })
    }
}

/// A slice in another layout, with the advice that it is a part of.
#[derive(Serialize)]
struct Slice<'a> {
    #[serde(flatten)]
    value: &'a Constrained,
    #[serde(flatten)]
    constraint: &'a Constraint,
    paste: &'a str,
}

impl<'a> Slice<'a> {
    fn all(constraint: &'a Constraint) -> impl Iterator<Item = Self> {
        constraint.values.iter().map(move |value| Self {
            value,
            constraint,
            paste: &value.paste,
        })
    }
}

/// The sums of a module.
#[derive(Serialize)]
struct ModuleSums<'a> {
    copies: usize,
    #[serde(serialize_with = "number")]
    bytes: u128,
    moves_between_spaces: usize,
    #[serde(serialize_with = "number")]
    moved_bytes: u128,
    without_layout: u64,
    hidden: usize,
    traffic: Traffic,
    paste: &'a [String],
    /// The least and the greatest time.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<(f64, Option<f64>)>,
}

impl<'a> ModuleSums<'a> {
    fn of(found: &'a Found, bandwidth: Option<u64>) -> Self {
        let sums = &found.sums;
        let (copies, bytes) = sums.all();
        Self {
            copies,
            bytes,
            moves_between_spaces: sums.moved,
            moved_bytes: sums.moved_bytes,
            without_layout: found.without_layout,
            hidden: sums.hidden,
            traffic: sums.traffic,
            paste: &found.paste,
            seconds: bandwidth.map(|bandwidth| sums.traffic.seconds(bandwidth)),
        }
    }
}
