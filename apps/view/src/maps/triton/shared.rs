//! Where a shared encoding puts elements in memory.

use serde_json::Value;
use xlayout::ElementType;
use xlayout::algebra::{Map, MapError, Swizzle};
use xlayout::interop::{CuteLayout, Given};

use super::encoding::Encoding;
use crate::error::Outcome;
use crate::maps::map_text::MapText;
use crate::words::joined;

/// Columns that lie together, and how their rows are swizzled.
struct Tile {
    width: u64,
    /// The elements that stay together.
    vec: u64,
    /// The rows of a phase.
    per_phase: u64,
    phases: u64,
}

/// An array of an encoding.
struct Array {
    sizes: Vec<u64>,
    /// The dimensions before those of the encoding count buffers, one behind the other.
    buffers: usize,
    /// The dimensions of a buffer, the fastest first.
    order: Vec<usize>,
}

impl Array {
    /// Where elements lie before a swizzle: in tiles of `rows` by `width`.
    fn base(&self, width: u64, rows: u64) -> Result<Map, MapError> {
        let sizes = &self.sizes;
        let mut modes = Vec::new();
        let mut next = sizes[self.buffers..].iter().product::<u64>() as i64;
        for dim in (0..self.buffers).rev() {
            modes.push((dim as u8, 1, 0, next));
            next *= sizes[dim] as i64;
        }
        let mut stride = width as i64;
        for &dim in self.order.get(1..).unwrap_or_default() {
            modes.push((dim as u8, 1, 0, stride));
            stride *= sizes[dim] as i64;
        }
        if let Some(&dim) = self.order.first() {
            let next = (width * rows) as i64;
            modes.extend([(dim as u8, 1, width, 1), (dim as u8, width, 0, next)]);
        }
        Map::from_modes(sizes, &modes)
    }

    /// The same in CuTe's notation, if a row is one tile.
    fn cute(&self) -> Option<CuteLayout> {
        let outside = (0..self.buffers).rev();
        let sequence: Vec<usize> = self.order.iter().copied().chain(outside).collect();
        let strides = (0..self.sizes.len()).map(|dim| {
            let faster = sequence.iter().take_while(|&&own| own != dim);
            faster.map(|&own| self.sizes[own]).product::<u64>()
        });
        let strides = joined(strides.collect::<Vec<_>>(), ",");
        let cute = format!("({}):({strides})", joined(&self.sizes, ","));
        cute.parse().ok()
    }
}

impl Encoding<'_> {
    /// The map of the encoding.
    pub(super) fn map(self, given: &Given<'_>) -> Outcome<MapText> {
        if self.name == "linear" {
            return self.linear();
        }
        if self.divides() {
            return Err(self.wrong("the array is divided between the blocks of a cluster"));
        }
        let array = self.array(given)?;
        if self.name == "blocked" {
            return self.blocked(&array.sizes, &array.order);
        }
        self.in_memory(&array, given.element_type)
    }

    /// Whether each block of a cluster has a part of the array.
    fn divides(&self) -> bool {
        let is_one = |key: &str| {
            self.get::<Vec<u64>>(key)
                .is_none_or(|all| all.iter().all(|&n| n == 1))
        };
        let has_bases = |key: &str| {
            self.fields
                .get(key)
                .is_some_and(|list| list != &Value::Array(Vec::new()))
        };
        !["CTASplitNum", "CTAsPerCGA"].iter().all(|key| is_one(key))
            || ["CGALayout", "block"].iter().any(|key| has_bases(key))
    }

    /// The sizes that are given, or that the encoding has, and the sequence of the dimensions.
    fn array(&self, given: &Given<'_>) -> Outcome<Array> {
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
        let listed = ["order", "CTAOrder"].map(|key| self.get::<Vec<usize>>(key));
        let own_rank = self
            .get("rank")
            .or(listed.iter().flatten().map(Vec::len).next());
        let buffers = if self.name == "blocked" {
            0
        } else {
            rank.saturating_sub(own_rank.unwrap_or(2))
        };
        if !sizes[buffers..].iter().all(|size| size.is_power_of_two()) {
            return Err(self.wrong("sizes that are no powers of two, which Triton does not have"));
        }
        let transposed = self.get("transposed") == Some(true);
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
        Ok(Array {
            sizes,
            buffers,
            order,
        })
    }

    /// Where the elements lie in memory: tiles of columns, each with all rows, whose rows are
    /// swizzled or padded.
    fn in_memory(&self, array: &Array, element_type: Option<ElementType>) -> Outcome<MapText> {
        let sizes = &array.sizes;
        let columns = array.order.first().map_or(1, |&dim| sizes[dim]);
        let is_tiled = self.name == "nvmma_shared" || self.get("hasLeadingOffset") == Some(true);
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
        let rows = sizes[array.buffers..].iter().product::<u64>() / columns;
        if (array.buffers > 0 || is_tiled) && rows < tile.per_phase * tile.phases {
            return Err(self.wrong("the array has fewer rows than the swizzle has phases"));
        }
        let base = array
            .base(tile.width, rows)
            .map_err(|error| self.of_map(error))?;
        let mut text = MapText {
            element_type,
            ..MapText::new("Triton", base)
        };
        if self.name == "padded_shared" {
            text.map = padding(&base, &self.intervals).map_err(|error| self.of_map(error))?;
            return Ok(text);
        }
        if tile.width == columns {
            text.cute = array.cute();
        }
        // Phases beyond the columns change nothing.
        let bits = tile.phases.min((tile.width / tile.vec).max(1)).ilog2();
        if sizes.len() < 2 || bits == 0 {
            return Ok(text);
        }
        let vec = tile.vec.ilog2();
        let shift = tile.width.ilog2() + tile.per_phase.ilog2() - vec;
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
}

/// The map that leaves a gap behind each interval of elements.
fn padding(base: &Map, intervals: &[(u64, u64)]) -> Result<Map, MapError> {
    let mut map = *base;
    for &(interval, padding) in intervals {
        let padding = i64::try_from(padding).map_err(|_| MapError::Overflow)?;
        map = base.digit(interval, 0)?.times_plus(padding, &map)?;
    }
    Ok(map)
}
