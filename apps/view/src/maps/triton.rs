//! Triton's encodings, as its compiler prints them.
//!
//! ```text
//! text     = "#ttg." name "<{" key "=" value {"," …} "}>", or a type that has such an encoding:
//!            !ttg.memdesc<64x64xf16, #ttg.swizzled_shared<…>, #smem>
//! linear   = the tensor coordinates of each bit of register, lane, warp and block; by XOR;
//!            LinearLayout::toString prints a line for each: "- register=1 -> (0, 1)"
//! blocked  = linear: in the order, sizePerThread are registers, threadsPerWarp lanes, warpsPerCTA
//!            warps, and what is left of the sizes registers
//! shared   = a swizzle of the offset:
//!            swizzled_shared: column XOR vec * (row / perPhase % maxPhase)
//!            nvmma_shared:    the same of tiles of 8 rows of swizzlingByteWidth bytes, tiles of
//!                             rows first, perPhase * maxPhase = 8, vec of 16 bytes
//! padded   = [interval:+padding, …]: behind each so many elements so many are left out
//! Gluon    = the same in Python: BlockedLayout(size_per_thread=[1, 4], …)
//! ```
//!
//! Source: `include/triton/Tools/LinearLayout.h`, `LinearLayoutConversions.cpp`.

use std::ops::Range;

use serde::de::DeserializeOwned;
use serde_json::{Map as Fields, Value};
use xlayout::ElementType;
use xlayout::algebra::{Bits, Map, MapError, Swizzle};
use xlayout::interop::{CuteLayout, Given, Notation};

use super::brackets::{inside, split};
use super::map_text::MapText;
use crate::error::{Error, Outcome, TextSpan};
use crate::words::joined;

const INPUTS: [&str; 4] = ["register", "lane", "warp", "block"];
const LINEAR: &str =
    "write `#ttg.linear<{register = [[0, 1]], lane = [[1, 0]], warp = [], block = []}>`";
const BLOCKED: &str = "write `#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], \
                       warpsPerCTA = [2, 2], order = [1, 0]}>`";
const SHARED: &str =
    "write `#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>`";
/// Encodings that are read.
const NAMES: [&str; 6] = [
    "linear",
    "blocked",
    "shared",
    "swizzled_shared",
    "nvmma_shared",
    "padded_shared",
];

/// Gluon's classes, each with the encoding that it is, and the names of its arguments in both.
type Class = (&'static str, &'static str, &'static [[&'static str; 2]]);
#[rustfmt::skip]
const CLASSES: [Class; 4] = [
    ("BlockedLayout(", "blocked", &[["size_per_thread", "sizePerThread"],
        ["threads_per_warp", "threadsPerWarp"], ["warps_per_cta", "warpsPerCTA"],
        ["order", "order"], ["cga_layout", "CGALayout"]]),
    ("SwizzledSharedLayout(", "swizzled_shared", &[["vec", "vec"], ["per_phase", "perPhase"],
        ["max_phase", "maxPhase"], ["order", "order"], ["cga_layout", "CGALayout"]]),
    ("NVMMASharedLayout(", "nvmma_shared", &[["swizzle_byte_width", "swizzlingByteWidth"],
        ["element_bitwidth", "elementBitWidth"], ["rank", "rank"], ["transposed", "transposed"],
        ["fp4_padded", "fp4Padded"], ["cga_layout", "CGALayout"]]),
    ("DistributedLinearLayout(", "linear", &[["reg_bases", "register"], ["lane_bases", "lane"],
        ["warp_bases", "warp"], ["block_bases", "block"], ["shape", "shape"]]),
];

/// The encoding of a layout of Gluon's, and an argument that is not part of it.
fn of_gluon(text: &str) -> Option<(String, Option<&str>)> {
    let classes = || CLASSES.iter();
    let found = classes().filter_map(|row| Some((text.find(row.0)?, row)));
    let (at, (class, name, keys)) = found.min_by_key(|found| found.0)?;
    let rest = &text[at + class.len()..];
    let inner = inside(rest);
    let mut others = classes().filter_map(|row| rest.find(row.0));
    let mut stray = others.next().map(|at| &rest[at..]);
    let mut fields = Vec::new();
    for (place, argument) in split(inner, ',').into_iter().enumerate() {
        if argument.trim().is_empty() {
            continue;
        }
        let named = argument.split_once('=');
        let key = match named {
            Some((key, _)) => keys.iter().find(|own| own[0] == key.trim()),
            None => keys.get(place),
        };
        let value = named.map_or(argument, |(_, value)| value);
        let value = value.replace("True", "true").replace("False", "false");
        match key {
            Some(key) => fields.push(format!("{} = {}", key[1], value.trim())),
            None => stray = Some(argument),
        }
    }
    Some((format!("#ttg.{name}<{{{}}}>", joined(fields, ", ")), stray))
}

/// The map of an encoding; `None` if the text has none.
pub(super) fn read(origin: &str, text: &str, given: &Given<'_>) -> Option<Outcome<MapText>> {
    if let Some((encoding, stray)) = of_gluon(text) {
        if let Some(stray) = stray {
            let start = stray.as_ptr().addr() - text.as_ptr().addr();
            let at = TextSpan::of_argument(origin, text, start..start + stray.len());
            let error = Error::new("this is another layout, or no argument of this one").at(at);
            return Some(Err(
                error.help(format_args!("such a layout is `{encoding}`"))
            ));
        }
        return read(origin, &encoding, given);
    }
    let starts = ["#ttg.", "#triton_gpu."];
    let start = starts.iter().find_map(|dialect| text.find(dialect));
    let heads = [
        "!ttg.memdesc<",
        "!triton_gpu.memdesc<",
        "!tt.memdesc<",
        "tensor<",
    ];
    let head = heads
        .iter()
        .find_map(|begin| text.trim_start().strip_prefix(begin));
    if let Some(linear) = start.is_none().then(|| printed(text)).flatten() {
        let encoding = Encoding::read(origin, &linear, 0, true);
        return Some(encoding.and_then(|encoding| encoding.linear()));
    }
    let Some(start) = start else {
        // The encoding is a name.
        let name = head
            .filter(|_| text.contains("memdesc<"))?
            .split_once('#')?
            .1;
        let name = name.split([',', '>']).next().unwrap_or(name).trim();
        let error = Error::new(format_args!(
            "`#{name}` is a name, which another line defines"
        ));
        let help = format!("give that line, too: `#{name} = #ttg.…`, a line above");
        return Some(Err(error.at(TextSpan::of_whole(origin, text)).help(help)));
    };
    let own = head.map(|head| {
        let sizes = head.split_once(',').map_or(head, |(sizes, _)| sizes);
        let tensor = Notation::with_key("tensor");
        let shape = tensor?
            .read(&format!("tensor<{sizes}>"), &Given::default())
            .ok()?;
        let sizes: Option<Vec<i64>> = shape.dims.iter().map(|dim| dim.bound()).collect();
        Some((sizes?, shape.element_type))
    });
    let encoding = Encoding::read(origin, text, start, head.is_none());
    Some(encoding.and_then(|encoding| {
        let own = match own {
            Some(None) => {
                return Err(encoding.wrong("a type without sizes, or of unknown elements"));
            }
            other => other.flatten(),
        };
        let (sizes, element_type) = own.unzip();
        encoding.map(&Given {
            sizes: sizes.as_deref().or(given.sizes),
            element_type: element_type.or(given.element_type),
            axes: None,
        })
    }))
}

/// `#ttg.name<[512:+16] {key = value}>`
struct Encoding<'t> {
    origin: &'t str,
    text: &'t str,
    place: Range<usize>,
    name: &'t str,
    fields: Fields<String, Value>,
    /// Behind each so many elements so many are left out.
    intervals: Vec<(u64, u64)>,
}

/// Columns that lie together, and how their rows are swizzled.
struct Tile {
    width: u64,
    /// The elements that stay together.
    vec: u64,
    /// The rows of a phase.
    per_phase: u64,
    phases: u64,
}

impl<'t> Encoding<'t> {
    /// The encoding from this byte on; `alone` nothing may be behind it.
    fn read(origin: &'t str, text: &'t str, start: usize, alone: bool) -> Outcome<Self> {
        let rest = &text[start..];
        let (name, inner) = rest.split_once('<').unwrap_or((rest, ""));
        let mut depth = 1_usize;
        let end = inner.find(|c: char| {
            depth = match c {
                '<' => depth + 1,
                '>' => depth.saturating_sub(1),
                _ => depth,
            };
            depth == 0
        });
        let len = end.map_or(rest.len(), |end| name.len() + end + 2);
        let mut encoding = Self {
            origin,
            text,
            place: start..start + len,
            name: name.rsplit_once('.').map_or(name, |(_, name)| name),
            fields: Fields::new(),
            intervals: Vec::new(),
        };
        let name = encoding.name;
        if !NAMES.contains(&name) {
            let what = format!(
                "`{name}` says which lane of a processor holds which element, not where elements \
                 lie in memory"
            );
            let help = "`#ttg.blocked`, `#ttg.linear` and shared encodings are read; Triton's tool \
                        `triton-tensor-layout` prints any other one";
            return Err(encoding.failure(what, help));
        }
        let is_end = rest[len..].trim().is_empty();
        if end.is_none() || alone && !is_end {
            return Err(encoding.wrong("the text does not end with the encoding"));
        }
        let inner = &inner[..end.unwrap_or(0)];
        let (intervals, fields) = inner.split_at(inner.find('{').unwrap_or(inner.len()));
        // `alignment = 16` may be behind the bracket.
        let fields = &fields[..fields.rfind('}').map_or(0, |end| end + 1)];
        let (json, places) = as_json(fields);
        let fields = serde_json::from_str(&json).map_err(|error: serde_json::Error| {
            let before = json.split_inclusive('\n').take(error.line().max(1) - 1);
            let at = before.map(str::len).sum::<usize>() + error.column().max(1) - 1;
            let known = places.iter().rfind(|place| place.0 <= at);
            let at = known
                .map_or(0, |place| place.1 + at - place.0)
                .min(fields.len());
            let at = (0..=at).rfind(|&at| fields.is_char_boundary(at));
            let at = at.unwrap_or_else(|| unreachable!("0 is where a character begins"));
            fields.as_ptr().addr() - text.as_ptr().addr() + at
        });
        let is_list = |c: char| c.is_whitespace() || matches!(c, '[' | ']');
        let intervals = intervals
            .trim_matches(is_list)
            .split(',')
            .filter(|part| !part.is_empty());
        let intervals = intervals.map(|part| {
            let (interval, padding) = part.split_once(":+")?;
            let interval = interval
                .trim()
                .parse()
                .ok()
                .filter(|&interval| interval > 0);
            Some((interval?, padding.trim().parse().ok()?))
        });
        let intervals: Option<Vec<(u64, u64)>> = intervals.collect();
        let (Ok(fields), Some(intervals)) = (&fields, intervals) else {
            if let Err(at) = fields {
                let len = text[at..].chars().next().map_or(0, char::len_utf8);
                encoding.place = at..at + len;
            }
            return Err(
                encoding.wrong("expected keys with numbers, lists of them, or truth values")
            );
        };
        encoding.fields.clone_from(fields);
        encoding.intervals = intervals;
        Ok(encoding)
    }

    fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        T::deserialize(self.fields.get(key)?).ok()
    }

    /// A power of two.
    fn number(&self, key: &str) -> Option<u64> {
        self.get(key)
            .filter(|number: &u64| number.is_power_of_two())
    }

    fn needed(&self, key: &str) -> Outcome<u64> {
        let none = || self.wrong(format_args!("`{key}` is missing, or no power of two"));
        self.number(key).ok_or_else(none)
    }

    fn wrong(&self, what: impl std::fmt::Display) -> Error {
        let help = match self.name {
            "linear" => LINEAR,
            "blocked" => BLOCKED,
            _ => SHARED,
        };
        self.failure(what, help)
    }

    fn of_map(&self, error: MapError) -> Error {
        self.failure(error.message(), &error.help().to_string())
    }

    fn failure(&self, what: impl std::fmt::Display, help: &str) -> Error {
        let at = TextSpan::of_argument(self.origin, self.text, self.place.clone());
        Error::new(what).at(at).help(help)
    }

    fn map(self, given: &Given<'_>) -> Outcome<MapText> {
        let element_type = given.element_type;
        let text = |base| MapText {
            element_type,
            ..MapText::new("Triton", base)
        };
        if self.name == "linear" {
            return self.linear();
        }
        let is_one = |key: &str| {
            self.get::<Vec<u64>>(key)
                .is_none_or(|all| all.iter().all(|&n| n == 1))
        };
        let divides = !["CTASplitNum", "CTAsPerCGA"].iter().all(|key| is_one(key))
            || ["CGALayout", "block"].iter().any(|key| {
                self.fields
                    .get(*key)
                    .is_some_and(|list| list != &Value::Array(Vec::new()))
            });
        if divides {
            return Err(self.wrong("the array is divided between the blocks of a cluster"));
        }
        let own: Option<Vec<i64>> = self.get("shape");
        let Some(sizes) = given.sizes.or(own.as_deref()) else {
            let what = format!("a `{}` of Triton's has no sizes", self.name);
            let help = "give the sizes of the array: --sizes 64,64";
            return Err(self.failure(what, help));
        };
        let sizes: Vec<u64> = sizes.iter().map(|size| size.unsigned_abs()).collect();
        let all = sizes
            .iter()
            .try_fold(1_u64, |all, &size| all.checked_mul(size.max(1)));
        if all.is_none_or(|all| all >= 1 << 61) {
            return Err(self.of_map(MapError::Overflow));
        }
        let rank = sizes.len();
        let transposed = self.get("transposed") == Some(true);
        let listed = ["order", "CTAOrder"].map(|key| self.get::<Vec<usize>>(key));
        let own = self
            .get("rank")
            .or(listed.iter().flatten().map(Vec::len).next());
        // The dimensions before those of the encoding count buffers, one behind the other.
        let is_shared = !matches!(self.name, "blocked" | "linear");
        let buffers = rank.saturating_sub(own.unwrap_or(2));
        let buffers = if is_shared { buffers } else { 0 };
        if !sizes[buffers..].iter().all(|size| size.is_power_of_two()) {
            return Err(self.wrong("sizes that are no powers of two, which Triton does not have"));
        }
        let [order, _] = listed;
        let mut order = order.unwrap_or_else(|| {
            let all = 0..rank - buffers;
            if transposed {
                all.collect()
            } else {
                all.rev().collect()
            }
        });
        order
            .iter_mut()
            .for_each(|dim| *dim = dim.saturating_add(buffers));
        let is_known = !transposed || order.len() < 3;
        let has = |dim| order.contains(&dim);
        if order.len() != rank - buffers || !(buffers..rank).all(has) || !is_known {
            return Err(self.wrong("the order does not list every dimension once"));
        }
        if self.name == "blocked" {
            return self.blocked(&sizes, &order);
        }
        let is_tiled = self.name == "nvmma_shared" || self.get("hasLeadingOffset") == Some(true);
        let columns = order.first().map_or(1, |&dim| sizes[dim]);
        // Of tiles of columns, each has all rows.
        let tile = if is_tiled {
            self.tile(element_type, columns)?
        } else {
            let swizzled = self.name != "padded_shared";
            let needed = |key: &str| if swizzled { self.needed(key) } else { Ok(1) };
            Tile {
                width: columns,
                vec: needed("vec")?,
                per_phase: needed("perPhase")?,
                phases: needed("maxPhase")?,
            }
        };
        let width = tile.width;
        let of_buffer: u64 = sizes[buffers..].iter().product();
        let rows = of_buffer / columns;
        if (buffers > 0 || is_tiled) && rows < tile.per_phase * tile.phases {
            return Err(self.wrong("the array has fewer rows than the swizzle has phases"));
        }
        let mut modes = Vec::new();
        let mut next = of_buffer as i64;
        for dim in (0..buffers).rev() {
            modes.push((dim as u8, 1, 0, next));
            next *= sizes[dim] as i64;
        }
        let mut stride = width as i64;
        for &dim in order.get(1..).unwrap_or_default() {
            modes.push((dim as u8, 1, 0, stride));
            stride *= sizes[dim] as i64;
        }
        if let Some(&dim) = order.first() {
            let next = (width * rows) as i64;
            modes.extend([(dim as u8, 1, width, 1), (dim as u8, width, 0, next)]);
        }
        let base = Map::from_modes(&sizes, &modes).map_err(|error| self.of_map(error))?;
        let mut text = text(base);
        if width == columns {
            let outside = (0..buffers).rev();
            let sequence: Vec<usize> = order.iter().copied().chain(outside).collect();
            let strides = (0..rank).map(|dim| {
                let at = sequence.iter().position(|&own| own == dim).unwrap_or(0);
                sequence[..at]
                    .iter()
                    .map(|&own| sizes[own])
                    .product::<u64>()
            });
            let strides = joined(strides.collect::<Vec<_>>(), ",");
            let cute = format!("({}):({strides})", joined(&sizes, ","));
            text.cute = cute.parse::<CuteLayout>().ok();
        }
        if self.name == "padded_shared" {
            text.cute = None;
            text.map = padding(&base, &self.intervals).map_err(|error| self.of_map(error))?;
            return Ok(text);
        }
        // Phases beyond the columns change nothing.
        let bits = tile.phases.min((width / tile.vec).max(1)).ilog2();
        if rank < 2 || bits == 0 {
            return Ok(text);
        }
        let vec = tile.vec.ilog2();
        let shift = width.ilog2() + tile.per_phase.ilog2() - vec;
        let shift = i8::try_from(shift).unwrap_or(i8::MAX);
        let swizzle = Swizzle::new(bits as u8, vec as u8, shift);
        let swizzled = swizzle.and_then(|swizzle| text.swizzled(swizzle));
        swizzled.map_err(|error| self.of_map(error))
    }

    /// The tile of tensor cores.
    fn tile(&self, element_type: Option<ElementType>, columns: u64) -> Outcome<Tile> {
        let of_type = element_type.and_then(ElementType::bits).map(u64::from);
        let bits = self
            .number("elementBitWidth")
            .or(of_type)
            .filter(|&bits| bits <= 128);
        let Some(bits) = bits.filter(|&bits| of_type.is_none_or(|own| own == bits)) else {
            return Err(self.wrong("`elementBitWidth` is missing, or not that of the type"));
        };
        if self.get("fp4Padded") == Some(true) {
            return Err(self.wrong("`fp4Padded` leaves gaps between elements, which is not read"));
        }
        let width = match self.get::<u64>("swizzlingByteWidth") {
            Some(width) => width,
            None => 128 / self.needed("perPhase")?,
        };
        if !matches!(width, 0 | 32 | 64 | 128) {
            return Err(self.wrong("`swizzlingByteWidth` is 0, 32, 64 or 128"));
        }
        let own = 8 * width.max(16) / bits;
        if own == 0 || columns < own {
            let what = format_args!("a tile has {own} columns, but the array has {columns}");
            return Err(self.wrong(what));
        }
        Ok(Tile {
            width: own,
            vec: 128 / bits,
            per_phase: 128 / width.max(16),
            phases: width.max(16) / 16,
        })
    }

    /// As a linear encoding of an array of these sizes.
    fn blocked(mut self, sizes: &[u64], order: &[usize]) -> Outcome<MapText> {
        let mut taken = vec![1_u64; sizes.len()];
        let mut lists: Vec<Vec<Vec<u64>>> = Vec::new();
        for key in [
            "sizePerThread",
            "threadsPerWarp",
            "warpsPerCTA",
            "what is left",
        ] {
            let left = sizes
                .iter()
                .zip(&taken)
                .map(|(size, taken)| (size / taken).max(1));
            let own = if lists.len() < 3 {
                self.get(key)
            } else {
                Some(left.collect())
            };
            let is_count = |count: &u64| count.is_power_of_two() && *count < 1 << 16;
            let counts = own.filter(|own: &Vec<u64>| own.len() == sizes.len());
            let counts = counts.filter(|counts| lists.len() == 3 || counts.iter().all(is_count));
            let Some(counts) = counts else {
                let what = format_args!("`{key}` has no power of two for each dimension");
                return Err(self.wrong(what));
            };
            let mut bases = Vec::new();
            for &dim in order {
                for bit in 0..counts[dim].ilog2() {
                    // What is beyond the array has its first elements once more.
                    let mut basis = vec![0; sizes.len()];
                    let at = taken[dim] << bit;
                    if at < sizes[dim] {
                        basis[dim] = at;
                    }
                    bases.push(basis);
                }
                taken[dim] *= counts[dim];
            }
            lists.push(bases);
        }
        let left = lists.pop().into_iter().flatten();
        lists[0].extend(left);
        lists.push(Vec::new());
        for (key, list) in INPUTS.iter().zip(lists) {
            self.fields.insert((*key).to_owned(), list.into());
        }
        self.linear()
    }

    fn linear(&self) -> Outcome<MapText> {
        if let Some(missing) = INPUTS.iter().find(|key| !self.fields.contains_key(**key)) {
            return Err(self.wrong(format_args!("`{missing}` is missing")));
        }
        let (columns, sizes) = self.columns()?;
        let map = Bits::new(&columns).and_then(|bits| bits.to_map());
        let mut text = MapText::new("Triton", map.map_err(|error| self.of_map(error))?);
        text.is_memory = false;
        text.cute = cute(&columns, &sizes);
        let counts = INPUTS.map(|key| {
            let bits = self.get::<Vec<Value>>(key).map_or(0, |bases| bases.len());
            format!("{key} ({})", 1_u64 << bits.min(63))
        });
        text.notes.push(format!(
            "The index counts {}; an offset is the row-major index in a tensor of {}.",
            counts.join(", then "),
            joined(&sizes, " × ")
        ));
        Ok(text)
    }

    /// For each bit of the inputs the row-major index of its tensor coordinates, and the sizes of
    /// the tensor.
    fn columns(&self) -> Outcome<(Vec<u64>, Vec<u64>)> {
        let mut bases: Vec<Vec<u64>> = Vec::new();
        for key in INPUTS {
            let own: Option<Vec<Vec<u64>>> = self.get(key);
            let none = || self.wrong(format_args!("expected lists of coordinates as `{key}`"));
            bases.extend(own.ok_or_else(none)?);
        }
        let rank = bases.first().map_or(0, Vec::len);
        if let Some(basis) = bases.iter().find(|basis| basis.len() != rank) {
            let what = format!(
                "a basis of {} coordinates, and the first one has {rank}",
                basis.len()
            );
            return Err(self.failure(what, "write as many coordinates in each basis"));
        }
        // Sizes are powers of two, so the XOR of row-major indices is the row-major index of the
        // XOR.
        let mut columns = vec![0_u64; bases.len()];
        let mut sizes = Vec::new();
        for dimension in 0..rank {
            let coordinates = bases.iter().map(|basis| basis[dimension]);
            let bits = 64 - coordinates.fold(0, u64::max).leading_zeros();
            for (column, basis) in columns.iter_mut().zip(&bases) {
                if column.leading_zeros() < bits + 2 {
                    let what = "the tensor has 2^62 elements or more";
                    return Err(self.failure(what, "write smaller coordinates"));
                }
                *column = *column << bits | basis[dimension];
            }
            sizes.push(1 << bits);
        }
        Ok((columns, sizes))
    }
}

/// What a linear layout prints, as its encoding: of each input the bits in turn.
fn printed(text: &str) -> Option<String> {
    let mut inputs = INPUTS.map(|_| Vec::new());
    for line in text.lines() {
        let Some((bit, basis)) = line.split_once("->") else {
            continue;
        };
        let (input, bit) = bit
            .trim_start_matches([' ', '-', '/', '#'])
            .split_once('=')?;
        let bases = &mut inputs[INPUTS.iter().position(|name| *name == input)?];
        let next = 1_u64.checked_shl(u32::try_from(bases.len()).ok()?)?;
        let coordinates = basis.trim().strip_prefix('(')?.strip_suffix(')')?;
        if bit.trim() != next.to_string() {
            return None;
        }
        bases.push(format!("[{coordinates}]"));
    }
    let fields = INPUTS.iter().zip(&inputs);
    let fields = fields.map(|(name, bases)| format!("{name} = [{}]", joined(bases, ", ")));
    let is_any = inputs.iter().any(|bases| !bases.is_empty());
    is_any.then(|| format!("#ttg.linear<{{{}}}>", joined(fields, ", ")))
}

/// `{key = [1, 0]}` as `{"key":[1, 0]}`, and which places of both are the same ones.
fn as_json(fields: &str) -> (String, Vec<(usize, usize)>) {
    let mut json = String::new();
    let mut places = Vec::new();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut at = 0;
    for part in fields.split_inclusive('=') {
        places.push((json.len(), at));
        at += part.len();
        let Some(before) = part.strip_suffix('=') else {
            json += part;
            continue;
        };
        let key = before.trim_end();
        let start = key.trim_end_matches(is_word).len();
        json += &format!("{}\"{}\":", &key[..start], &key[start..]);
    }
    (json, places)
}

/// The map that leaves out so many places behind each so many elements.
fn padding(base: &Map, intervals: &[(u64, u64)]) -> Result<Map, MapError> {
    let mut map = *base;
    for &(interval, padding) in intervals {
        let padding = i64::try_from(padding).map_err(|_| MapError::Overflow)?;
        map = base.digit(interval, 0)?.times_plus(padding, &map)?;
    }
    Ok(map)
}

/// The layout whose linear index is the index: each bit of the index is one of a coordinate.
fn cute(columns: &[u64], sizes: &[u64]) -> Option<CuteLayout> {
    let mut shape = Vec::new();
    let mut strides = Vec::new();
    let mut unit: u64 = sizes.iter().product();
    for size in sizes {
        unit /= size;
        let place = |bit| {
            let place = columns.iter().position(|&column| column == unit << bit)?;
            Some(1_u64 << place)
        };
        let own: Vec<u64> = (0..size.ilog2()).map(place).collect::<Option<_>>()?;
        shape.push(format!("({})", joined(vec![2; own.len()], ",")));
        strides.push(format!("({})", joined(&own, ",")));
    }
    let bits: u32 = sizes.iter().map(|size| size.ilog2()).sum();
    let is_whole = bits as usize == columns.len();
    let [shape, strides] = [shape, strides].map(|list| joined(&list, ","));
    is_whole.then(|| format!("({shape}):({strides})").parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::super::MapText;
    use xlayout::algebra::Budget;
    use xlayout::interop::Given;

    fn read(text: &str) -> Option<Result<MapText, crate::Error>> {
        super::read("A", text, &Given::default())
    }

    /// The blocked one below of 16 by 16 elements.
    const LINEAR: &str = "#linear = #ttg.linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], \
         warp = [[0, 8], [8, 0]], block = []}>";

    #[test]
    fn a_blocked_layout() {
        let blocked = "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], \
                       warpsPerCTA = [2, 2], order = [1, 0]}>";
        let sizes = |sizes| Given {
            sizes: Some(sizes),
            ..Given::default()
        };
        let of_sizes = |own| super::read("A", blocked, &sizes(own)).unwrap().unwrap();
        let (Some(Ok(map)), same) = (read(LINEAR), of_sizes(&[16, 16])) else {
            panic!("it is a linear layout")
        };
        assert!((0..256).all(|k| map.map().at_index(k) == same.map().at_index(k)));
        // Registers take what is left of the sizes, and threads without any have the first ones.
        assert_eq!(of_sizes(&[16, 32]).map().at_index(2), Some(16));
        let less = of_sizes(&[16, 8]);
        assert_eq!(less.map().at_index(64), less.map().at_index(0));
        let map = map.map();
        for index in 0..256 {
            let register = index % 2;
            let lane = index / 2 % 32;
            let warp = index / 64;
            let row = lane / 4 + 8 * (warp / 2);
            let column = register + 2 * (lane % 4) + 8 * (warp % 2);
            assert_eq!(map.at_index(index), Some((row * 16 + column) as i64));
        }
        assert_eq!(map.is_bijective(Budget::DEFAULT), Ok(true));
    }

    #[test]
    fn a_printed_linear_layout() {
        let text = "layout:\n - register=1 -> (0, 1)\n - lane=1 -> (0, 2)\n   lane=2 -> (0, 4)\n   \
                    lane=4 -> (1, 0)\n   lane=8 -> (2, 0)\n   lane=16 -> (4, 0)\n - warp=1 -> (0, 8)\n   \
                    warp=2 -> (8, 0)\n - block is a size 1 dimension\nwhere out dims are: [dim0 (size 16), \
                    dim1 (size 16)]";
        let (Some(Ok(map)), Some(Ok(same))) = (read(text), read(LINEAR)) else {
            panic!("it is a linear layout")
        };
        assert!((0..256).all(|k| map.map().at_index(k) == same.map().at_index(k)));
        // A line is missing, out of sequence, or of something else.
        for (right, wrong) in [
            ("   lane=2 -> (0, 4)\n", ""),
            ("warp=2", "warp=3"),
            ("warp=1", "cta=1"),
        ] {
            assert!(read(&text.replace(right, wrong)).is_none(), "{wrong}");
        }
        assert!(matches!(read(" - register=1 -> (x)"), Some(Err(_))));
    }

    #[test]
    fn what_is_no_linear_layout() {
        assert!(read("(4,8):(8,1)").is_none());
        for cut in 0..LINEAR.len() {
            assert!(!matches!(read(&LINEAR[..cut]), Some(Ok(_))), "{cut}");
        }
        for bad in [
            "#ttg.linear<{register = [[1], [1, 2]], lane = [], warp = [], block = []}>",
            "#ttg.linear<{register = [[4611686018427387904]], lane = [], warp = [], block = []}>",
            "#ttg.linear<{register = [[2305843009213693952, 2]], lane = [], warp = [], block = []}>",
            "#ttg.linear<{register = [[-1]], lane = [], warp = [], block = []}>",
            "#ttg.linear<{register = [], lane = [], warp = [], block = []}> x",
        ] {
            assert!(matches!(read(bad), Some(Err(_))), "{bad}");
        }
    }
}
