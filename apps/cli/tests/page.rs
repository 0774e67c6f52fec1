//! `--html` of the commands that read modules: one page that needs nothing else. `check.sh` opens
//! it in Chromium.

use std::path::Path;

use crate::program::{PACKAGE, answer, run};
use serde_json::Value;

const SCAN: &str = "tests/data/copies/scan_transposed.default.v5e.hlo";
const KV_CACHE: &str = "tests/data/copies/kv_cache_update.default.v5e.hlo";

fn page(arguments: &[&str]) -> String {
    answer(&[&["hlo"], arguments, &["--html", "-"]].concat())
}

fn data(page: &str) -> Value {
    let (_, data) = page
        .split_once("<script type=\"application/json\" id=\"data\">")
        .unwrap();
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

/// The pictures of a page, which are deflated in base64.
fn pictures(data: &Value) -> Value {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        other => panic!("{other}"),
    };
    let text = data["pictures"].as_str().unwrap().trim_end_matches('=');
    let mut packed = Vec::new();
    for group in text.as_bytes().chunks(4) {
        let bits = group
            .iter()
            .fold(0_u32, |bits, &c| bits << 6 | u32::from(digit(c)));
        let bits = bits << (6 * (4 - group.len()));
        packed.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    serde_json::from_reader(flate2::read::ZlibDecoder::new(&packed[..])).unwrap()
}

/// The page says all that the command says, and may say more of each item.
fn check_contains(page: &Value, command: &Value) {
    match command {
        Value::Object(items) => {
            for (key, item) in items {
                check_contains(&page[key], item);
            }
        }
        Value::Array(items) => {
            assert_eq!(page.as_array().unwrap().len(), items.len());
            for (k, item) in items.iter().enumerate() {
                check_contains(&page[k], item);
            }
        }
        other => assert_eq!(page, other),
    }
}

#[test]
fn a_page_says_what_the_commands_say() {
    let json = |command: &str| -> Value {
        serde_json::from_str(&answer(&["hlo", command, KV_CACHE, "--json"])).unwrap()
    };
    let memory = json("memory");
    let copies = json("copies");
    let all = page(&["memory", KV_CACHE]);
    let data = data(&all);
    let module = &data["modules"][0];
    for key in ["peak_bytes", "spaces", "module", "steps"] {
        check_contains(&module[key], &memory[key]);
    }
    let names = |value: &Value| -> Vec<Value> {
        let copies = value["copies"].as_array().unwrap();
        copies
            .iter()
            .map(|copy| copy["instruction"].clone())
            .collect()
    };
    assert_eq!(names(module), names(&copies));
    assert!(!names(module).is_empty());
    // Each layout is drawn, once for all memory spaces.
    let pictures = pictures(&data);
    for space in module["spaces"].as_array().unwrap() {
        for buffer in space["buffers"].as_array().unwrap() {
            let shape = buffer["shape"].as_str().unwrap();
            let shape = match shape.split_once("S(") {
                Some((before, space)) => before.to_owned() + space.split_once(')').unwrap().1,
                None => shape.to_owned(),
            };
            let shape = &shape.replace(":}", "}").replace("{}", "");
            let picture = pictures[shape].as_str().unwrap();
            roxmltree::Document::parse(picture).expect("well-formed XML");
        }
    }
}

/// The page has each line to paste that the terminal prints, all of it together too, in the words
/// of the terminal.
#[test]
fn advice_is_that_of_the_terminal() {
    for model in [
        "scan_transposed",
        "conv_nchw",
        "attention_bshd",
        "mla_projection",
    ] {
        let file = format!("tests/data/copies/{model}.default.v5e.hlo");
        let told = answer(&["hlo", "copies", &file, "--top", "all"]);
        let data = data(&page(&["memory", &file]));
        let advice = data["modules"][0]["advice"].as_array().unwrap();
        let is_head = |line: &&str| line.starts_with("Advice") || line.starts_with("May not pay");
        let heads = told.lines().filter(is_head);
        let all = told.lines().filter(|line| *line == "All of it").count();
        assert_eq!(heads.count() + all, advice.len(), "{told}");
        for piece in advice {
            let paste = piece["paste"].as_array().unwrap().iter();
            let text = piece["text"].as_str().unwrap().lines();
            for line in paste.map(|line| line.as_str().unwrap()).chain(text) {
                assert!(told.contains(line), "{line}");
            }
        }
        let last = advice.last().map(|piece| piece["text"] == "All of it");
        assert_eq!(last == Some(true), all == 1);
    }
}

/// Every number of bytes has the words of the terminal, and the lists of what is alive belong to
/// the timeline.
#[test]
fn a_page_rounds_as_the_terminal_does() {
    let data = data(&page(&["memory", SCAN]));
    let told = answer(&["hlo", "memory", SCAN]);
    let space = &data["modules"][0]["spaces"][0];
    let words = &data["words"][space["peak_bytes"].to_string()];
    assert!(told.contains(words.as_str().unwrap()), "{words}");
    let amounts = space["timeline"].as_array().unwrap().iter();
    for amount in amounts.chain(space["ticks"].as_array().unwrap()) {
        assert!(data["words"][amount.to_string()].is_string(), "{amount}");
    }
    assert!(space["ticks"].as_array().unwrap().len() > 2);
    assert!(!space["lasting"].as_array().unwrap().is_empty());
}

#[test]
fn the_page_of_diff_says_what_differs() {
    let conv = "tests/data/copies/conv_nchw";
    let [a, b] = ["default", "auto"].map(|by| format!("{conv}.{by}.v5e.hlo"));
    let output = run(&["hlo", "diff", &a, &b, "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let output = run(&["hlo", "diff", &a, &b, "--html", "-"]);
    let data = data(&String::from_utf8(output.stdout).unwrap());
    for (key, of) in [
        ("layouts", "layouts"),
        ("copies_added", "added"),
        ("copies_removed", "removed"),
    ] {
        let [json, page] = [&json[key], &data["diff"][of]].map(|all| all.as_array().unwrap().len());
        assert_eq!(json, page, "{key}");
    }
    let sums = data["diff"]["sums"].as_array().unwrap();
    let peaks = sums
        .iter()
        .find(|sum| sum["what"] == "memory at the peak")
        .unwrap();
    assert_eq!(
        (&peaks["a"], &peaks["b"]),
        (&json["peak_bytes_a"], &json["peak_bytes_b"])
    );
    // Both timelines have one axis.
    let tops = [0, 1].map(|k| &data["modules"][k]["spaces"][0]["top"]);
    assert_eq!(tops[0], tops[1]);
}

/// A page of copies begins with them, and is not much larger than the module.
#[test]
fn a_page_of_copies_begins_with_them() {
    let file = "tests/data/cures/qkv_split.default.v5e.hlo";
    let text = page(&["copies", file]);
    assert!(text.contains("<h1>Copies and memory of jit_f</h1>"));
    let page_of_copies = data(&text);
    assert_eq!(page_of_copies["copies_first"], true);
    let module = &page_of_copies["modules"][0];
    let copied = answer(&["hlo", "copies", file, "--json"]);
    let copied: Value = serde_json::from_str(&copied).unwrap();
    let of = |value: &Value, key: &str| value[key].as_u64().unwrap();
    let moved = of(module, "moved_bytes");
    assert_eq!(moved, of(&copied["modules"][0], "moved_bytes"));
    assert_eq!(
        of(module, "copied_bytes") + moved,
        of(&copied["modules"][0], "bytes")
    );
    // The only advice is another program.
    assert_eq!(
        module["saved_bytes"],
        copied["rewrites"][0]["removed_bytes"]
    );
    assert_eq!(data(&page(&["memory", file]))["copies_first"], false);
    let module = std::fs::read(Path::new(PACKAGE).join(file)).unwrap();
    assert!(text.len() < 10 * module.len(), "{} bytes", text.len());
}

#[test]
fn a_page_needs_nothing_else() {
    for command in [&["memory", SCAN][..], &["copies", SCAN], &[SCAN]] {
        let page = page(command);
        let urls = page.replace("http://www.w3.org/2000/svg", "");
        for outside in ["http:", "https:", "src=", "@import", "<link"] {
            assert!(!urls.contains(outside), "{command:?}: {outside}");
        }
        assert!(page.contains("prefers-color-scheme: dark"));
        assert_eq!(data(&page)["modules"].as_array().unwrap().len(), 1);
    }
    // The two differ, which the exit code says.
    let output = run(&["hlo", "diff", SCAN, KV_CACHE, "--html", "-"]);
    let page = String::from_utf8(output.stdout).unwrap();
    assert_eq!(data(&page)["modules"].as_array().unwrap().len(), 2);
}

#[test]
fn names_of_a_module_cannot_end_the_script() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.hlo");
    let text = "HloModule m, is_scheduled=true\n\nENTRY e {\n  ROOT a = f32[2]{0} parameter(0), \
                metadata={op_name=\"</script><script>alert(1)</script>\"}\n}\n";
    std::fs::write(&file, text).unwrap();
    let page = page(&["memory", file.to_str().unwrap()]);
    assert_eq!(page.matches("</script>").count(), 2);
    let op_name = &data(&page)["modules"][0]["spaces"][0]["buffers"][0]["op_name"];
    assert_eq!(op_name, "</script><script>alert(1)</script>");
}

#[test]
fn a_page_is_written_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let said = answer(&["hlo", "memory", SCAN, "--html", file.to_str().unwrap()]);
    assert_eq!(said, answer(&["hlo", "memory", SCAN]));
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        page(&["memory", SCAN])
    );
    let output = run(&[
        "hlo",
        "memory",
        SCAN,
        "--html",
        folder.path().to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("it is a folder")
    );
}
