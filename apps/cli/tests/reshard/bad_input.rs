//! Files, specifications and plans that are wrong: the error names them, and nothing is written.

use super::{Folder, safetensors, whole};

fn prepared() -> Folder {
    let folder = Folder::new();
    let tensors = [whole("a", &[4, 4]), whole("b", &[8])];
    folder.write("src/one.safetensors", safetensors(&tensors[..1], false));
    folder.write("src/two.safetensors", safetensors(&tensors[1..], false));
    folder.write("spec.toml", "[[tensor]]\nname = '*'\n");
    folder
}

const PLAN: &str = "plan src out --to spec.toml --units 2 -o plan.json";

fn refused(folder: &Folder, words: &str, code: i32, parts: &[&str]) {
    let said = folder.fails(words, code);
    for part in parts {
        assert!(said.contains(part), "`{part}` is not in\n{said}");
    }
    assert!(folder.names("out").is_empty());
}

#[test]
fn sources() {
    let folder = prepared();
    let bytes = std::fs::read(folder.path("src/two.safetensors")).unwrap();
    folder.write("src/two.safetensors", &bytes[..bytes.len() - 4]);
    refused(
        &folder,
        PLAN,
        3,
        &["two.safetensors", "tensor `b`", "cut short"],
    );
    let text = String::from_utf8_lossy(&safetensors(&[whole("b", &[2]), whole("c", &[2])], false))
        .replace("[8,16]", "[4,12]");
    folder.write("src/two.safetensors", text.as_bytes());
    refused(&folder, PLAN, 3, &["two.safetensors"]);
    std::fs::remove_file(folder.path("src/two.safetensors")).unwrap();
    folder.write(
        "src/model.safetensors.index.json",
        r#"{"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}}"#,
    );
    refused(
        &folder,
        PLAN,
        3,
        &["two.safetensors", "no such file", "index.json` names it"],
    );
    folder.write(
        "src/two.safetensors",
        safetensors(&[whole("c", &[2])], false),
    );
    refused(&folder, PLAN, 3, &["tensor `b`", "does not have it"]);
    refused(
        &folder,
        "plan nowhere out --to spec.toml --units 1",
        3,
        &["nowhere"],
    );
    let same = "plan src src/. --to spec.toml --units 1 --force";
    refused(&folder, same, 2, &["`src/.` is the folder that is read"]);
    folder.write("empty/readme", "");
    refused(
        &folder,
        "plan empty out --to spec.toml --units 1",
        3,
        &["neither safetensors nor"],
    );
}

#[test]
fn parts_that_do_not_fit() {
    let folder = Folder::new();
    let tensor = whole("a", &[4, 4]);
    folder.write("spec.toml", "[[tensor]]\nname = '*'\n");
    let halves = |second: usize| {
        [
            tensor.part(&[0, 0], &[2, 4]),
            tensor.part(&[second, 0], &[2, 4]),
        ]
    };
    let write = |pieces: [super::Piece; 2]| {
        for (k, piece) in pieces.into_iter().enumerate() {
            folder.write(&format!("src/{k}.safetensors"), safetensors(&[piece], true));
        }
    };
    write(halves(1));
    refused(
        &folder,
        PLAN,
        2,
        &[
            "tensor `a`",
            "[1..2, 0..4] twice",
            "`0.safetensors`, `1.safetensors`",
        ],
    );
    let mut gap = halves(2);
    gap[1].origin = vec![3, 0];
    write(gap);
    refused(&folder, PLAN, 2, &["tensor `a`", "16 of 20 elements"]);
    let mut far = halves(2);
    far[1].origin = vec![usize::MAX, 0];
    write(far);
    refused(&folder, PLAN, 3, &["tensor `a`", "1.safetensors"]);
}

#[test]
fn specifications() {
    let folder = prepared();
    for (spec, parts) in [
        (
            "[[tensor]]\nname = 'c*'\n",
            &["this entry is for no tensor", "spec.toml:2"][..],
        ),
        (
            "[[tensor]]\nname = 'c*'\n",
            &["write `optional = true` in it"],
        ),
        (
            "[[tensor]]\nname = 'a'\nfiles = 'r{0}'\n",
            &["spec.toml:3", "write `from`, too"],
        ),
        (
            "[[tensor]]\nname = 'a'\nfrom = '{replicated}'\nfiles = 'r{1}'\n",
            &["spec.toml:4", "`{0}`, `{1}`, …, each once"],
        ),
        (
            "[[tensor]]\nname = 'a'\nsharding = '{devices=[2]<=[2]}'\n",
            &["tensor `a`", "cuts 1 dimension"],
        ),
        (
            "[[tensor]]\nname = 'a'\nsharding = '{manual}'\n",
            &["tensor `a`", "does not say which elements"],
        ),
        (
            "[[tensor]]\nname = 'a'\nlayout = '{0,1}'\n",
            &["tensor `a`", "row-major"],
        ),
        (
            "[[tensor]]\nname = 'a'\nlayout = '{2,1,0}'\n",
            &["tensor `a`"],
        ),
        (
            "[[tensor]]\nname = 'a'\nlayout = 'NCHW16c'\n",
            &["tensor `a`", "TVM"],
        ),
        (
            "[[tensor]]\nname = 'a'\nlayout = '{1,0:T(8,128'\n",
            &["spec.toml:3", "^"],
        ),
        ("[[tensor]\n", &["spec.toml:1"]),
    ] {
        folder.write("spec.toml", spec);
        refused(&folder, PLAN, 2, parts);
    }
}

/// An entry may be for no tensor if it says so, and tensors may be left out.
#[test]
fn entries_for_no_tensor_and_tensors_that_are_left_out() {
    let folder = prepared();
    let spec = "[[tensor]]\nname = 'c*'\noptional = true\n[[tensor]]\nname = 'b'\nskip = true\n";
    folder.write("spec.toml", spec);
    let said = folder.works(PLAN);
    assert!(
        said.contains("left out, as the specification says: 1 tensor"),
        "{said}"
    );
    folder.works("run plan.json");
    folder.works("verify plan.json");
    let written: Vec<_> = (folder.names("out").iter())
        .flat_map(|name| super::read(&folder.path("out").join(name)))
        .collect();
    assert_eq!(written, [whole("a", &[4, 4])]);
}

/// One tensor has elements that XLA does not have: the others are read, it only if it is left out.
#[test]
fn a_type_that_is_not_known() {
    let folder = prepared();
    let mut bytes = safetensors(&[whole("b", &[8]), whole("c", &[2])], false);
    let at = bytes.windows(3).position(|word| word == b"U32").unwrap();
    bytes[at..at + 3].copy_from_slice(b"F99");
    folder.write("src/two.safetensors", &bytes);
    let help = [
        "type \"F99\" of tensor `b`",
        "`name = \"b\"` and `skip = true`",
    ];
    refused(&folder, PLAN, 3, &help);
    folder.write(
        "spec.toml",
        "[[tensor]]\nname = 'b'\nskip = true\n[[tensor]]\nname = '*'\n",
    );
    folder.works(PLAN);
    folder.works("run plan.json");
    folder.works("verify plan.json");
    let mut written: Vec<_> = (folder.names("out").iter())
        .filter(|name| name.ends_with(".safetensors"))
        .flat_map(|name| super::read(&folder.path("out").join(name)))
        .collect();
    written.sort_by_key(|tensor| tensor.name.clone());
    assert_eq!(written, [whole("a", &[4, 4]), whole("c", &[2])]);
    let convert = |more: &[&str]| {
        let words = [&["convert", "src/two.safetensors", "c.safetensors"], more].concat();
        crate::program::command(&words)
            .current_dir(folder.path(""))
            .output()
            .unwrap()
    };
    let said = String::from_utf8(convert(&[]).stderr).unwrap();
    assert!(
        said.contains("other tensors can be read, one at a time: `--tensor` `c`"),
        "{said}"
    );
    assert!(convert(&["--tensor", "c"]).status.success());
    assert!(!convert(&["--tensor", "b", "--force"]).status.success());
}

/// What the specification says of the source, and the files do not have.
#[test]
fn files_that_are_not_divided_as_from_says() {
    let folder = Folder::new();
    let tensor = whole("a", &[4, 4]);
    let parts = [[0, 0], [0, 2], [2, 0], [2, 2]];
    for (k, origin) in parts.iter().enumerate() {
        let piece = tensor.part(origin, &[2, 2]);
        folder.write(
            &format!("src/{k}.safetensors"),
            safetensors(&[piece], false),
        );
    }
    for (from, part) in [
        // Device 0 and 1 have the last part, so that the parts are in another sequence than the
        // devices.
        (
            "{devices=[2,2,2]7,6,5,4,3,2,1,0 last_tile_dim_replicate}",
            "write `from` with 4 devices, one for each file",
        ),
        ("{maximal device=3}", "only device 3 has it"),
        ("{devices=[4,2]<=[8]}", "8 devices with 8 different parts"),
    ] {
        folder.write(
            "spec.toml",
            format!("[[tensor]]\nname = 'a'\nfrom = '{from}'\n"),
        );
        refused(&folder, PLAN, 2, &["tensor `a`", part]);
    }
    // Parts of different sizes are not the same.
    folder.write(
        "src/3.safetensors",
        safetensors(&[tensor.part(&[2, 2], &[1, 2])], false),
    );
    folder.write(
        "spec.toml",
        "[[tensor]]\nname = 'a'\nfrom = '{replicated}'\n",
    );
    refused(
        &folder,
        PLAN,
        2,
        &["all its files have the same", "`[2,2]`", "`[1,2]`"],
    );
    // Files that say themselves which part they have, and not that of `from`.
    for (k, origin) in parts.iter().enumerate() {
        let piece = tensor.part(origin, &[2, 2]);
        folder.write(&format!("src/{k}.safetensors"), safetensors(&[piece], true));
    }
    folder.write(
        "spec.toml",
        "[[tensor]]\nname = 'a'\nfrom = '{devices=[4,1]<=[4]}'\n",
    );
    refused(&folder, PLAN, 2, &["say themselves", "leave `from` out"]);
}

#[test]
fn plans() {
    let folder = prepared();
    folder.works(PLAN);
    let plan = std::fs::read_to_string(folder.path("plan.json")).unwrap();
    for (from, to, parts) in [
        ("\"at\":0", "\"at\":8", &["begins at 8"][..]),
        (
            "u32[4,4]{1,0}\",\"origin\":[0,0],\"at\"",
            "u32[4,5]{1,0}\",\"origin\":[0,0],\"at\"",
            &["tensor `a`", "16 of 20 elements"],
        ),
        (
            "\"name\":\"model-",
            "\"name\":\"../model-",
            &["no name of an object"],
        ),
        (
            "\"tensor\":\"a\",",
            "",
            &["a tensor of `model-", "has no name"],
        ),
        ("\"file\":0", "\"file\":7", &["no file 7"]),
        ("\"xlayout_plan\":1", "\"xlayout_plan\":9", &["version 9"]),
        ("\"units\"", "\"unit\"", &["is no plan", "`unit`"]),
        ("\"units\":2", "\"units\":3", &["is no plan", "EOF"]),
        ("\"units\":2", "\"units\":1", &["is no plan", "trailing"]),
    ] {
        assert!(plan.contains(from), "{from} is not in {plan}");
        folder.write("plan.json", plan.replace(from, to));
        refused(&folder, "run plan.json", 3, parts);
    }
    folder.write("plan.json", &plan);
    refused(&folder, "run src", 3, &["cannot read `src`", "folder"]);
    refused(
        &folder,
        "run plan.json --unit 2",
        2,
        &["no unit 2", "2 units"],
    );
    // A file of another length, and one with another header.
    let bytes = std::fs::read(folder.path("src/one.safetensors")).unwrap();
    folder.write("src/one.safetensors", [&bytes[..], &[0; 4]].concat());
    refused(
        &folder,
        "run plan.json",
        3,
        &[
            "one.safetensors` is not the file that was planned",
            "tensor `a`",
        ],
    );
    let other = String::from_utf8_lossy(&bytes[..30]).replace("U32", "I32");
    folder.write(
        "src/one.safetensors",
        [other.as_bytes(), &bytes[30..]].concat(),
    );
    refused(
        &folder,
        "run plan.json",
        3,
        &["its header is another one", "make the plan again"],
    );
    std::fs::remove_file(folder.path("src/one.safetensors")).unwrap();
    refused(
        &folder,
        "run plan.json",
        3,
        &["one.safetensors", "tensor `a`"],
    );
}

/// The place of a part is an index, so it is not negative; the error names the file and the tensor.
#[test]
fn places_of_parts() {
    let folder = prepared();
    let tensors = [whole("a", &[4, 4]), whole("b", &[8])];
    let mut bytes = safetensors(&tensors, true);
    let place = bytes.windows(5).position(|text| text == b"[0,0]");
    let place = place.expect("the place of the first part");
    bytes[place..place + 5].copy_from_slice(b"[-10]");
    folder.write("src/one.safetensors", bytes);
    let parts = [
        "`DCP_SHARDING_INFO`",
        "one.safetensors",
        "of tensor `a`",
        "`-10`",
    ];
    refused(&folder, PLAN, 3, &parts);
}
