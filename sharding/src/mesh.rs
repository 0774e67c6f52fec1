//! Shardings by the axes of a mesh.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Sharding, ShardingError, ShardingErrorKind as Kind, SubgroupType, TileAssignment};

/// An axis of a mesh, or a part of one (XLA: `AxisRef`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AxisRef {
    /// The number of the axis in its mesh.
    pub axis: usize,
    /// Of a part the product of the sizes of the more major parts, and its own size; nothing for
    /// the whole axis (XLA: `SubAxis`).
    pub sub_axis: Option<(i64, i64)>,
}

impl From<usize> for AxisRef {
    fn from(axis: usize) -> Self {
        Self {
            axis,
            sub_axis: None,
        }
    }
}

/// A sharding by the axes of a mesh, as JAX's `NamedSharding` and Shardy's have it
/// (XLA: `NamedSharding`). It is made to be turned [into a `Sharding`](Self::to_sharding).
///
/// ```
/// use xlayout_sharding::NamedSharding;
///
/// // jax.make_mesh((2, 4), ("x", "y")) and PartitionSpec("y", None)
/// let named = NamedSharding {
///     axis_sizes: vec![2, 4],
///     dim_shardings: vec![vec![1.into()], vec![]],
///     ..NamedSharding::default()
/// };
/// assert_eq!(
///     named.to_sharding()?.to_string(),
///     "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
/// );
/// # Ok::<(), xlayout_sharding::ShardingError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedSharding {
    /// The names of the mesh's axes, which only texts have; empty where they have none.
    pub axis_names: Vec<String>,
    /// The sizes of the mesh's axes, most major first.
    pub axis_sizes: Vec<i64>,
    /// The devices, row-major; empty is 0, 1, 2, …
    pub device_ids: Vec<i64>,
    /// For each dimension the axes that it is cut along, most major first.
    pub dim_shardings: Vec<Vec<AxisRef>>,
    /// Axes along which all devices surely hold the same, as they do along those not named.
    pub replicated_axes: Vec<AxisRef>,
    /// Axes along which each device holds a summand.
    pub unreduced_axes: Vec<AxisRef>,
    /// Axes along which the program itself takes care of its parts.
    pub manual_axes: Vec<AxisRef>,
}

/// A part of an axis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct AxisPart {
    axis: usize,
    /// Where it begins and ends, as the products of the sizes of the more major parts.
    begin: i64,
    end: i64,
}

impl NamedSharding {
    /// The same by devices (XLA: `HloSharding::V3ToV2Sharding`).
    ///
    /// # Errors
    /// If an axis is not in the mesh, a part does not divide its axis, or two parts share devices;
    /// if the number of devices is not the product of the axis sizes.
    #[doc(alias = "V3ToV2Sharding")]
    pub fn to_sharding(&self) -> Result<Sharding, ShardingError> {
        // XLA's maximal mesh: a device, and no axes.
        if let ([], &[device]) = (&self.axis_sizes[..], &self.device_ids[..]) {
            return Ok(Sharding::maximal(device));
        }
        Ok(self.tiles()?)
    }

    fn tiles(&self) -> Result<Sharding, Kind> {
        let mut grid = Vec::new();
        let mut types = Vec::new();
        // The parts in the sequence in which the grid goes through them.
        let mut parts: Vec<AxisPart> = Vec::new();
        for axes in &self.dim_shardings {
            grid.push(self.add(axes, &mut parts)?);
        }
        for (axes, kind) in [
            (&self.manual_axes, SubgroupType::Manual),
            (&self.unreduced_axes, SubgroupType::Unreduced),
        ] {
            if !axes.is_empty() {
                grid.push(self.add(axes, &mut parts)?);
                types.push(kind);
            }
        }
        let cut = parts.len();
        let mut replicated = Vec::new();
        self.add(&self.replicated_axes, &mut replicated)?;
        overlaps(parts.iter().chain(&replicated))?;

        // What is left of each axis is replicated.
        let used: Vec<_> = parts.iter().copied().chain(replicated).collect();
        let whole = self.divided(&used)?;
        let mut rest = 1i64;
        for part in &whole {
            if !parts[..cut].contains(part) {
                rest = rest
                    .checked_mul(part.end / part.begin)
                    .ok_or(Kind::Overflow)?;
                parts.push(*part);
            }
        }
        if rest > 1 {
            grid.push(rest);
            types.push(SubgroupType::Replicated);
        }
        if grid.is_empty() {
            return Ok(Sharding::replicated());
        }
        let assignment = self.assignment(&grid, &whole, &parts)?;
        let sharding = Sharding::subgroup(assignment, &types);
        let sharding = sharding.map_err(|error| *error.kind())?;
        let is_one_tile = |s: &Sharding| s.total_num_tiles() == Some(1) && s.as_tiled().is_some();
        // A mesh of one device.
        Ok(if is_one_tile(&sharding) {
            Sharding::replicated()
        } else {
            sharding
        })
    }

    /// All axes, divided where these parts begin and end.
    fn divided(&self, used: &[AxisPart]) -> Result<Vec<AxisPart>, Kind> {
        let mut divided = Vec::new();
        for (axis, &size) in self.axis_sizes.iter().enumerate() {
            if size < 1 {
                let dimension = axis;
                return Err(Kind::TileDimension { dimension, size });
            }
            let of_axis = used.iter().filter(|part| part.axis == axis);
            let mut ends: Vec<i64> = of_axis.flat_map(|part| [part.begin, part.end]).collect();
            ends.extend([1, size]);
            ends.sort_unstable();
            ends.dedup();
            for pair in ends.windows(2) {
                let [begin, end] = [pair[0], pair[1]];
                if end % begin != 0 {
                    return Err(no_axis(axis));
                }
                divided.push(AxisPart { axis, begin, end });
            }
        }
        Ok(divided)
    }

    /// The devices: those of the mesh, whose axes are cut into `whole`, with these permuted to
    /// `parts`.
    fn assignment(
        &self,
        grid: &[i64],
        whole: &[AxisPart],
        parts: &[AxisPart],
    ) -> Result<TileAssignment, Kind> {
        let sizes: Vec<i64> = whole.iter().map(|part| part.end / part.begin).collect();
        let place = |part: &AxisPart| {
            whole
                .iter()
                .position(|w| w == part)
                .ok_or(no_axis(part.axis))
        };
        let perm = parts.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        let rule = match sizes[..] {
            [] => TileAssignment::reshaped(grid, &[1], &[0])?,
            _ => TileAssignment::reshaped(grid, &sizes, &perm)?,
        };
        match &self.device_ids[..] {
            [] => Ok(rule),
            devices => rule.of_list(devices),
        }
    }

    /// Adds the parts that a list names, without those of size 1; returns the product of their
    /// sizes.
    fn add(&self, axes: &[AxisRef], parts: &mut Vec<AxisPart>) -> Result<i64, Kind> {
        let mut product = 1i64;
        for &AxisRef { axis, sub_axis } in axes {
            let wrong = no_axis(axis);
            let &size = self.axis_sizes.get(axis).ok_or(wrong)?;
            let (begin, own) = sub_axis.unwrap_or((1, size));
            let end = match begin.checked_mul(own) {
                Some(end) if begin > 0 && own > 0 && size % end == 0 => end,
                _ => return Err(wrong),
            };
            if own > 1 {
                product = product.checked_mul(own).ok_or(Kind::Overflow)?;
                parts.push(AxisPart { axis, begin, end });
            }
        }
        Ok(product)
    }
}

fn number(axis: usize) -> i64 {
    i64::try_from(axis).unwrap_or(i64::MAX)
}

fn no_axis(axis: usize) -> Kind {
    Kind::Axis { axis: number(axis) }
}

/// No two parts of an axis share devices.
fn overlaps<'a>(parts: impl Iterator<Item = &'a AxisPart>) -> Result<(), Kind> {
    let mut sorted: Vec<AxisPart> = parts.copied().collect();
    sorted.sort_unstable();
    let shared = |pair: &&[AxisPart]| pair[0].axis == pair[1].axis && pair[1].begin < pair[0].end;
    sorted.windows(2).find(shared).map_or(Ok(()), |pair| {
        let axis = number(pair[0].axis);
        Err(Kind::AxisTwice { axis })
    })
}
