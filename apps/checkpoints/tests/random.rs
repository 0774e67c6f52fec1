//! Checkpoints in random parts, under random names, in random sequences, of all element types,
//! brought into other parts and formats. An element is a number that is made from its place in the
//! tensor. It is written, and looked for in what was written, by the few lines of this file, which
//! share nothing with the crate.

mod tensor;

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use xlayout_checkpoints::{
    Draft, Error, Means, PlanOptions, Stop, Verified, run_units, verify_units,
};

use tensor::{
    Divided, Random, TYPES, Type, between, element, indices, indices_in, mixed, npy, numbers,
    packed, put, safetensors, unpacked,
};

/// The cases that are tried; case `k` has the seed `k`.
const CASES: u64 = 135;

/// A case: the folder, and what the specification says of the source.
struct Case {
    folder: tempfile::TempDir,
    from: String,
    is_stated: bool,
}

impl Case {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder of a test");
        fs::write(path, bytes).expect("the file of a test");
    }

    /// The names of all files in a folder and below, but for the records.
    fn names(&self, folder: &str) -> Vec<String> {
        let root = self.path(folder);
        let mut folders = vec![root.clone()];
        let mut names = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                let inside = path
                    .strip_prefix(&root)
                    .expect("a path in it")
                    .to_path_buf();
                let name = inside.to_string_lossy().replace('\\', "/");
                match path.is_dir() {
                    true if name != ".xlayout" => folders.push(path),
                    true => {}
                    false => names.push(name),
                }
            }
        }
        names.sort();
        names
    }

    fn plan(&self, units: usize) -> Result<(), Error> {
        let options = PlanOptions {
            units,
            object_bytes: 1_000_000,
            memory: 1 << 20,
        };
        let [from, to, spec] = ["src", "out", "spec.toml"].map(|name| self.path(name));
        let draft = Draft::new(&from, &to, &spec, options)?;
        let mut text = Vec::new();
        draft.write(&mut text).expect("memory");
        self.write("plan.json", text);
        Ok(())
    }

    fn run(&self) {
        with_means(|means| run_units(&self.path("plan.json"), None, means)).expect("a run");
    }

    fn verify(&self) -> Verified {
        let found = with_means(|means| verify_units(&self.path("plan.json"), None, means, false));
        found.expect("a comparison")
    }
}

fn with_means<T>(work: impl FnOnce(Means<'_>) -> T) -> T {
    let stop = Stop::default();
    work(Means {
        threads: 1,
        memory: None,
        stop: &stop,
        progress: &|_| {},
    })
}

/// The name of the file of device `k` of `n`, without its ending.
fn name(scheme: usize, (k, n): (usize, usize), width: usize) -> String {
    match scheme {
        0 => format!("model_world_size_{n}_rank_{k}"),
        1 => format!("rank_{k}_of_{n}"),
        2 => format!("part-{}", k + 1),
        3 => format!("{k}"),
        4 => format!("model-{:05}-of-{n:05}", k + 1),
        5 => format!("rank_{k}/model"),
        6 => format!("w{k:0width$}"),
        7 => format!("step_100/node_{}/gpu_{k}", k / 4),
        _ => unreachable!("there are 8 schemes"),
    }
}

/// Writes a source of `divided`, in parts that say which one they are or not.
fn write_source(random: &mut Random, divided: &Divided) -> Case {
    let mut case = Case {
        folder: tempfile::tempdir().expect("a folder for the test"),
        from: String::new(),
        is_stated: false,
    };
    let (_, _, _, descr, zarr) = divided.element_type;
    let n = divided.devices.len();
    let rank = divided.whole.len();
    let order: Vec<usize> = (0..rank).collect();
    let v = |sizes: &[usize]| packed(32, indices(sizes).iter().map(|index| 7 + index[0] as u128));
    match random.below(4) {
        0 if !descr.is_empty() => {
            for device in 0..n {
                let (origin, sizes) = divided.part(device).expect("a part");
                let is_fortran = random.below(2) == 1;
                let mut order = order.clone();
                if is_fortran {
                    order.reverse();
                }
                let bytes = divided.bytes(&origin, &sizes, &order);
                let name = match n % 2 {
                    0 => format!("shard-{}-w.npy", device + 1),
                    _ => format!("rank{device}/w.npy"),
                };
                case.write(
                    &format!("src/{name}"),
                    npy(descr, is_fortran, &sizes, &bytes),
                );
            }
            case.from = format!("from = '{}'", divided.sharding());
            case.is_stated = n > 1;
        }
        1 if !zarr.is_empty() => {
            let order = random.shuffled(rank);
            let text = json!({
                "zarr_format": 3, "node_type": "array", "shape": divided.whole, "data_type": zarr,
                "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": divided.tile}},
                "chunk_key_encoding": {"name": "default", "configuration": {"separator": "."}},
                "fill_value": if zarr == "bool" { json!(false) } else { json!(0) },
                "codecs": [{"name": "transpose", "configuration": {"order": order}},
                    {"name": "bytes", "configuration": {"endian": "little"}}],
            });
            case.write("src/w/zarr.json", text.to_string());
            for index in indices(&divided.counts) {
                let both = index.iter().zip(&divided.tile);
                let origin: Vec<usize> = both.map(|(k, size)| k * size).collect();
                let key: String = index.iter().map(|k| format!(".{k}")).collect();
                let bytes = divided.bytes(&origin, &divided.tile, &order);
                case.write(&format!("src/w/c{key}"), bytes);
            }
        }
        how => {
            let is_placed = how == 2;
            let files: Vec<String> = match random.below(10) {
                _ if is_placed => {
                    let all = random.shuffled(n);
                    all.iter()
                        .map(|k| format!("{}-{k}", mixed(*k as u64)))
                        .collect()
                }
                scheme @ 0..8 => {
                    let one = |k| name(scheme, (k, n), 1 + random.below(3));
                    (0..n).map(one).collect()
                }
                8 => {
                    // Two numbers, either of which counts most.
                    let [a, b] = random.factors(n, 2)[..] else {
                        unreachable!("two factors")
                    };
                    let turned = random.below(2) == 1;
                    case.from = if turned {
                        "files = 'tp_{1}_pp_{0}_of_{}.safetensors'\n".to_owned()
                    } else {
                        "files = 'tp_{0}_pp_{1}_of_{}.safetensors'\n".to_owned()
                    };
                    let one = |k: usize| {
                        if turned {
                            format!("tp_{}_pp_{}_of_{a}", k % b, k / b)
                        } else {
                            format!("tp_{}_pp_{}_of_{a}", k / b, k % b)
                        }
                    };
                    (0..n).map(one).collect()
                }
                _ => {
                    let names = random.shuffled(n).into_iter();
                    let names: Vec<String> =
                        names.map(|k| format!("{}x", mixed(k as u64))).collect();
                    let list: Vec<String> = names
                        .iter()
                        .map(|name| format!("'{name}.safetensors'"))
                        .collect();
                    case.from = format!("files = [{}]\n", list.join(", "));
                    names
                }
            };
            for (device, file) in files.iter().enumerate() {
                let (origin, sizes) = divided.part(device).expect("a part");
                let bytes = divided.bytes(&origin, &sizes, &order);
                let origin = Some(&origin[..]).filter(|_| is_placed);
                let u32_type = TYPES[13];
                let mut all = vec![("w", divided.element_type, &sizes[..], bytes)];
                // Every file has the same `v`, if the files do not say which parts they have.
                if origin.is_none() {
                    all.push(("v", u32_type, &[3], v(&[3])));
                }
                case.write(
                    &format!("src/{file}.safetensors"),
                    safetensors(&all, origin),
                );
            }
            if is_placed {
                case.from.clear();
            } else {
                case.from += &format!("from = '{}'", divided.sharding());
                case.is_stated = n > 1;
            }
        }
    }
    case
}

/// What was written of `w`, read by the formats' own rules.
fn read(case: &Case, to: &Divided) -> Vec<Option<u128>> {
    let mut found = vec![None; to.whole.iter().product()];
    let (_, bits, ..) = to.element_type;
    let rank = to.whole.len();
    for name in case.names("out") {
        let bytes = fs::read(case.path("out").join(&name)).expect("a file");
        if name.ends_with(".safetensors") {
            let length = u64::from_le_bytes(bytes[..8].try_into().expect("8 bytes")) as usize;
            let header: Value = serde_json::from_slice(&bytes[8..8 + length]).expect("a header");
            let Some(entry) = header.get("w") else {
                continue;
            };
            let data = numbers(&entry["data_offsets"]);
            let data = &bytes[8 + length + data[0]..8 + length + data[1]];
            let metadata = &header["__metadata__"];
            let mut order: Vec<usize> = (0..rank).collect();
            let mut sizes = numbers(&entry["shape"]);
            if let Some(shape) = metadata["xlayout.shape.w"].as_str() {
                sizes = between(shape, '[', &[']']);
                order = between(shape, '{', &[':', '}']);
                order.reverse();
            }
            let offsets = metadata["DCP_SHARDING_INFO"].as_str().unwrap_or("{}");
            let offsets: Value = serde_json::from_str(offsets).expect("offsets");
            let origin = match (
                &offsets["w"]["saved_offsets"],
                &offsets["w"]["xlayout_offsets"],
            ) {
                (Value::Null, Value::Null) => vec![0; rank],
                (Value::Null, bytes) => numbers(bytes),
                (elements, _) => numbers(elements),
            };
            let all = indices_in(&order, &sizes);
            put(&mut found, &to.whole, &origin, &all, |k| {
                unpacked(bits, data, k)
            });
        } else if name.ends_with("w.npy") {
            let shard = name.strip_prefix("shard-").map(|rest| &rest[..5]);
            let device = shard.map_or(0, |number| number.parse::<usize>().expect("a number") - 1);
            let (origin, sizes) = to.part(device).expect("a part");
            let header = String::from_utf8_lossy(&bytes[..128]).into_owned();
            let mut order: Vec<usize> = (0..rank).collect();
            if header.contains("'fortran_order': True") {
                order.reverse();
            }
            let all = indices_in(&order, &sizes);
            put(&mut found, &to.whole, &origin, &all, |k| {
                unpacked(bits, &bytes[128..], k)
            });
        } else if let Some(key) = name.strip_prefix("w/c/") {
            let text = fs::read(case.path("out/w/zarr.json")).expect("a text");
            let text: Value = serde_json::from_slice(&text).expect("JSON");
            let chunk = numbers(&text["chunk_grid"]["configuration"]["chunk_shape"]);
            let codec = &text["codecs"][0];
            let order = if codec["name"] == "transpose" {
                numbers(&codec["configuration"]["order"])
            } else {
                (0..rank).collect()
            };
            let key = key
                .split('/')
                .map(|k| k.parse::<usize>().expect("a number"));
            let origin: Vec<usize> = key.zip(&chunk).map(|(k, size)| k * size).collect();
            let all = indices_in(&order, &chunk);
            put(&mut found, &to.whole, &origin, &all, |k| {
                unpacked(bits, &bytes, k)
            });
        }
    }
    found
}

/// How many devices have each of `count` parts: one, or sometimes two, if there are several parts.
fn copies(random: &mut Random, count: usize) -> usize {
    match random.below(4) {
        0 if (2..=20).contains(&count) => 2,
        _ => 1,
    }
}

fn divided(random: &mut Random, element_type: Type) -> Divided {
    let rank = 1 + random.below(3);
    let count = 1 + random.below(40);
    let copies = copies(random, count);
    let counts = random.factors(count, rank);
    let tile: Vec<usize> = (0..rank).map(|_| 1 + random.below(4)).collect();
    // The last tile of a dimension may be shorter.
    let mut whole = Vec::new();
    for (count, size) in counts.iter().zip(&tile) {
        whole.push(count * size - if *count > 1 { random.below(*size) } else { 0 });
    }
    Divided {
        element_type,
        devices: random.shuffled(count * copies),
        copies,
        whole,
        tile,
        counts,
    }
}

/// The same tensor, divided otherwise.
fn target(random: &mut Random, from: &Divided) -> Divided {
    let rank = from.whole.len();
    let count = 1 + random.below(12);
    let copies = copies(random, count);
    let counts = random.factors(count, rank);
    let tiles = from.whole.iter().zip(&counts);
    Divided {
        element_type: from.element_type,
        whole: from.whole.clone(),
        tile: tiles.map(|(whole, count)| whole.div_ceil(*count)).collect(),
        devices: random.shuffled(count * copies),
        copies,
        counts,
    }
}

#[test]
fn each_element_is_at_its_place() {
    let mut seen = [0; 3];
    let mut exchanged = 0;
    for seed in 0..CASES {
        let mut random = Random(mixed(seed));
        let element_type = TYPES[seed as usize % TYPES.len()];
        let from = divided(&mut random, element_type);
        let case = write_source(&mut random, &from);
        let to = target(&mut random, &from);
        let (_, bits, _, descr, zarr) = element_type;
        let (format, layout) = match random.below(3) {
            0 if !descr.is_empty() => ("npy", random.one(&["", "layout = 'F'"])),
            1 if !zarr.is_empty() && bits >= 8 => ("zarr", random.one(&["", "layout = 'F'"])),
            _ => ("safetensors", "opaque = true"),
        };
        let sharding = to.sharding();
        let mut spec = format!(
            "format = '{format}'\n[[tensor]]\nname = 'w'\nsharding = '{sharding}'\n{}\n{layout}\n",
            case.from
        );
        spec += "[[tensor]]\nname = 'v'\nfrom = '{replicated}'\noptional = true\n";
        case.write("spec.toml", &spec);
        case.plan(1 + random.below(3)).unwrap_or_else(|error| {
            panic!("seed {seed}: {error:?}\n{spec}\n{:?}", case.names("src"))
        });
        case.run();
        let expected = |place| Some(element(element_type, place));
        let expected: Vec<_> = (0..to.whole.iter().product()).map(expected).collect();
        assert!(read(&case, &to) == expected, "seed {seed}: {spec}");
        let verified = case.verify();
        assert_eq!(verified.differences, [], "seed {seed}: {spec}");
        let assumed = verified
            .assumed
            .iter()
            .find(|text| text.starts_with("`w` is divided"));
        let said = &verified.assumed;
        assert_eq!(assumed.is_some(), case.is_stated, "seed {seed}: {said:?}");
        if let Some(assumed) = assumed {
            let has_copies = assumed.contains("the same part");
            assert_eq!(has_copies, from.copies > 1, "seed {seed}: {assumed}");
        }
        // Another bit in the first element of a file of `w`.
        let names = case.names("out");
        let is_part = |name: &&String| name.starts_with("shard") || name.contains("/c");
        if let Some(name) = names.iter().find(is_part) {
            let path = case.path("out").join(name);
            let good = fs::read(&path).expect("a file");
            let mut bad = good.clone();
            let at = match format {
                "safetensors" => 8 + u64::from_le_bytes(bad[..8].try_into().expect("8")) as usize,
                "npy" => 128,
                _ => 0,
            };
            bad[at] ^= 1;
            fs::write(&path, bad).expect("a file");
            assert_eq!(case.verify().differences.len(), 1, "seed {seed}: {name}");
            fs::write(&path, good).expect("a file");
            seen[["safetensors", "npy", "zarr"]
                .iter()
                .position(|one| *one == format)
                .expect("one")] += 1;
        }
        // Two files with the same part may be exchanged.
        let may_differ = case.is_stated && from.copies == 1;
        exchanged += usize::from(may_differ && exchange(&case, seed, &from));
    }
    assert!(seen.iter().all(|seen| *seen > 10), "{seen:?}");
    assert!(exchanged > 20, "{exchanged}");
}

/// A plan that takes the elements of one file from another one, which has the same header: a run
/// does what it says, and the comparison finds it, because it does not believe the plan.
fn exchange(case: &Case, seed: u64, from: &Divided) -> bool {
    let text = fs::read_to_string(case.path("plan.json")).expect("a plan");
    let (head, units) = text.split_once('\n').expect("lines");
    let mut head: Value = serde_json::from_str(head).expect("JSON");
    let files = head["files"].as_array_mut().expect("files");
    let same = |a: &Value, b: &Value| a["crc32"] == b["crc32"] && a["bytes"] == b["bytes"];
    let pairs = (0..files.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let mut pairs = pairs.filter(|(a, b)| same(&files[*a], &files[*b]));
    let Some((a, b)) = pairs.next() else {
        return false;
    };
    let name = files[a]["name"].clone();
    files[a]["name"] = files[b]["name"].clone();
    files[b]["name"] = name;
    case.write("plan.json", format!("{head}\n{units}"));
    fs::remove_dir_all(case.path("out")).expect("a folder");
    case.run();
    let found = case.verify().differences;
    let sharding = from.sharding();
    assert!(
        found
            .iter()
            .any(|one| one.what.contains("the plan takes the elements")),
        "seed {seed}: {sharding}: {found:?}"
    );
    true
}
