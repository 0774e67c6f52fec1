//! Which device holds which part of an array.

mod mesh;
mod moves;
mod picture;
mod python;
mod read;
mod report;
#[cfg(test)]
mod tests;

use std::ops::Range;

use xlayout::sharding::{Sharding, ShardingKind, SubgroupType};
use xlayout::{ArrayLayout, DynLayout};

use crate::error::{Error, TextSpan};
use crate::memory::Bytes;
use crate::session::printed;

pub use moves::Moves;

/// The most devices of which parts are listed.
const MOST_DEVICES: i64 = 1 << 16;

/// A sharding of an array, with the part of each device.
///
/// ```
/// use xlayout_view::ShardedArray;
/// let text = "NamedSharding(mesh=Mesh('x': 2, 'y': 4), spec=PartitionSpec('x', None))";
/// let sharded = ShardedArray::read(text, Some("f32[1024,512]"), None)?;
/// assert_eq!(sharded.to_json()["sharding"], "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
/// assert!(sharded.to_string().contains("f32[512,512]{1,0}"));
/// # Ok::<(), xlayout_view::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ShardedArray {
    sharding: Sharding,
    array: Option<DynLayout>,
    /// What a device has memory for, padding of uneven parts included.
    tile: Option<DynLayout>,
    /// What the text does not say.
    assumed: Vec<&'static str>,
    /// Row-major.
    parts: Vec<Part>,
}

/// A part of the array.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    /// Its number among the parts of each dimension; empty where nothing is cut.
    index: Vec<i64>,
    /// Of each dimension of the array, if that is known.
    ranges: Vec<Range<i64>>,
    /// Those that hold it; empty where the sharding does not say them.
    devices: Vec<i64>,
}

impl Part {
    fn elements(&self) -> u128 {
        elements(&self.ranges)
    }
}

/// How many elements the ranges have.
fn elements(ranges: &[Range<i64>]) -> u128 {
    let sizes = ranges
        .iter()
        .map(|range| range.end.saturating_sub(range.start).max(0) as u128);
    sizes.product()
}

impl ShardedArray {
    /// Reads a sharding as XLA, Shardy, JAX or PyTorch write it.
    ///
    /// `array` is a shape; it may be left out where the text has it, as an instruction of HLO does.
    /// `mesh` are the axes of the mesh, `x=2,y=4`, for texts that do not say them.
    ///
    /// # Errors
    /// A text that is no sharding, a sharding that does not fit the array, and one of which the
    /// parts are not known.
    pub fn read(text: &str, array: Option<&str>, mesh: Option<&str>) -> Result<Self, Error> {
        let pasted = read::read(text, array, mesh)?;
        let sharding = pasted.sharding;
        if sharding.is_tuple() {
            return Err(Error::new("this is the sharding of a tuple")
                .at(TextSpan::of_whole("SHARDING", text))
                .help("write the sharding of one of its arrays: the text of one pair of braces"));
        }
        let fits = |error: xlayout::sharding::ShardingError| {
            Error::new(error.message())
                .at(TextSpan::of_whole("SHARDING", text))
                .help(error.help())
        };
        let tile = match &pasted.array {
            None => None,
            Some(array) => {
                let shape = sharding.tile_shape(array.array_shape()).map_err(fits)?;
                Some(DynLayout::new(shape).map_err(Error::new)?)
            }
        };
        let shape = pasted.array.as_ref().map(DynLayout::array_shape);
        let ranges = |device: i64| match shape {
            Some(shape) => sharding.index_ranges(shape, device).map_err(fits),
            None => Ok(Vec::new()),
        };
        let mut parts = Vec::new();
        match sharding.kind() {
            ShardingKind::Tiled(tiling) => {
                let assignment = tiling.tile_assignment();
                let count = assignment.num_devices();
                if count > MOST_DEVICES {
                    let what = format_args!("the sharding has {count} devices");
                    return Err(Error::new(what)
                        .at(TextSpan::of_whole("SHARDING", text))
                        .help(format_args!(
                            "parts of at most {MOST_DEVICES} devices are listed"
                        )));
                }
                let cut = tiling.parts();
                let tiles: i64 = cut.iter().product();
                let copies = (count / tiles.max(1)).max(1);
                for (place, device) in (0..count).zip(assignment.devices()) {
                    if place % copies == 0 {
                        parts.push(Part {
                            index: coordinates(place / copies, cut),
                            ranges: ranges(device)?,
                            devices: Vec::new(),
                        });
                    }
                    if let Some(part) = parts.last_mut() {
                        part.devices.push(device);
                    }
                }
            }
            ShardingKind::Maximal(device) => parts.push(Part {
                index: Vec::new(),
                ranges: ranges(*device)?,
                devices: vec![*device],
            }),
            ShardingKind::Replicated | ShardingKind::Unreduced => parts.push(Part {
                index: Vec::new(),
                ranges: ranges(0)?,
                devices: Vec::new(),
            }),
            _ => {
                return Err(Error::new(format_args!("`{sharding}` does not say who holds what"))
                    .at(TextSpan::of_whole("SHARDING", text))
                    .help("the program itself, or a compiler, decides it: paste the sharding of the \
                           compiled module"));
            }
        }
        Ok(Self {
            sharding,
            array: pasted.array,
            tile,
            assumed: pasted.assumed,
            parts,
        })
    }

    /// Whether a text is a sharding, and no shape or layout.
    #[must_use]
    pub fn is_sharding(text: &str) -> bool {
        let text = &*printed(text);
        let start = text.trim_start();
        read::is_begin(start)
            || text.split_once("sharding={").is_some_and(|(before, _)| {
                // Behind a shape alone; `explain` answers for a whole instruction.
                before.trim_end().ends_with(',') && !before.contains('(')
            })
    }

    /// How many devices hold a part; `None` where the sharding does not say the devices.
    fn devices(&self) -> Option<usize> {
        let count: usize = self.parts.iter().map(|part| part.devices.len()).sum();
        (count > 0).then_some(count)
    }

    /// How many devices hold the same part.
    fn copies(&self) -> usize {
        self.parts.first().map_or(0, |part| part.devices.len())
    }

    /// What the devices that hold one part have of it.
    fn subgroups(&self) -> Vec<SubgroupType> {
        match self.sharding.as_tiled() {
            Some(tiling) => tiling.subgroup_types().to_vec(),
            None => Vec::new(),
        }
    }

    /// Whether a device holds a summand of its part.
    fn is_unreduced(&self) -> bool {
        matches!(self.sharding.kind(), ShardingKind::Unreduced)
            || self.subgroups().contains(&SubgroupType::Unreduced)
    }

    /// The bytes of elements, without padding.
    fn bytes_of(&self, elements: u128) -> u128 {
        let bits = self.array.as_ref().map_or(0, ArrayLayout::element_bits);
        (elements * bits as u128).div_ceil(8)
    }

    /// The bytes of the array, and of a device.
    fn bytes(&self) -> Option<(Bytes, Bytes)> {
        let array = self.array.as_ref()?;
        Some((Bytes::of(array), Bytes::of(self.tile.as_ref()?)))
    }
}

/// The index of a place in a row-major grid.
fn coordinates(mut place: i64, sizes: &[i64]) -> Vec<i64> {
    let mut index = vec![0; sizes.len()];
    for (coordinate, &size) in index.iter_mut().zip(sizes).rev() {
        *coordinate = place % size.max(1);
        place /= size.max(1);
    }
    index
}

/// The numbers of devices: the first few, and how many there are.
fn device_list(devices: &[i64], most: usize) -> String {
    let shown: Vec<String> = devices.iter().take(most).map(ToString::to_string).collect();
    let mut text = crate::words::joined(&shown, ", ");
    if devices.len() > most {
        text += &format!(", … ({} devices)", devices.len());
    }
    text
}
