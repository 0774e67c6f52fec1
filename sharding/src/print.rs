//! XLA's text of shardings.

use core::fmt::{Display, Formatter, Result};

use super::{ShardGroup, Sharding, ShardingKind, TileAssignment, Tiling};
use xlayout_shape::words::joined;

/// `[2,4]<=[8]`, `[2,4]<=[4,2]T(1,0)` or `[2,2]0,2,1,3`.
impl Display for TileAssignment {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("[")?;
        joined(f, self.dimensions(), ",")?;
        f.write_str("]")?;
        let Some((reshape_dims, transpose_perm)) = self.iota_dims() else {
            return joined(f, self.device_list().unwrap_or(&[]), ",");
        };
        f.write_str("<=[")?;
        joined(f, reshape_dims, ",")?;
        f.write_str("]")?;
        if transpose_perm.len() > 1 {
            f.write_str("T(")?;
            joined(f, transpose_perm, ",")?;
            f.write_str(")")?;
        }
        Ok(())
    }
}

/// `devices=[2,4]<=[8] last_tile_dim_replicate`
impl Display for Tiling {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "devices={}", self.assignment)?;
        if self.replicate_on_last_tile_dim {
            f.write_str(" last_tile_dim_replicate")?;
        }
        if !self.subgroup_types.is_empty() {
            f.write_str(" last_tile_dims={")?;
            joined(f, self.subgroup_types.iter().map(|t| t.name()), ", ")?;
            f.write_str("}")?;
        }
        Ok(())
    }
}

/// `shard_as 1` or `shard_like 1`
impl Display for ShardGroup {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::As(group) => write!(f, "shard_as {group}"),
            Self::Like(group) => write!(f, "shard_like {group}"),
        }
    }
}

/// What XLA prints (XLA: `HloSharding::ToString`); with `{:#}` the metadata, too
/// (`include_metadata`).
impl Display for Sharding {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("{")?;
        match &self.kind {
            ShardingKind::Replicated => f.write_str("replicated"),
            ShardingKind::Manual => f.write_str("manual"),
            ShardingKind::Unknown => f.write_str("unknown"),
            ShardingKind::Unreduced => f.write_str("unreduced"),
            ShardingKind::Maximal(device) => write!(f, "maximal device={device}"),
            ShardingKind::Tiled(tiling) => tiling.fmt(f),
            ShardingKind::Tuple(elements) => {
                for (k, element) in elements.iter().enumerate() {
                    match k {
                        0 => {}
                        // XLA says the number of every fifth element in a comment.
                        _ if k % 5 == 0 => write!(f, ", /*index={k}*/")?,
                        _ => f.write_str(", ")?,
                    }
                    element.fmt(f)?;
                }
                Ok(())
            }
        }?;
        if let Some(group) = self.shard_group {
            write!(f, " {group}")?;
        }
        if f.alternate() {
            match &self.metadata[..] {
                [] => {}
                [entry] => write!(f, " metadata={{{entry}}}")?,
                entries => {
                    f.write_str(" metadata={")?;
                    for (k, entry) in entries.iter().enumerate() {
                        let comma = if k == 0 { "" } else { ", " };
                        write!(f, "{comma}{{{entry}}}")?;
                    }
                    f.write_str("}")?;
                }
            }
        }
        f.write_str("}")
    }
}
