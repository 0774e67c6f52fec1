//! Texts of shardings, as XLA, Shardy, JAX and PyTorch write them, with a mesh and an array: nothing
//! panics, and what is read is shown in every way.
#![no_main]

use libfuzzer_sys::fuzz_target;
use xlayout_view::{Moves, ShardedArray};

/// What stands around the text.
const AROUND: [(&str, &str); 15] = [
    ("", ""),
    ("{devices=", "}"),
    ("P(", ")"),
    ("NamedSharding(mesh=Mesh(", "), spec=P('x'))"),
    ("[Shard(", "), Replicate()]"),
    ("In [1]: x.sharding\nOut[1]: PositionalSharding([[", "]])"),
    ("xs.mark_sharding(x, mesh, (", "))"),
    ("m = xs.Mesh(range(4), (", "))\nNamedSharding(m, P('x'))"),
    (
        "m = jax.make_mesh((",
        "), ('x', 'y'))\nB, C = 4, 6\ny = reshard(x, P('x', None))",
    ),
    (
        "NamedSharding(mesh={'x': 2}, partition_spec=PartitionSpec(",
        "))",
    ),
    ("from {devices=[2,2]<=[4]} to {devices=", "} for"),
    ("DeviceMesh(", ") [Shard(dim=0), Shard(1)]"),
    ("#sdy.sharding<@mesh, [", "]>"),
    ("f32[4,6], sharding={", "}"),
    ("%a: tensor<4x6xf32> {mhlo.sharding = \"{", "}\"}"),
];

fuzz_target!(|input: (u8, u8, &str)| {
    let (around, mesh, text) = input;
    let (before, behind) = AROUND[usize::from(around) % AROUND.len()];
    let mesh = ["2,2", "x=2,y=3", "x=4"][usize::from(mesh) % 3];
    let text = format!("{before}{text}{behind}");
    let read = |array| ShardedArray::read(&text, array, Some(mesh)).ok();
    for array in [None, Some("f32[5,7]{0,1}")] {
        let Some(sharded) = read(array) else {
            continue;
        };
        let _ = (sharded.to_string(), sharded.to_json(), sharded.to_svg());
        let _ = sharded.picture_text(60, None);
        let whole = ShardedArray::read("{replicated}", array, None).expect("it fits any array");
        if let Ok(moves) = Moves::between(sharded, whole) {
            let _ = (moves.to_string(), moves.to_json(), moves.to_svg());
        }
    }
});
