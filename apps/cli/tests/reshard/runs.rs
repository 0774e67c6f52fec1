//! Units that are run again, killed, short of space or of memory.

use std::io::Write;
use std::process::{Command, Output};

use super::{Folder, mostly_zeros, safetensors, whole};
use crate::program::{address_space, least_memory, limited};

fn prepared(tensors: usize, sizes: &[usize]) -> Folder {
    let folder = Folder::new();
    let all: Vec<_> = (0..tensors)
        .map(|k| whole(&format!("w{k}"), sizes))
        .collect();
    folder.write("src/model.safetensors", safetensors(&all, false));
    folder.write(
        "spec.toml",
        "[[tensor]]\nname = '*'\nsharding = '{devices=[1,2]<=[2]}'\n",
    );
    folder
}

/// Objects are written side by side, or one after the other where a block takes more than its share
/// of the memory: they are the same.
#[test]
fn threads_share_the_objects() {
    let folder = prepared(6, &[70, 90]);
    let sharding = "sharding = '{devices=[1,5]<=[5]}'\n";
    let tiles = "opaque = true\nlayout = '{1,0:T(*,4)}'\n";
    for (name, more) in [("plain", ""), ("uncut", tiles)] {
        folder.write(
            "spec.toml",
            format!("[[tensor]]\nname = '*'\n{sharding}{more}"),
        );
        let mut found = Vec::new();
        for threads in [1, 3, 8] {
            let out = format!("{name}-{threads}");
            folder.works(&format!(
                "plan src {out} --to spec.toml --units 1 -o {out}.json"
            ));
            let done = folder.works(&format!("run {out}.json --json --threads {threads}"));
            assert!(done.contains("\"objects\":5,\"done_before\":0"), "{done}");
            folder.works(&format!("verify {out}.json"));
            folder.works(&format!("verify {out}.json --checksums"));
            let names = folder.names(&out).into_iter();
            let read = |name: String| std::fs::read(folder.path(&out).join(name)).unwrap();
            found.push(names.map(read).collect::<Vec<_>>());
        }
        assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{name}");
    }
}

#[test]
fn what_is_done_is_not_done_again() {
    let folder = prepared(4, &[64, 64]);
    folder.works("plan src out --to spec.toml --units 1 -o plan.json");
    folder.works("run plan.json");
    let names = folder.names("out");
    assert_eq!(names.len(), 2);
    let again = folder.works("run plan.json --json");
    assert!(
        again.contains("\"objects\":0,\"done_before\":2,\"read\":0"),
        "{again}"
    );
    // Nothing is written then, the record neither.
    let record = || {
        let path = folder.path("out/.xlayout/unit-00000.json");
        let found = std::fs::metadata(path).and_then(|found| found.modified());
        found.expect("the record")
    };
    let before = record();
    folder.works("run plan.json");
    assert_eq!(record(), before);
    // One is lost, another one is cut short: only they are written.
    std::fs::remove_file(folder.path("out").join(&names[0])).unwrap();
    let again = folder.works("run plan.json --json");
    assert!(again.contains("\"objects\":1,\"done_before\":1"), "{again}");
    folder.write(&format!("out/{}", names[1]), "short");
    let found = folder.fails("verify plan.json", 1);
    assert_eq!(found, "");
    let again = folder.works("run plan.json --json");
    assert!(again.contains("\"objects\":1,\"done_before\":1"), "{again}");
    folder.works("verify plan.json");
    // A flipped bit: both ways of looking find it.
    let path = folder.path("out").join(&names[1]);
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.len() - 1;
    bytes[at] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let output = folder.run("verify plan.json");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.contains("tensor `w3`: the element [63,63] is another one"),
        "{said}"
    );
    assert_eq!(
        folder.run("verify plan.json --checksums").status.code(),
        Some(1)
    );
    // Another plan into the same folder does not believe the records of this one.
    folder.write(
        "spec.toml",
        "[[tensor]]\nname = '*'\nsharding = '{devices=[2,1]<=[2]}'\n",
    );
    folder.fails("plan src out --to spec.toml --units 1 -o other.json", 3);
    folder.works("plan src out --to spec.toml --units 1 -o other.json --force");
    folder.works("run other.json");
    folder.works("verify other.json");
}

/// Many small objects are finished together, including those before one that fails. A source that
/// is missing is an error before anything is written.
#[test]
fn what_was_whole_before_an_error_stays() {
    let folder = Folder::new();
    for (file, tensors) in [("a", 0..40), ("b", 40..50)] {
        let all: Vec<_> = tensors
            .map(|k| whole(&format!("w{k:02}"), &[8, 8]))
            .collect();
        folder.write(&format!("src/{file}.safetensors"), safetensors(&all, false));
    }
    folder.write("spec.toml", "format = 'npy'");
    folder.works("plan src out --to spec.toml --units 1 -o plan.json");
    let [there, away] = ["src/b.safetensors", "b.safetensors"].map(|name| folder.path(name));
    std::fs::rename(&there, &away).expect("a file");
    let said = folder.fails("run plan.json", 3);
    assert!(
        said.contains("b.safetensors") && said.contains("tensor `w40`"),
        "{said}"
    );
    // That is found before anything is written.
    assert!(folder.names("out").is_empty());
    std::fs::rename(&away, &there).expect("a file");
    let taken = folder.path("out/w40.npy");
    std::fs::create_dir_all(&taken).expect("a folder");
    let said = folder.fails("run plan.json --threads 1", 3);
    assert!(
        said.contains("w40.npy") && said.contains("it is a folder"),
        "{said}"
    );
    assert_eq!(folder.names("out").len(), 40);
    std::fs::remove_dir(taken).expect("a folder");
    let again = folder.works("run plan.json --json");
    assert!(
        again.contains("\"objects\":10,\"done_before\":40"),
        "{again}"
    );
    folder.works("verify plan.json");
    folder.works("verify plan.json --checksums");
}

/// Killed again and again, before, in and behind each unit; what is under a final name is whole
/// each time. The plan comes through a pipe that holds back its end: no run can be done before it
/// is killed.
#[test]
fn a_unit_that_is_killed() {
    killed("safetensors");
}

#[test]
fn a_unit_of_zarr_that_is_killed() {
    killed("zarr");
}

fn killed(format: &str) {
    let folder = prepared(16, &[64, 128]);
    let spec = std::fs::read_to_string(folder.path("spec.toml")).unwrap();
    folder.write("spec.toml", format!("format = '{format}'\n{spec}"));
    let units = 8;
    let plan = |to: &str| {
        format!("plan src {to} --to spec.toml --units {units} --object-size 1 -o {to}.json")
    };
    folder.works(&plan("out"));
    folder.works(&plan("model"));
    folder.works("run model.json");
    let text = std::fs::read_to_string(folder.path("out.json")).unwrap();
    let line_ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let pipe = |name: &str| {
        let made = Command::new("mkfifo")
            .arg(folder.path(name))
            .status()
            .unwrap();
        assert!(made.success());
        folder.path(name)
    };
    for round in 0..2 * units {
        let unit = round / 2;
        let path = pipe("pipe.json");
        let next = pipe("next.json");
        let mut child = folder.command("run pipe.json --quiet").spawn().unwrap();
        // It is read twice: all of it, to see that it is a plan, and unit by unit.
        let mut first = std::fs::File::options().write(true).open(&path).unwrap();
        first.write_all(text.as_bytes()).unwrap();
        std::fs::rename(&next, &path).unwrap();
        drop(first);
        let mut second = std::fs::File::options().write(true).open(&path).unwrap();
        // The first line is the head.
        second
            .write_all(&text.as_bytes()[..=line_ends[unit + 1]])
            .unwrap();
        let record = folder.path(&format!("out/.xlayout/unit-{unit:05}.json"));
        while round % 2 == 1 && !record.exists() {
            assert_eq!(child.try_wait().unwrap(), None);
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().code(), None, "not killed");
        std::fs::remove_file(path).unwrap();
        let names = folder.names("out");
        let unfinished = |name: &str| name.rsplit('/').next().unwrap().starts_with('.');
        for name in names.iter().filter(|name| !unfinished(name)) {
            let of =
                |folder_name: &str| std::fs::read(folder.path(folder_name).join(name)).unwrap();
            assert!(of("out") == of("model"), "{name}");
        }
    }
    folder.works("run out.json");
    folder.works("verify out.json");
    assert_eq!(folder.names("out"), folder.names("model"));
}

/// `ulimit -f`, as a disk that is full: nothing is left under a name of the plan.
#[test]
fn a_file_that_may_not_be_so_large() {
    let folder = prepared(1, &[512, 512]);
    folder.works("plan src out --to spec.toml --units 1 -o plan.json");
    let mut command = limited("ulimit -f 64", &["reshard", "run", "plan.json"]);
    let output = command.current_dir(folder.path(".")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("cannot write") && said.contains("model-00001"),
        "{said}"
    );
    assert!(folder.names("out").is_empty());
    folder.works("run plan.json");
    folder.works("verify plan.json");
}

/// Parts of a tensor, and an index of files with a tensor each: of all, a header is read.
#[test]
fn more_files_than_may_be_open() {
    const FILES: usize = 150;
    let folder = Folder::new();
    let rows = whole("w", &[FILES, 2]);
    let mut files = Vec::new();
    for k in 0..FILES {
        let row = rows.part(&[k, 0], &[1, 2]);
        folder.write(
            &format!("parts/{k}.safetensors"),
            safetensors(&[row], false),
        );
        let tensor = whole(&format!("w{k}"), &[2]);
        folder.write(
            &format!("index/{k}.safetensors"),
            safetensors(&[tensor], false),
        );
        files.push(format!("\"w{k}\":\"{k}.safetensors\""));
    }
    let index = format!("{{\"weight_map\":{{{}}}}}", files.join(","));
    folder.write("index/model.safetensors.index.json", index);
    let from = format!("from = '{{devices=[{FILES},1]<=[{FILES}]}}'\n");
    for (source, from) in [("parts", &*from), ("index", "")] {
        folder.write("spec.toml", format!("[[tensor]]\nname = '*'\n{from}"));
        let plan =
            format!("plan {source} {source}-out --to spec.toml --units 1 -o plan.json --force");
        for command in [&*plan, "run plan.json", "verify plan.json"] {
            let words: Vec<&str> = command.split(' ').collect();
            let mut command = limited("ulimit -n 128", &[&["reshard"], &words[..]].concat());
            let output = command.current_dir(folder.path(".")).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(0), "{source}: {said}");
        }
    }
    // `convert` keeps all of them open, so that none is exchanged while it reads.
    let words = [
        "convert",
        "index/model.safetensors.index.json",
        "all.safetensors",
    ];
    let mut command = limited("ulimit -n 64", &words);
    let output = command.current_dir(folder.path(".")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("ulimit -n"), "{said}");
}

/// The buffers of a unit are at most two of its objects, also where a part is put together from
/// pieces: 3 MiB from two files of which each has half of every row.
#[test]
fn memory() {
    const OBJECT_MIB: usize = 3;
    let folder = Folder::new();
    folder.write(
        "spec.toml",
        "[[tensor]]\nname = '*'\nsharding = '{devices=[2,1]<=[2]}'\n",
    );
    let planned = |name: &str, rows: usize| {
        let all = mostly_zeros("w", &[rows, 1024]);
        for half in 0..2 {
            let part = all.part(&[0, 512 * half], &[rows, 512]);
            let file = format!("{name}/{half}.safetensors");
            folder.write_with_holes(&file, &safetensors(&[part], true));
        }
        folder.works(&format!(
            "plan {name} {name}-out --to spec.toml --units 1 --object-size {OBJECT_MIB} -o {name}.json"
        ));
    };
    planned("small", 2);
    planned("large", 1536);
    let run = |plan: &str, mib: usize| {
        let words = ["reshard", "run", plan, "--threads", "1"];
        let mut command = limited(&address_space(mib), &words);
        command.current_dir(folder.path(".")).output().unwrap()
    };
    let said = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    // What the program takes with buffers of a few KiB, whatever its allocator and its threads do.
    let base = least_memory(|mib| {
        let _ = std::fs::remove_dir_all(folder.path("small-out"));
        run("small.json", mib).status.success()
    });
    // With less than an object the error says so.
    let output = run("large.json", base + OBJECT_MIB / 2);
    let error = said(&output);
    assert!(!output.status.success(), "{error}");
    let expected = ["could not be allocated", "at tensor `w"];
    assert!(
        expected.iter().all(|words| error.contains(words)),
        "{error}"
    );
    // How much the rest takes depends on the allocator, by a MiB or two.
    let output = run("large.json", base + 2 * OBJECT_MIB + 2);
    let error = said(&output);
    assert!(
        output.status.success(),
        "{base} MiB without buffers: {error}"
    );
    folder.works("verify large.json");
}
