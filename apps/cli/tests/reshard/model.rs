//! Checkpoints that are divided, divided otherwise and put together again: each element against the
//! model.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Folder, Piece, indices, place, read, safetensors, whole};

/// Each element of each tensor is in the folder once, and is what it was.
fn holds(folder: &Folder, name: &str, tensors: &[Piece]) {
    let mut found: BTreeMap<String, Vec<Option<u32>>> = tensors
        .iter()
        .map(|tensor| (tensor.name.clone(), vec![None; tensor.words.len()]))
        .collect();
    for file in folder
        .names(name)
        .iter()
        .filter(|file| file.ends_with(".safetensors"))
    {
        for piece in read(&folder.path(name).join(file)) {
            let tensor = tensors
                .iter()
                .find(|tensor| tensor.name == piece.name)
                .expect("a known tensor");
            let all = found.get_mut(&piece.name).expect("a known tensor");
            for (index, word) in indices(&piece.sizes).iter().zip(&piece.words) {
                let index: Vec<_> = index
                    .iter()
                    .zip(&piece.origin)
                    .map(|(k, origin)| k + origin)
                    .collect();
                assert!(
                    index.iter().zip(&tensor.sizes).all(|(k, size)| k < size),
                    "{piece:?}"
                );
                let before = all[place(&tensor.sizes, &index)].replace(*word);
                assert_eq!(before, None, "{} has {index:?} twice", piece.name);
            }
        }
    }
    for tensor in tensors {
        let words: Option<Vec<u32>> = found[&tensor.name].iter().copied().collect();
        assert_eq!(words.as_ref(), Some(&tensor.words), "{}", tensor.name);
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text.trim()).expect("JSON")
}

/// Plans, runs each unit in a process of its own, and verifies; each byte is read once.
fn reshard(folder: &Folder, from: &str, to: &str, spec: &str, units: usize) {
    folder.write("spec.toml", spec);
    let words = format!("plan {from} {to} --to spec.toml --units {units} -o {to}.json --json");
    let plan = json(&folder.works(&words));
    assert_eq!(plan["read"], plan["source_bytes"], "{plan}");
    let mut read = 0;
    for unit in (0..units).rev() {
        let done = json(&folder.works(&format!("run {to}.json --unit {unit} --json")));
        assert_eq!(done["read"], done["planned"], "{done}");
        read += done["read"].as_u64().expect("a number");
    }
    assert_eq!(plan["read"], read);
    folder.works(&format!("verify {to}.json"));
    folder.works(&format!("verify {to}.json --checksums"));
}

fn entry(sharding: &str, rank: usize) -> String {
    format!("[[tensor]]\nname = '*'\nrank = {rank}\nsharding = '{sharding}'\n")
}

#[test]
fn there_and_back() {
    let folder = Folder::new();
    let tensors = [
        whole("a.weight", &[12, 10]),
        whole("a.bias", &[13]),
        whole("b.weight", &[3, 4, 5]),
        whole("scalar", &[]),
        whole("nothing", &[0, 4]),
    ];
    folder.write("src/model-1.safetensors", safetensors(&tensors[..2], false));
    folder.write("src/model-2.safetensors", safetensors(&tensors[2..], false));
    let spec = [
        entry("{devices=[2,3]<=[3,2]T(1,0)}", 2),
        entry("{devices=[4]<=[4]}", 1),
        entry("{devices=[1,2,1,3]<=[6] last_tile_dim_replicate}", 3),
    ];
    reshard(&folder, "src", "cut", &spec.concat(), 4);
    holds(&folder, "cut", &tensors);
    assert!(
        folder
            .names("cut")
            .iter()
            .all(|name| name.starts_with("shard-0000"))
    );
    // Other cuts: no part is one of the source.
    let spec = [
        entry("{devices=[5,1]<=[5]}", 2),
        entry("{devices=[3,1,2]<=[6]}", 3),
    ];
    reshard(&folder, "cut", "other", &spec.concat(), 3);
    holds(&folder, "other", &tensors);
    // Whole again, with an index.
    let all = "[[tensor]]\nname = '*'\n";
    reshard(&folder, "other", "back", all, 2);
    holds(&folder, "back", &tensors);
    let index = std::fs::read_to_string(folder.path("back/model.safetensors.index.json")).unwrap();
    let index = json(&index);
    for tensor in &tensors {
        let file = index["weight_map"][&tensor.name].as_str().expect("a file");
        let found = read(&folder.path("back").join(file));
        assert!(found.contains(tensor), "{}", tensor.name);
    }
    // The index is read as well.
    reshard(&folder, "back", "again", all, 1);
    holds(&folder, "again", &tensors);
}

/// Files that do not say which part they have.
#[test]
fn the_specification_says_how_the_source_is_divided() {
    let folder = Folder::new();
    let tensors = [whole("w", &[6, 8]), whole("norm", &[5])];
    let w = &tensors[0];
    for (k, column) in [0, 4].into_iter().enumerate() {
        let pieces = [w.part(&[0, column], &[6, 4]), tensors[1].clone()];
        folder.write(
            &format!("src/rank{k}.safetensors"),
            safetensors(&pieces, false),
        );
    }
    folder.write("spec.toml", "[[tensor]]\nname = '*'\n");
    let said = folder.fails("plan src out --to spec.toml --units 1", 2);
    assert!(
        said.contains("tensor `norm`") && said.contains("from = \"{replicated}\""),
        "{said}"
    );
    let spec = "[[tensor]]\nname = 'w'\nfrom = '{devices=[1,2]<=[2]}'\nsharding = '{devices=[3,1]<=[3]}'\n\
                [[tensor]]\nname = 'norm'\nfrom = '{replicated}'\n";
    reshard(&folder, "src", "out", spec, 2);
    holds(&folder, "out", &tensors);
    let wrong = spec.replace("[1,2]<=[2]", "[1,3]<=[3]");
    folder.write("spec.toml", wrong);
    let said = folder.fails("plan src out2 --to spec.toml --units 1", 2);
    assert!(
        said.contains("3 devices") && said.contains("2 files"),
        "{said}"
    );
}

/// 16 files without zeros before their numbers, which a folder lists as 0, 1, 10, 11, …
#[test]
fn numbers_in_names_are_numbers() {
    let folder = Folder::new();
    let tensor = whole("w", &[32, 3]);
    for rank in 0..16 {
        let piece = tensor.part(&[2 * rank, 0], &[2, 3]);
        folder.write(
            &format!("src/model_world_size_16_rank_{rank}.safetensors"),
            safetensors(&[piece], false),
        );
    }
    let spec = "[[tensor]]\nname = 'w'\nfrom = '{devices=[16,1]<=[16]}'\n";
    reshard(&folder, "src", "out", spec, 2);
    holds(&folder, "out", &[tensor]);
    let said = folder.works("verify out.json");
    for part in [
        "each element is that of the source",
        "assumed, since no file says it: `w` is divided as `from` says",
        "by the numbers in their names: `model_world_size_16_rank_0.safetensors`, \
         `model_world_size_16_rank_1.safetensors`, `model_world_size_16_rank_2.safetensors`, …",
    ] {
        assert!(said.contains(part), "`{part}` is not in\n{said}");
    }
    // A part that is missing.
    std::fs::remove_file(folder.path("src/model_world_size_16_rank_7.safetensors")).unwrap();
    folder.write("spec.toml", spec.replace("16", "15"));
    let said = folder.fails("plan src x --to spec.toml --units 1", 2);
    assert!(
        said.contains("none of its files has the number 7: a part is missing"),
        "{said}"
    );
}

/// A folder for each device, and numbers of which the specification says which one counts most.
#[test]
fn the_specification_says_which_number_counts_most() {
    let folder = Folder::new();
    let tensor = whole("w", &[4, 6]);
    for (tp, pp) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let piece = tensor.part(&[2 * pp, 3 * tp], &[2, 3]);
        folder.write(
            &format!("src/tp_{tp}_pp_{pp}/model.safetensors"),
            safetensors(&[piece], false),
        );
    }
    let spec = "[[tensor]]\nname = 'w'\nfrom = '{devices=[2,2]<=[4]}'\n";
    folder.write("spec.toml", spec);
    let said = folder.fails("plan src out --to spec.toml --units 1", 2);
    let line = "files = 'tp_{1}_pp_{0}/model.safetensors'\n";
    assert!(
        said.contains(&line.trim_end().replace('\'', "\"")),
        "{said}"
    );
    reshard(&folder, "src", "out", &format!("{spec}{line}"), 1);
    holds(&folder, "out", &[tensor]);
}

/// NumPy's files, in the other order and divided.
#[test]
fn arrays_of_numpy() {
    let folder = Folder::new();
    let tensor = whole("w", &[6, 4]);
    let header = |order: &str, sizes: &str| {
        let mut text =
            format!("{{'descr': '<u4', 'fortran_order': {order}, 'shape': ({sizes}), }}");
        text += &" ".repeat(117 - text.len());
        [
            b"\x93NUMPY\x01\x00\x76\x00".as_slice(),
            text.as_bytes(),
            b"\n",
        ]
        .concat()
    };
    let bytes = |words: &[u32]| {
        words
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    folder.write(
        "src/w.npy",
        [header("False", "6, 4"), bytes(&tensor.words)].concat(),
    );
    let spec =
        "[[tensor]]\nname = 'w'\nlayout = 'F'\ntype = 'u32'\nsharding = '{devices=[2,1]<=[2]}'\n";
    reshard(&folder, "src", "out", spec, 2);
    assert_eq!(
        folder.names("out"),
        ["shard-00001-w.npy", "shard-00002-w.npy"]
    );
    for (k, row) in [0, 3].into_iter().enumerate() {
        let file = std::fs::read(folder.path(&format!("out/shard-0000{}-w.npy", k + 1))).unwrap();
        let part = tensor.part(&[row, 0], &[3, 4]);
        let columns: Vec<u32> = (0..12)
            .map(|k| part.words[place(&[3, 4], &[k % 3, k / 3])])
            .collect();
        assert!(
            String::from_utf8_lossy(&file[..128])
                .contains("'fortran_order': True, 'shape': (3, 4)")
        );
        assert_eq!(file[128..], bytes(&columns));
    }
    let spec = "[[tensor]]\nname = 'w'\nlayout = '{1,0}'\nfrom = '{devices=[2,1]<=[2]}'\n";
    reshard(&folder, "out", "back", spec, 1);
    let file = std::fs::read(folder.path("back/w.npy")).unwrap();
    assert_eq!(file[128..], bytes(&tensor.words));
    let spec = "[[tensor]]\nname = 'w'\ntype = 'f32'\n";
    folder.write("spec.toml", spec);
    let said = folder.fails("plan src x --to spec.toml --units 1", 2);
    assert!(
        said.contains("its elements are u32, and the entry says f32"),
        "{said}"
    );
}

/// Elements of 32 bits become those of 16, rounded, divided and tiled; and back, exactly.
#[test]
fn elements_of_another_type() {
    let folder = Folder::new();
    let tensor = whole("w", &[6, 8]);
    let text = |bytes: Vec<u8>, from: &str, to: &str| {
        let length = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
        let header = String::from_utf8(bytes[8..length].to_vec())
            .unwrap()
            .replace(from, to);
        [&bytes[..8], header.as_bytes(), &bytes[length..]].concat()
    };
    // Numbers with many digits, and both zeros.
    let floats: Vec<f32> = (0..48_u8)
        .map(|k| (f32::from(k) - 24.0) / 7.0 * 1.1_f32.powi(i32::from(k)))
        .collect();
    let words = floats.iter().map(|float| float.to_bits()).collect();
    let tensor = Piece { words, ..tensor };
    folder.write(
        "src/model.safetensors",
        text(safetensors(&[tensor], false), "U32", "F32"),
    );
    let cut = "[[tensor]]\nname = 'w'\ntype = 'bf16'\nsharding = '{devices=[2,2]<=[4]}'\n";
    reshard(&folder, "src", "cut", cut, 2);
    let rows = "[[tensor]]\nname = 'w'\ntype = 'f32'\n";
    reshard(&folder, "cut", "back", rows, 1);
    let file = std::fs::read(folder.path("back/model.safetensors")).unwrap();
    let rounded = |float: &f32| {
        let bits = float.to_bits();
        (bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff_0000
    };
    let wanted: Vec<u8> = floats
        .iter()
        .flat_map(|float| rounded(float).to_le_bytes())
        .collect();
    assert_eq!(file[file.len() - wanted.len()..], wanted);
    // Tiles of elements of the other type.
    let tiles =
        "[[tensor]]\nname = 'w'\ntype = 'bf16'\nlayout = '{0,1:T(4,4)(2,1)}'\nopaque = true\n";
    reshard(&folder, "back", "tiled", tiles, 1);
    reshard(&folder, "tiled", "again", rows, 1);
    assert_eq!(
        std::fs::read(folder.path("again/model.safetensors")).unwrap(),
        file
    );
    folder.write("spec.toml", "[[tensor]]\nname = 'w'\ntype = 's32'\n");
    let said = folder.fails("plan src x --to spec.toml --units 1", 2);
    assert!(
        said.contains("its elements are f32, and the entry says s32: only"),
        "{said}"
    );
}

/// Tiles of a TPU, stored as bytes, and back.
#[test]
fn tiles() {
    let folder = Folder::new();
    let tensors = [whole("w", &[20, 300])];
    folder.write("src/model.safetensors", safetensors(&tensors, false));
    let spec =
        "[[tensor]]\nname = 'w'\nlayout = '{1,0:T(8,128)}'\nsharding = '{devices=[2,1]<=[2]}'\n";
    folder.write("spec.toml", spec);
    let said = folder.fails("plan src tiled --to spec.toml --units 1", 2);
    assert!(said.contains("`opaque = true`"), "{said}");
    reshard(
        &folder,
        "src",
        "tiled",
        &format!("{spec}opaque = true\n"),
        2,
    );
    // PyTorch reads `saved_offsets` as places in what it finds, which are bytes: there are none.
    for file in folder.names("tiled") {
        let bytes = std::fs::read(folder.path("tiled").join(file)).unwrap();
        let text = String::from_utf8_lossy(&bytes[..512]).into_owned();
        assert!(
            text.contains("xlayout_offsets") && !text.contains("saved_offsets"),
            "{text}"
        );
    }
    // Each part has padding: what is read is counted with it.
    folder.write(
        "spec.toml",
        "[[tensor]]\nname = 'w'\nsharding = '{devices=[1,2]<=[2]}'\n",
    );
    folder.works("plan tiled back --to spec.toml --units 2 -o plan.json");
    folder.works("run plan.json");
    holds(&folder, "back", &tensors);
    folder.works("verify plan.json");
}

/// What a plan says of its units, and that none of them has much more to do than another one.
#[test]
fn units_are_alike() {
    let folder = Folder::new();
    let tensors: Vec<_> = (0..60)
        .map(|k| whole(&format!("w{k}"), &[16, 16]))
        .collect();
    folder.write("src/model.safetensors", safetensors(&tensors, false));
    folder.write("spec.toml", entry("{devices=[16,1]<=[16]}", 2));
    let plan = json(&folder.works("plan src out --to spec.toml --units 24 --json"));
    assert_eq!(plan["units"], 24);
    assert_eq!(plan["objects"], 24);
    assert_eq!(plan["devices"], 16);
    assert!(plan["spread"].as_f64().expect("a number") < 0.4, "{plan}");
    let text = folder.works("plan src out --to spec.toml --units 24");
    assert!(text.contains("each byte 1.000 times"), "{text}");
    assert!(folder.names("out").is_empty());
}
