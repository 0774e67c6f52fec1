//! The bytes of shardings, in both directions.

use serde_json::Value;
use xlayout_proto::Proto;
use xlayout_sharding::Sharding;

use super::{Check, from_hex, same, text, to_hex};

/// XLA takes tiles on one device for a replicated sharding, in protos only.
pub(super) fn bytes(case: &Value, hex: &str) -> Check {
    let written = text(case, "t")?;
    let sharding: Sharding = written
        .parse()
        .map_err(|error| format!("reading `{written}`: {error}"))?;
    same(
        &format!("bytes of `{written}`"),
        hex,
        &to_hex(&sharding.to_proto_bytes()),
    )?;
    let read = Sharding::from_proto_bytes(&from_hex(hex)?)
        .map_err(|error| format!("reading {hex}: {error}"))?;
    let expected = match sharding.as_tiled() {
        Some(tiles) if tiles.tile_assignment().num_devices() == 1 => &Sharding::replicated(),
        _ => &sharding,
    };
    same("what the bytes hold", expected, &read)?;
    same(
        "metadata in the bytes",
        sharding.metadata(),
        read.metadata(),
    )
}
