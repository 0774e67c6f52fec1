//! Goldens of `xlayout shard`, each looked at. They lie in `shard/`.

use roxmltree::Document;
use serde_json::Value;

use crate::program::{answer, expect_file, refusal, run};

/// Each form in which a sharding is pasted: its golden, its text, and what is given beside it.
const FORMS: [(&str, &str, &[&str]); 14] = [
    ("xla", "{devices=[2,4]<=[8]}", &["f32[1024,512]"]),
    (
        "subgroups",
        "{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}",
        &["bf16[5,7]{1,0:T(8,128)(2,1)}"],
    ),
    ("alone", "{devices=[2,2]<=[4]}", &[]),
    ("replicated", "{replicated}", &["f32[2,3]"]),
    ("maximal", "{maximal device=3}", &["f32[2,3]"]),
    (
        "instruction",
        "%p = f32[16,16,16]{2,1,0} parameter(0), sharding={devices=[2,1,4]<=[4,2]T(1,0)}",
        &[],
    ),
    (
        "attribute",
        "%a: tensor<8x16xf32> {mhlo.sharding = \"{devices=[2,1]<=[2]}\"}",
        &[],
    ),
    (
        "gspmd",
        "GSPMDSharding({devices=[1,8]<=[8]}, memory_kind=device)",
        &["f32[8,16]"],
    ),
    (
        "shardy",
        "sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n\
         %0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {\"y\"}]>}",
        &["f32[8,16]"],
    ),
    (
        "jax",
        "NamedSharding(mesh=Mesh('x': 2, 'y': 2, axis_types=(Auto, Auto)), \
         spec=PartitionSpec('x', None), memory_kind=device)",
        &["f32[8,16]"],
    ),
    (
        "jax_devices",
        "NamedSharding(mesh=Mesh(device_ids=array([[0, 2],\\n       [1, 3]]), \
         axis_names=('x', 'y')), spec=P(None, ('y', 'x')))",
        &["f32[8,16]"],
    ),
    (
        "jax_spec",
        "P('data', unreduced={'model'})",
        &["f32[8,16]", "--mesh", "data=2,model=2"],
    ),
    (
        "torch",
        "DTensorSpec(mesh=DeviceMesh('cuda', [[0, 1], [2, 3]], mesh_dim_names=('dp', 'tp')), \
         placements=(Shard(dim=0), Replicate()), tensor_meta=TensorMeta(shape=torch.Size([8, 16]), \
         stride=(16, 1), dtype=torch.float32))",
        &[],
    ),
    (
        "torch_strided",
        "[_StridedShard(dim=0, split_factor=2), Shard(dim=-2)]",
        &["f32[8,16]", "--mesh", "2x2"],
    ),
];

#[test]
fn every_form_is_explained() {
    for (name, sharding, given) in FORMS {
        let text = answer(&[&["shard", "explain", sharding], given].concat());
        expect_file![format!("shard/{name}.txt")].assert_eq(&text);
        let json = answer(&[&["shard", "explain", sharding, "--json"], given].concat());
        let json: Value = serde_json::from_str(&json).unwrap();
        assert!(json["parts"].is_array(), "{name}");
    }
}

/// What `explain` is asked of a sharding, it answers as `shard explain` does.
#[test]
fn explain_knows_shardings() {
    let whole = answer(&["shard", "explain", "{devices=[2,4]<=[8]}", "f32[1024,512]"]);
    let options = ["--sizes", "1024,512", "--type", "f32"];
    let explained = answer(&[&["explain", "{devices=[2,4]<=[8]}"], &options[..]].concat());
    assert_eq!(explained, whole);
    let behind = "f32[1024,512], sharding={devices=[2,4]<=[8]}";
    assert_eq!(answer(&["explain", behind]), whole);
}

#[test]
fn pictures() {
    for (name, sharding, shape) in [
        ("draw", "{devices=[3,2]<=[6]}", "f32[4,6]"),
        ("draw_slices", "{devices=[2,2,2]<=[8]}", "f32[4,6,8]"),
        ("draw_row", "{devices=[1,4]<=[4]}", "f32[4,6]"),
        ("draw_replicated", "{replicated}", "f32[4,6]"),
        ("draw_many", "{devices=[32,32]<=[1024]}", "f32[64,64]"),
    ] {
        let drawn = answer(&["shard", "draw", sharding, shape]);
        expect_file![format!("shard/{name}.txt")].assert_eq(&drawn);
        let svg = answer(&["shard", "draw", sharding, shape, "--svg", "-"]);
        Document::parse(&svg).unwrap();
    }
}

#[test]
fn what_moves() {
    for (name, a, b, code) in [
        (
            "all_to_all",
            "{devices=[4,1]<=[4]}",
            "{devices=[1,4]<=[4]}",
            1,
        ),
        ("all_gather", "{devices=[2,2]<=[4]}", "{replicated}", 1),
        (
            "permute",
            "{devices=[2,2]<=[4]}",
            "{devices=[2,2]<=[2,2]T(1,0)}",
            1,
        ),
        ("slice", "{replicated}", "{devices=[2,2]<=[4]}", 0),
        ("uneven", "{devices=[3,1]<=[3]}", "{devices=[2,1]<=[2]}", 1),
    ] {
        let output = run(&["shard", "diff", a, b, "f32[16,8]"]);
        assert_eq!(output.status.code(), Some(code), "{name}");
        let text = String::from_utf8(output.stdout).unwrap();
        expect_file![format!("shard/diff_{name}.txt")].assert_eq(&text);
    }
    let both = [
        "shard",
        "diff",
        "{devices=[4,1]<=[4]}",
        "{devices=[1,4]<=[4]}",
        "f32[16,8]",
    ];
    let json = run(&[&both[..], &["--json"]].concat());
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["received_bytes"], 4 * 96);
    let svg = run(&[&both[..], &["--svg", "-"]].concat());
    Document::parse(&String::from_utf8(svg.stdout).unwrap()).unwrap();
}

/// Each mistake says what is wrong, where, and what to write.
#[test]
fn mistakes() {
    let mut all = String::new();
    for words in [
        &["explain", "hello world"][..],
        &["explain", "{devices=[2,2]<=[4]}", "f32[16]"],
        &["explain", "{manual}", "f32[2]"],
        &["explain", "{{replicated}, {replicated}}"],
        &["explain", "PartitionSpec('x', None)", "f32[8,16]"],
        &["explain", "P('x', 'w')", "f32[8,16]", "--mesh", "x=2,y=2"],
        &["explain", "P(P.UNCONSTRAINED)", "f32[8]", "--mesh", "x=2"],
        &["explain", "P('x')", "f32[8]", "--mesh", "x"],
        &["explain", "#sdy.sharding<@mesh, [{\"x\"}]>", "f32[8]"],
        &["explain", "[Shard(dim=0)]", "f32[8]", "--mesh", "2,2"],
        &["explain", "[Shard(dim=2)]", "f32[8]", "--mesh", "2"],
        &[
            "explain",
            "(Shard(dim=0), Shard(dim=0))",
            "f32[10]",
            "--mesh",
            "2,2",
        ],
        &["explain", "{devices=[131072]<=[131072]}"],
        &["explain", "{replicated}", "--top", "few"],
        &["diff", "{devices=[2]<=[2]}", "{replicated}"],
        &["diff", "{unreduced}", "{replicated}", "f32[8]"],
    ] {
        all += &refusal(&[&["shard"], words].concat());
        all += "\n";
    }
    expect_file!["shard/mistakes.txt"].assert_eq(&all);
}
