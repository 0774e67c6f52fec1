//! Folders that are URLs.

use super::{Folder, safetensors, whole};

fn prepared() -> Folder {
    let folder = Folder::new();
    let tensor = whole("w", &[64, 64]);
    folder.write("src/a.safetensors", safetensors(&[tensor], false));
    folder.write(
        "spec.toml",
        "format = 'zarr'\n[[tensor]]\nname = 'w'\nsharding = '{devices=[1,2]<=[2]}'\n",
    );
    folder.write("back.toml", "format = 'safetensors'\n");
    folder
}

#[cfg(not(feature = "object-store"))]
#[test]
fn a_program_without_stores_says_so() {
    let folder = prepared();
    for folders in ["s3://bucket/src out", "src s3://bucket/out"] {
        let plan = format!("plan {folders} --to spec.toml --units 1 -o plan.json");
        let said = folder.fails(&plan, 2);
        assert!(
            said.contains("`s3://bucket/") && said.contains("`--features s3`"),
            "{said}"
        );
    }
    assert!(folder.names("s3:").is_empty());
}

/// The file system as a store: written, read, resumed, found damaged, and not replaced.
#[cfg(feature = "object-store")]
#[test]
fn the_file_system_as_a_store() {
    let folder = prepared();
    let url = |name: &str| format!("file://{}", folder.path(name).display());
    let src = url("src");
    let out = url("out");
    let back = url("back");
    folder.works(&format!(
        "plan {src} {out} --to spec.toml --units 2 -o plan.json"
    ));
    folder.works("run plan.json --unit 1");
    folder.works("run plan.json");
    let again = folder.works("run plan.json --json");
    assert!(
        again.contains("\"objects\":0") && !again.contains("\"done_before\":0"),
        "{again}"
    );
    folder.works("verify plan.json");
    folder.works("verify plan.json --checksums");
    folder.fails(
        &format!("plan {src} {out} --to spec.toml --units 2 -o other.json"),
        3,
    );
    folder.works(&format!(
        "plan {out} {back} --to back.toml --units 1 -o back.json"
    ));
    folder.works("run back.json");
    let bytes = |name: &str| {
        let bytes = std::fs::read(folder.path(name)).expect("a file that was written");
        bytes[bytes.len() - 4 * 64 * 64..].to_vec()
    };
    assert!(bytes("back/model.safetensors") == bytes("src/a.safetensors"));
    // A chunk is lost.
    std::fs::remove_file(folder.path("out/w/c/0/1")).expect("a chunk");
    folder.fails("verify plan.json", 1);
    let said = folder.fails("verify back.json", 3);
    assert!(
        said.contains("out/w/c/0/1`: there is no such file"),
        "{said}"
    );
    let said = folder.fails("plan ftp://a/b x --to back.toml --units 1", 2);
    assert!(
        said.contains("`ftp://a/b` names no folder of a store"),
        "{said}"
    );
}

/// Names that object stores could encode are those of the files.
#[cfg(feature = "object-store")]
#[test]
fn names_with_odd_characters_in_a_store() {
    let folder = Folder::new();
    let name = "50% of a*b?#[~]é.w";
    let tensor = whole(name, &[4, 4]);
    folder.write("src/100%25 * é.safetensors", safetensors(&[tensor], false));
    folder.write("zarr.toml", "format = 'zarr'\n");
    folder.write("back.toml", "format = 'safetensors'\n");
    let url = |name: &str| format!("file://{}", folder.path(name).display());
    for (from, to) in [("src", "zarr"), ("zarr", "back")] {
        let src = url(from);
        let dst = url(to);
        folder.works(&format!(
            "plan {src} {dst} --to {to}.toml --units 1 -o {to}.json"
        ));
        folder.works(&format!("run {to}.json"));
        folder.works(&format!("verify {to}.json"));
    }
    let names = folder.names("zarr");
    assert!(names.contains(&format!("{name}/zarr.json")), "{names:?}");
}
