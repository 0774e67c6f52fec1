//! `--html` of the commands that read modules: one page that needs nothing else. `check.sh` opens it in Chromium.

use crate::program::{answer, run};
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

#[test]
fn a_page_says_what_the_commands_say() {
    let json = |command: &str| -> Value {
        serde_json::from_str(&answer(&["hlo", command, KV_CACHE, "--json"])).unwrap()
    };
    let (memory, copies) = (json("memory"), json("copies"));
    let all = page(&["memory", KV_CACHE]);
    let data = data(&all);
    let module = &data["modules"][0];
    for key in ["peak_bytes", "spaces", "module", "steps"] {
        assert_eq!(module[key], memory[key]);
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
    // Each layout is drawn.
    for space in module["spaces"].as_array().unwrap() {
        for buffer in space["buffers"].as_array().unwrap() {
            let shape = buffer["shape"].as_str().unwrap();
            let picture = data["pictures"][shape].as_str().unwrap();
            roxmltree::Document::parse(picture).expect("well-formed XML");
        }
    }
    let cure = &copies["cures"][0]["removes"][0];
    let remedy = module["copies"]
        .as_array()
        .unwrap()
        .iter()
        .find(|copy| copy["instruction"] == *cure);
    assert!(
        remedy.unwrap()["remedy"]
            .as_str()
            .unwrap()
            .contains("major_to_minor")
    );
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
