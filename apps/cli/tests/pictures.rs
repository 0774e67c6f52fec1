//! Pictures: goldens, well-formed XML, and every number in them against `DynLayout::linear_index`.

use std::collections::BTreeSet;

use crate::program::{answer, expect_file};
use proptest::prelude::*;
use roxmltree::{Document, Node};
use xlayout::{ArrayLayout, DynLayout};

fn svg(arguments: &[&str]) -> String {
    answer(&[&["draw", "--svg", "-"], arguments].concat())
}

/// It is made by
/// `cargo run -p xlayout-cli -- draw 'bf16[5,6]{1,0:T(4,4)}' --svg cli/pictures/tiles.svg`.
#[test]
fn the_picture_of_the_readme_is_current() {
    expect_file!["../pictures/tiles.svg"].assert_eq(&svg(&["bf16[5,6]{1,0:T(4,4)}"]));
}

#[test]
fn goldens() {
    expect_file!["draw/rank_0.svg"].assert_eq(&svg(&["f32[]"]));
    expect_file!["draw/slices.svg"].assert_eq(&svg(&["s4[2,2,3]{2,1,0:E(4)}"]));
    expect_file!["draw/cut.svg"].assert_eq(&svg(&["u8[6,99]", "--rows", "3", "--columns", "4"]));
    let page = answer(&["draw", "f32[2,3]{0,1:T(2,2)}", "--html", "-"]);
    expect_file!["draw/page.html"].assert_eq(&page);
}

#[test]
fn a_page_needs_nothing_else() {
    let page = answer(&["draw", "f32[2,3]{0,1:T(2,2)}", "--html", "-"]);
    let urls = page.replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "src=", "@import", "<link"] {
        assert!(!urls.contains(outside), "{outside}");
    }
    assert!(page.contains("prefers-color-scheme: dark"));
    // The picture in it is the same.
    assert!(page.contains(&svg(&["f32[2,3]{0,1:T(2,2)}"])));
}

/// What a cell says: its index or None for padding, its place, the byte and the bit.
type Said = (Option<Vec<usize>>, usize, usize, usize);

fn said(title: &str) -> Said {
    let mut parts = title.split(" · ");
    let index = parts.next().unwrap();
    let index = index.strip_prefix('[').map(|inside| {
        let numbers = inside.strip_suffix(']').unwrap().split(", ");
        let numbers = numbers.filter(|number| !number.is_empty());
        numbers.map(|number| number.parse().unwrap()).collect()
    });
    let number = |text: &str, name: &str| text.strip_prefix(name).unwrap().parse().unwrap();
    let place = number(parts.next().unwrap(), "linear index ");
    let mut offset = parts.next().unwrap().split(", ");
    let byte = number(offset.next().unwrap(), "byte ");
    let bit = offset.next().map_or(0, |bit| number(bit, "bit "));
    (index, place, byte, bit)
}

/// What the cells of a picture say: those of its grids, and those of memory in sequence, which are
/// lower.
fn cells(svg: &str) -> [BTreeSet<Said>; 2] {
    let document = Document::parse(svg).expect("well-formed XML");
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    let text_of = |name: &str| root.children().find(|node| node.has_tag_name(name));
    for name in ["title", "desc"] {
        let text = text_of(name)
            .and_then(|node| node.text())
            .unwrap_or_default();
        assert!(!text.is_empty(), "a picture without {name}");
    }
    let is_cell = |node: &Node<'_, '_>| {
        let class = node.attribute("class").unwrap_or_default();
        class.split(' ').any(|class| class == "cell")
    };
    let mut cells = [BTreeSet::new(), BTreeSet::new()];
    for cell in root.descendants().filter(is_cell) {
        let title = cell.first_element_child().unwrap();
        let said = said(title.text().unwrap());
        let rectangle = cell.last_element_child().unwrap();
        let padding = rectangle.attribute("fill") == Some("url(#hatch)");
        assert_eq!(padding, said.0.is_none());
        let memory = rectangle.attribute("height") == Some("22");
        let first = cells[usize::from(memory)].insert(said);
        assert!(first, "a cell is drawn twice");
    }
    cells
}

/// Each cell of the picture says what the layout says, and no element of the array is missing.
fn check(text: &str) {
    let layout: DynLayout = match text.parse() {
        Ok(layout) => layout,
        // Not every random tile can be addressed.
        Err(_) => return,
    };
    let limits = ["--rows", "64", "--columns", "64", "--slices", "256"];
    let [grid, memory] = cells(&svg(&[&[text], &limits[..]].concat()));
    let mut elements = 0;
    for (in_grid, (index, place, byte, bit)) in
        (grid.iter().map(|said| (true, said))).chain(memory.iter().map(|said| (false, said)))
    {
        let (expected_byte, expected_bit) = layout.bit_offset(*place);
        assert_eq!(
            (*byte, *bit),
            (expected_byte, expected_bit as usize),
            "{text}"
        );
        match index {
            Some(index) => {
                elements += usize::from(in_grid);
                assert!(layout.in_bounds(&index[..].into()), "{text}: {index:?}");
                assert_eq!(
                    layout.linear_index(&index[..].into()),
                    *place,
                    "{text}: {index:?}"
                );
            }
            None => {
                assert!(*place < layout.buffer_len(), "{text}: padding at {place}");
                assert_eq!(
                    layout.multi_index(*place),
                    None,
                    "{text}: padding at {place}"
                );
            }
        }
    }
    assert_eq!(elements, layout.elements(), "{text}");
    // Memory is shown from its beginning on, each place once.
    let places = memory.iter().map(|said| said.1);
    assert!(
        places
            .collect::<BTreeSet<_>>()
            .into_iter()
            .eq(0..memory.len()),
        "{text}"
    );
    // One tile that cuts dimensions as they are pads them at their ends: all padding has a cell.
    let one_tile = layout.rank() <= 2 && !text.contains(['*', 'L']) && !text.contains(")(");
    let tile = text.find("T(").map_or("", |at| &text[at..]);
    let within_rank = tile.matches(',').count() < layout.rank().max(1);
    if one_tile && within_rank && layout.rank() > 0 && elements > 0 {
        assert_eq!(
            grid.len(),
            layout.buffer_len(),
            "{text}: all places have a cell"
        );
    }
}

fn sizes() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0_usize..6, 0..6).prop_filter("small enough to look at", |sizes| {
        sizes.iter().product::<usize>() <= 240
    })
}

fn tile() -> impl Strategy<Value = String> {
    let entry =
        prop_oneof![5 => (1_usize..5).prop_map(|n| n.to_string()), 1 => Just("*".to_owned())];
    prop::collection::vec(entry, 1..4).prop_map(|entries| format!("({})", entries.join(",")))
}

fn shapes() -> impl Strategy<Value = String> {
    let attributes = (
        prop::collection::vec(tile(), 0..3),
        prop::sample::select(vec!["", "E(4)", "E(2)", "L(7)"]),
    );
    (sizes(), attributes, any::<prop::sample::Index>()).prop_flat_map(
        |(sizes, (tiles, attribute), _)| {
            let dims: Vec<usize> = (0..sizes.len()).collect();
            (
                Just(sizes),
                Just(tiles),
                Just(attribute),
                Just(dims).prop_shuffle(),
            )
                .prop_map(|(sizes, tiles, attribute, dims)| {
                    let list = |items: &[usize]| {
                        let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                        items.join(",")
                    };
                    let mut tail = match tiles.len() {
                        0 => String::new(),
                        _ => format!("T{}", tiles.concat()),
                    };
                    tail += attribute;
                    if !tail.is_empty() {
                        tail.insert(0, ':');
                    }
                    let element = if attribute.starts_with('E') {
                        "u8"
                    } else {
                        "f32"
                    };
                    format!("{element}[{}]{{{}{tail}}}", list(&sizes), list(&dims))
                })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_number_is_that_of_the_layout(text in shapes()) {
        check(&text);
    }
}

#[test]
fn every_number_of_what_people_try() {
    for text in [
        "f32[]",
        "f32[7]{0}",
        "f32[4,6]{1,0}",
        "f32[4,6]{0,1}",
        "bf16[5,6]{1,0:T(4,4)}",
        "bf16[11,7]{0,1:T(4,4)(2,1)}",
        "f32[2,3,4]{2,1,0}",
        "s4[4,6]{1,0:E(4)}",
        "pred[3,3,3]{1,2,0:T(2,2)}",
        "f32[5,<=6]{1,0}",
        "f32[2,3] <0,1>, padded_dimensions = [3, 5]",
        "f32[2,2,2,2,2]{0,1,2,3,4}",
        "f32[3,0]",
    ] {
        check(text);
    }
}

#[test]
fn texts_are_escaped() {
    // The only characters that XML knows and a shape may have.
    let picture = svg(&["f32[<=3]{0}"]);
    let document = Document::parse(&picture).unwrap();
    let title = document.root_element().first_element_child().unwrap();
    assert_eq!(title.text(), Some("f32[<=3]{0}"));
}

/// A part of a picture, in its pixels: left, top, right, bottom.
type Area = [f64; 4];

fn overlap(a: Area, b: Area) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name)
        .and_then(|text| text.parse().ok())
        .unwrap_or(0.0)
}

/// Where the origin of a node is; nothing in a part that is turned.
fn origin(node: Node<'_, '_>) -> Option<(f64, f64)> {
    let mut x = 0.0;
    let mut y = 0.0;
    for around in node.ancestors() {
        let Some(transform) = around.attribute("transform") else {
            continue;
        };
        let inside = transform.strip_prefix("translate(")?.strip_suffix(')')?;
        if inside.contains("rotate") {
            return None;
        }
        let (dx, dy) = inside.split_once(' ')?;
        x += dx.parse::<f64>().ok()?;
        y += dy.parse::<f64>().ok()?;
    }
    Some((x, y))
}

/// The texts that a picture shows, and where.
fn texts(document: &Document<'_>) -> Vec<(String, Area)> {
    let is_text = |node: &Node<'_, '_>| node.has_tag_name("text");
    let texts = document.descendants().filter(is_text);
    texts
        .filter_map(|node| {
            let (x, y) = origin(node)?;
            let inherited = |name| node.ancestors().find_map(|around| around.attribute(name));
            let size: f64 = inherited("font-size")?.parse().ok()?;
            let mono = inherited("font-family")?.contains("mono");
            let text = node.text()?.to_owned();
            let wide = text.chars().count() as f64 * size * if mono { 0.6 } else { 0.5 };
            let x = x + number(node, "x");
            let left = match inherited("text-anchor") {
                Some("middle") => x - wide / 2.0,
                Some("end") => x - wide,
                _ => x,
            };
            let y = y + number(node, "y");
            // Digits and capitals.
            Some((text, [left, y - 0.73 * size, left + wide, y]))
        })
        .collect()
}

/// The straight parts of the lines through the cells.
fn lines(document: &Document<'_>) -> Vec<Area> {
    let is_path = |node: &Node<'_, '_>| node.attribute("class") == Some("path");
    let mut lines = Vec::new();
    for node in document.descendants().filter(is_path) {
        let (dx, dy) = origin(node).expect("no line is turned");
        let d = node.attribute("d").expect("a path has a line");
        let mut at = (0.0, 0.0);
        let mut rest = d;
        while let Some(command) = rest.chars().next() {
            let end = rest[1..]
                .find(|c: char| c.is_ascii_alphabetic())
                .map_or(rest.len(), |end| end + 1);
            let numbers: Vec<f64> = rest[1..end]
                .split(' ')
                .map(|number| number.parse().expect("a number"))
                .collect();
            let to = match command {
                'H' => (numbers[0], at.1),
                'V' => (at.0, numbers[0]),
                'M' | 'L' => (numbers[0], numbers[1]),
                other => panic!("the test does not know `{other}`"),
            };
            if command != 'M' {
                assert!(at.0 == to.0 || at.1 == to.1, "a slanting line: {d}");
                let x = dx + at.0.min(to.0);
                let y = dy + at.1.min(to.1);
                let right = dx + at.0.max(to.0);
                let bottom = dy + at.1.max(to.1);
                // As wide as the dark line below it.
                lines.push([x - 1.5, y - 1.5, right + 1.5, bottom + 1.5]);
            }
            at = to;
            rest = &rest[end..];
        }
    }
    lines
}

#[test]
fn lines_cross_no_number_and_labels_do_not_overlap() {
    for (arguments, traced) in [
        (&["f32[4,6]{1,0}"][..], true),
        (&["f32[4,6]{0,1}"], true),
        (&["bf16[5,6]{1,0:T(4,4)}"], true),
        (&["bf16[8,16]{1,0:T(4,8)(2,1)}"], true),
        (&["f32[12,12]{0,1:T(2,4)}"], true),
        (&["f32[2,3,4]{0,2,1}"], false),
        (&["bf16[16,256]{1,0:T(8,128)(2,1)}"], false),
        (&["f32[1000000]"], false),
        (&["f32[3,1000000]{0,1}"], false),
        (&["f32[1000000,3]{0,1}"], false),
        (&["f32[8,3,224,224]", "--slice", "7,2,:,:"], false),
        (&["f32[800,3,224,224]{3,2,1,0:T(8,128)}"], false),
        (&["pred[1,1]"], false),
    ] {
        let svg = svg(arguments);
        let document = Document::parse(&svg).expect("well-formed XML");
        let texts = texts(&document);
        assert!(texts.len() > 3, "{arguments:?}");
        for (k, (text, area)) in texts.iter().enumerate() {
            for (other, beside) in &texts[k + 1..] {
                assert!(
                    !overlap(*area, *beside),
                    "{arguments:?}: {text} and {other}"
                );
            }
        }
        let lines = lines(&document);
        assert_eq!(!lines.is_empty(), traced, "{arguments:?}");
        for line in lines {
            for (text, area) in &texts {
                assert!(
                    !overlap(line, *area),
                    "{arguments:?}: a line crosses {text}"
                );
            }
        }
    }
}

#[test]
fn two_slices_of_a_large_array_and_six_of_a_small_one() {
    let slices = |shape: &str| svg(&[shape]).matches(", :, :]</text>").count();
    assert_eq!(slices("f32[9,3,4]"), 6);
    assert_eq!(slices("f32[9,300,400]"), 2);
    assert_eq!(slices("f32[9,3,17]"), 2);
}
