//! Shardings of meshes against what the texts mean, element by element.

use proptest::prelude::*;
use serde_json::Value;

use super::{Moves, ShardedArray};

/// How an array of two dimensions is divided: the axes of a mesh, and for each dimension the axes
/// that cut it, most major first.
#[derive(Clone, Debug)]
struct Case {
    mesh: Vec<i64>,
    cuts: [Vec<usize>; 2],
    sizes: [i64; 2],
}

fn case() -> impl Strategy<Value = Case> {
    let mesh = prop::collection::vec(1..=3_i64, 1..=3);
    (
        mesh,
        prop::collection::vec(0..3_usize, 3),
        [1..=9_i64, 1..=9_i64],
        any::<bool>(),
    )
        .prop_map(|(mesh, of_axis, sizes, reversed)| {
            let mut cuts = [Vec::new(), Vec::new()];
            for (axis, &dimension) in of_axis.iter().enumerate().take(mesh.len()) {
                if let Some(cut) = cuts.get_mut(dimension) {
                    cut.push(axis);
                }
            }
            if reversed {
                cuts.iter_mut().for_each(|cut| cut.reverse());
            }
            Case { mesh, cuts, sizes }
        })
}

impl Case {
    fn devices(&self) -> i64 {
        self.mesh.iter().product()
    }

    /// The coordinate of a device along an axis of the row-major mesh.
    fn coordinate(&self, device: i64, axis: usize) -> i64 {
        let minor: i64 = self.mesh[axis + 1..].iter().product();
        device / minor % self.mesh[axis]
    }

    /// Whether a device holds an element: each dimension is cut into blocks of equal size, the last
    /// ones smaller, and the number of a device's block counts the axes in their sequence.
    fn holds(&self, device: i64, index: [i64; 2]) -> bool {
        (0..2).all(|dimension| {
            let axes = &self.cuts[dimension];
            let blocks: i64 = axes.iter().map(|&axis| self.mesh[axis]).product();
            let number = axes.iter().fold(0, |number, &axis| {
                number * self.mesh[axis] + self.coordinate(device, axis)
            });
            let block = (self.sizes[dimension] + blocks - 1) / blocks;
            index[dimension] / block == number
        })
    }

    fn shape(&self) -> String {
        format!("s16[{},{}]", self.sizes[0], self.sizes[1])
    }

    fn jax(&self) -> String {
        let names = ["'x'", "'y'", "'z'"];
        let axes = self.mesh.iter().zip(names);
        let axes: Vec<String> = axes.map(|(size, name)| format!("{name}: {size}")).collect();
        let cut = |axes: &[usize]| {
            let names: Vec<&str> = axes.iter().map(|&axis| names[axis]).collect();
            format!("({},)", names.join(", ")).replace("(,)", "None")
        };
        format!(
            "NamedSharding(mesh=Mesh({}), spec=PartitionSpec({}, {}))",
            axes.join(", "),
            cut(&self.cuts[0]),
            cut(&self.cuts[1])
        )
    }

    /// As Orbax writes it beside a checkpoint.
    fn orbax(&self) -> String {
        let names = &["x", "y", "z"][..self.mesh.len()];
        let cuts = self.cuts.each_ref().map(|axes| {
            let names: Vec<&str> = axes.iter().map(|&axis| names[axis]).collect();
            serde_json::json!(Some(names).filter(|names| !names.is_empty()))
        });
        let devices = (0..self.devices()).map(|id| serde_json::json!({ "id": id }));
        let devices: Vec<Value> = devices.collect();
        serde_json::json!({
            "sharding_type": "NamedSharding", "shape": self.mesh, "axis_names": names,
            "partition_spec": cuts, "device_mesh": { "mesh": devices },
        })
        .to_string()
    }

    fn shardy(&self) -> String {
        let axes = self.mesh.iter().enumerate();
        let axes: Vec<String> = axes.map(|(k, size)| format!("\"a{k}\"={size}")).collect();
        let cut = |axes: &[usize]| {
            let names: Vec<String> = axes.iter().map(|axis| format!("\"a{axis}\"")).collect();
            format!("{{{}}}", names.join(", "))
        };
        format!(
            "sdy.mesh @m = <[{}]> #sdy.sharding<@m, [{}, {}]>",
            axes.join(", "),
            cut(&self.cuts[0]),
            cut(&self.cuts[1])
        )
    }

    /// PyTorch names for each axis the dimension; its axes cut in the sequence of the mesh.
    fn torch(&self) -> String {
        let placement = |axis: usize| {
            let dimension = self.cuts.iter().position(|axes| axes.contains(&axis));
            dimension.map_or("Replicate()".to_owned(), |d| format!("Shard(dim={d})"))
        };
        let all: Vec<String> = (0..self.mesh.len()).map(placement).collect();
        format!("[{}]", all.join(", "))
    }

    fn mesh_option(&self) -> String {
        let sizes: Vec<String> = self.mesh.iter().map(ToString::to_string).collect();
        sizes.join(",")
    }

    /// Compares the parts that were read with the definition.
    fn check(&self, sharded: &ShardedArray) {
        let parts = sharded.to_json()["parts"].clone();
        let parts = parts.as_array().expect("a list");
        for device in 0..self.devices() {
            let held_by = |part: &&Value| {
                let devices = part["devices"].as_array().expect("a list");
                devices.is_empty() || devices.contains(&device.into())
            };
            let part = parts.iter().find(held_by).expect("each device has a part");
            for i in 0..self.sizes[0] {
                for j in 0..self.sizes[1] {
                    let inside = [i, j].iter().enumerate().all(|(d, &at)| {
                        let range = &part["ranges"][d];
                        range[0].as_i64() <= Some(at) && Some(at) < range[1].as_i64()
                    });
                    assert_eq!(
                        inside,
                        self.holds(device, [i, j]),
                        "{self:?} {device} {i} {j}"
                    );
                }
            }
        }
    }
}

/// Whether PyTorch, which cuts parts again, has the parts of XLA.
fn is_even(case: &Case) -> bool {
    (0..2).all(|d| {
        let blocks: i64 = case.cuts[d].iter().map(|&axis| case.mesh[axis]).product();
        case.sizes[d] % blocks == 0
    })
}

proptest! {
    #[test]
    fn texts_mean_what_they_say(case in case()) {
        let shape = case.shape();
        for text in [case.jax(), case.orbax(), case.shardy()] {
            let sharded = ShardedArray::read(&text, Some(&shape), None).map_err(|error| {
                TestCaseError::fail(format!("{text}: {error}"))
            })?;
            case.check(&sharded);
            let again = sharded.to_json()["sharding"].as_str().expect("a text").to_owned();
            case.check(&ShardedArray::read(&again, Some(&shape), None).expect("XLA's text"));
        }
        let mut in_sequence = case.clone();
        in_sequence.cuts.iter_mut().for_each(|cut| cut.sort_unstable());
        let read = ShardedArray::read(&case.torch(), Some(&shape), Some(&case.mesh_option()));
        match read {
            Ok(sharded) => in_sequence.check(&sharded),
            Err(error) => prop_assert!(!is_even(&case), "{error}"),
        }
    }

    /// A device receives the elements that it holds at the end, and did not at the beginning.
    #[test]
    fn moves_are_elements_that_were_elsewhere(
        a in case(),
        to in prop::collection::vec(0..3_usize, 3),
    ) {
        let mut b = a.clone();
        b.cuts = [Vec::new(), Vec::new()];
        for (axis, &dimension) in to.iter().enumerate().take(b.mesh.len()) {
            if let Some(cut) = b.cuts.get_mut(dimension) {
                cut.push(axis);
            }
        }
        let shape = a.shape();
        let read = |case: &Case| ShardedArray::read(&case.jax(), Some(&shape), None).expect("it fits");
        let moves = Moves::between(read(&a), read(&b)).expect("one array").to_json();
        let of_device = |device: i64| {
            let indices = (0..a.sizes[0]).flat_map(|i| (0..a.sizes[1]).map(move |j| [i, j]));
            let received = indices.filter(|&index| b.holds(device, index) && !a.holds(device, index));
            2 * received.count() as u64
        };
        let received: Vec<u64> = (0..a.devices()).map(of_device).collect();
        let received_bytes: Vec<u64> = moves["devices"].as_array().expect("a list").iter().map(|device| {
            device["received_bytes"].as_u64().expect("a number")
        }).collect();
        // Of two replicated arrays no text says the devices.
        if received_bytes.is_empty() {
            prop_assert!(received.iter().all(|&bytes| bytes == 0));
        } else {
            prop_assert_eq!(received_bytes, received.clone());
        }
        prop_assert_eq!(moves["received_bytes"].as_u64(), Some(received.iter().sum()));
    }

    /// No text makes it panic, and no picture of what it reads.
    #[test]
    fn no_text_panics(text in "[\\[({<@#'\"a-zA-Z0-9_=:,. \\])}>-]{0,60}") {
        for text in [text.clone(), format!("P({text})"), format!("[Shard({text})]"), format!("{{{text}")] {
            if let Ok(sharded) = ShardedArray::read(&text, None, Some("2,2")) {
                let _ = sharded.to_string();
                let _ = sharded.picture_text(40, None);
                let _ = sharded.to_svg();
            }
        }
    }
}

/// Sizes that are 0, or whose product no number holds, are mistakes.
#[test]
fn meshes_without_a_number_of_devices() {
    let huge = i64::MAX;
    for text in [
        format!("NamedSharding(mesh=Mesh('x': {huge}, 'y': {huge}), spec=P('x'))"),
        "NamedSharding(mesh=Mesh('x': 0, 'y': 2), spec=P('x'))".to_owned(),
        "NamedSharding(mesh=Mesh(axis_sizes=(2,), axis_names=('x', 'y')), spec=P('y'))".to_owned(),
        "DeviceMesh((a=0, b=2, c=2), 'cpu') [Shard(0), Shard(0), Shard(0)]".to_owned(),
    ] {
        assert!(
            ShardedArray::read(&text, Some("f32[8]"), None).is_err(),
            "{text}"
        );
    }
    for mesh in [
        "Mesh(shape=(n, 2), axis_names=('x', 'y'))",
        "make_mesh((n, 2), ('x', 'y'))",
    ] {
        let text = format!("m = {mesh}\nNamedSharding(m, P('y'))");
        let error = ShardedArray::read(&text, Some("f32[8]"), None).expect_err(&text);
        assert!(error.to_string().contains("the value of `n`"), "{error}");
    }
    let mesh = format!("{huge},{huge}");
    assert!(ShardedArray::read("[Shard(0), Shard(0)]", Some("f32[8]"), Some(&mesh)).is_err());
}

/// One small text of each form that people paste, and what a device holds of the array.
#[test]
fn what_people_paste() {
    for (text, array, each) in [
        (
            "In [8]: print(x.sharding)\nPositionalSharding([[{CPU 0} {CPU 1}]])",
            "f32[4,6]",
            "f32[4,3]",
        ),
        (
            "PositionalSharding([[{TPU 0, 2}]\n                    [{TPU 1, 3}]])",
            "f32[4,6]",
            "f32[2,6]",
        ),
        ("PositionalSharding([[0 1] [2 3]])", "f32[4,6]", "f32[2,3]"),
        (
            ">>> x.sharding\nGSPMDSharding({devices=[1,2]<=[2]})",
            "f32[4,6]",
            "f32[4,3]",
        ),
        (
            "OpShardingSharding({devices=[1,2]0,1})",
            "f32[4,6]",
            "f32[4,3]",
        ),
        (
            "E0531 a.cc:569] to {devices=[2,1]<=[2]} without a copy",
            "f32[4,6]",
            "f32[2,6]",
        ),
        (
            "xs.mark_sharding(t, mesh, ('y', None))",
            "f32[4,6]",
            "f32[2,6]",
        ),
        ("xs.mark_sharding(t, mesh, (0, 1))", "f32[4,6]", "f32[2,3]"),
        (
            "partition_spec = ('x', None)\nxs.mark_sharding(t, mesh, partition_spec)",
            "f32[4,6]",
            "f32[2,6]",
        ),
        ("x: (Shard(1), Replicate())", "f32[4,6]", "f32[4,3]"),
        (
            "%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\"}, {}]>}) -> tensor<4xf32>",
            "",
            "f32[2,6]",
        ),
        (
            "sdy.mesh @m = <[\"x\"=3]>\n%0 = sdy.sharding_constraint %a <@m, [{}, {\"x\", ?}]> : tensor<4x6xf32>",
            "",
            "f32[4,2]",
        ),
        (
            "@m2= <\"x\"=2>\n@m= <\"x\"=3>\n%a : tensor<4x6xf32> {sdy.sharding=<@m, [{}, {\"x\"}]>}",
            "",
            "f32[4,2]",
        ),
        (
            "The mesh given has shape (1, 2) with corresponding axis names ('a', 'b').\n\nin_specs[0] of \
             value PartitionSpec(('a', 'b'), None), which maps",
            "f32[4,6]",
            "f32[2,6]",
        ),
        // What makes a mesh: devices in sequence, sizes, and names.
        (
            "m = xs.Mesh(range(8), (4, 2), ('a', 'b'))\nxs.mark_sharding(t, m, (None, 'b'))",
            "f32[4,6]",
            "f32[4,3]",
        ),
        (
            "xs.Mesh(range(4), (4,))\nxs.mark_sharding(t, m, (0, None))",
            "f32[4,6]",
            "f32[1,6]",
        ),
        (
            "m = jax.make_mesh((4, 3), ('a', 'b'), axis_types=(Auto, Auto))\nNamedSharding(m, P('a', 'b'))",
            "f32[4,6]",
            "f32[1,2]",
        ),
        (
            "init_device_mesh('cuda', (1, 3))\nf(x, [Replicate(), Shard(1)])",
            "f32[4,6]",
            "f32[4,2]",
        ),
        (
            "DeviceMesh('cuda', [0, 1, 2]) [Shard(1)]",
            "f32[4,6]",
            "f32[4,2]",
        ),
        (
            "sharding=\"#sdy.sharding<@mesh, [{\\\"x\\\"}, {}]>\"",
            "f32[4,6]",
            "f32[2,6]",
        ),
        (
            "@Sharding(%a) {mhlo.sharding = \"{devices=[1,2]<=[2]}\"} : (tensor<4x6xf32>) -> tensor<4x6xf32>",
            "",
            "f32[4,3]",
        ),
        // A program, of which the calls are read, and its names that `--mesh` says.
        (
            "m = xs.Mesh(ids, (1, 3), ('a', 'b'))\ny = x @ x.T  # both\nxs.mark_sharding(y, m, (None, 'b'))",
            "f32[4,6]",
            "f32[4,2]",
        ),
        (
            "m = jax.make_mesh((count,), ('x',))\nNamedSharding(m, P('x'))",
            "f32[4,6]",
            "f32[2,6]",
        ),
        (
            "```python\nm = jax.make_mesh((2,), ('S'))\nB, D = 4, 6\ny = reshard(x, P('S', None))\n```",
            "f32[4,6]",
            "f32[2,6]",
        ),
        (
            "NamedSharding(mesh={'dev': 2}, partition_spec=PartitionSpec(('dev',),))",
            "f32[4,6]",
            "f32[2,6]",
        ),
        ("```\nP(None, y)\n```", "f32[4,6]", "f32[4,3]"),
        (
            "(_StridedShard(0, split_factor=2), Shard(0))",
            "f32[4,6]",
            "f32[1,6]",
        ),
        (
            "%a: tensor<2xf32>, %b: tensor<4x6xf32> {mhlo.sharding = \"{devices=[2,1]<=[2]}\"}",
            "",
            "f32[2,6]",
        ),
    ] {
        let array = Some(array).filter(|array| !array.is_empty());
        let read = ShardedArray::read(text, array, Some("x=2,y=2"));
        let sharded = read.unwrap_or_else(|error| panic!("{text}: {error}"));
        let tile = sharded.tile.expect(text).to_string();
        assert_eq!(tile.split('{').next(), Some(each), "{text}");
    }
    for (text, word) in [
        ("(S(1), S(1)) -> (S(1), S(2))", "several shardings"),
        (
            "from {devices=[4,1]<=[4]} to {devices=[2,2]<=[4]}",
            "shard diff",
        ),
        (
            "%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}, %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\"}]>}",
            "several",
        ),
        (
            "PositionalSharding(devices).reshape(1, 4)",
            "print(x.sharding)",
        ),
        ("PositionalSharding([[{CPU 0} {CPU 1, 2}]])", "grid"),
        (
            "sharding(2,1)",
            "xlayout shard explain '{devices=[2,1]<=[2]}' SHAPE",
        ),
        (
            "sharding(2,1,8)",
            "xlayout shard explain '{devices=[2,1,8]<=[16] last_tile_dim_replicate}' SHAPE",
        ),
        (
            "NamedSharding(mesh, (:x, nothing))",
            "\"P(None, 'x')\" SHAPE",
        ),
        (
            "[Shard(0), Shard(1)], shard_order={0: [1]}",
            "the sequence in which axes cut",
        ),
        ("┌───┐\n│ 0 │\n└───┘", "picture"),
        ("mesh.annotate %a {sharding = [[0]]}", "mesh dialect"),
        ("NamedSharding(m, P(*names))", "the value of `*names`"),
        ("NamedSharding(m, P(data, 'y'))", "the value of `data`"),
        (
            "xs.mark_sharding(a, m, ('x', None))\nxs.mark_sharding(b, m, (None, 'x'))",
            "several shardings",
        ),
        (
            "m = jax.make_mesh((2,), ('x',))\nshard_map(f, mesh=m, in_specs=(P('x'), P(None)))",
            "several shardings",
        ),
        (
            "m = DeviceMesh([[0, 1], [2, 3]], ('x', 'y'))",
            "not what it divides",
        ),
    ] {
        let error = ShardedArray::read(text, Some("f32[4,6]"), Some("x=2,y=2"));
        let error = error.expect_err(text).to_string();
        assert!(error.contains(word), "{text}: {error}");
    }
}
