//! Writes a program in each language, which compares every element of all layouts of
//! `tests/layouts.rs`, and reads WGSL.
//!
//! Usage: `xlayout-emit-check FOLDER`. `check.sh` compiles and runs what lies there.

#[path = "../../layouts.rs"]
#[allow(dead_code, reason = "the random layouts are for the tests")]
mod layouts;
mod wgsl;

use std::fmt::Write;
use std::path::Path;

use xlayout_core::{ArrayLayout, DynLayout};
use xlayout_emit::{Functions, IndexMap, Language, Options};

/// A map, and the indices and linear indices of its elements.
struct Case {
    functions: Functions,
    rank: usize,
    elements: Vec<(Vec<u64>, u64)>,
}

fn cases() -> Vec<Case> {
    let case = |layout: &DynLayout, swizzle: Option<(u32, u32, i32)>| {
        let mut map = IndexMap::of(layout).expect("it has elements");
        if let Some((bits, base, shift)) = swizzle {
            map = map.swizzled(bits, base, shift).expect("a swizzle");
        }
        let functions = Functions::new(&map).expect("it is small");
        let elements = layout.indices().map(|index| {
            let linear = layout.linear_index(index.coordinates()) as u64;
            let linear = match swizzle {
                None => linear,
                Some((bits, base, shift)) => {
                    let ones = (1 << bits) - 1;
                    match shift {
                        0.. => linear ^ ((linear & (ones << (base + shift as u32))) >> shift),
                        _ => linear ^ ((linear & (ones << base)) << -shift),
                    }
                }
            };
            let index: &[usize] = index.coordinates().as_ref();
            (index.iter().map(|&i| i as u64).collect(), linear)
        });
        let elements = elements.collect();
        Case {
            functions,
            rank: layout.dims().len(),
            elements,
        }
    };
    let mut cases: Vec<Case> = layouts::all()
        .iter()
        .map(|layout| case(layout, None))
        .collect();
    for (text, swizzle) in [
        ("f32[16,32]{1,0}", (3, 0, 5)),
        ("f32[16,32]{1,0}", (2, 2, 3)),
        ("f32[16,32]{0,1:T(8,8)}", (3, 0, -3)),
        ("f32[9,7]{1,0}", (2, 0, 2)),
    ] {
        cases.push(case(&text.parse().expect("a layout"), Some(swizzle)));
    }
    for map in layouts::crossed() {
        let whole = IndexMap::of_map(&map.to_string(), &map).expect("its offsets are not negative");
        let rank = map.rank();
        let index = |number: u64| {
            let places = (0..rank).map(|d| map.extents()[d + 1..].iter().product::<u64>());
            let places = places.zip(map.extents());
            places.map(|(place, size)| number / place % size).collect()
        };
        let elements = (0..map.size()).map(|number| {
            let linear = map.at_index(number).expect("it is in bounds");
            (index(number), linear as u64)
        });
        cases.push(Case {
            functions: Functions::new(&whole).expect("it is small"),
            rank,
            elements: elements.collect(),
        });
    }
    cases
}

fn joined(numbers: &[u64]) -> String {
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

/// The functions of each case, and after each of them what `check` writes for its elements.
fn program(
    cases: &[Case],
    language: Language,
    wide: bool,
    check: impl Fn(&mut String, usize, &Case),
) -> String {
    let mut text = String::new();
    for (number, case) in cases.iter().enumerate() {
        let name = format!("l{number}");
        let options = Options::new(language).wide(wide).named(&name);
        text += &case.functions.emit(&options).expect("it can be emitted");
        check(&mut text, number, case);
    }
    text
}

fn rust(cases: &[Case], wide: bool) -> String {
    let integer = if wide { "u64" } else { "u32" };
    let mut text = program(cases, Language::Rust, wide, |text, number, case| {
        let rank = case.rank;
        let names: Vec<String> = (0..rank).map(|k| format!("i{k}")).collect();
        let names = names.join(", ");
        let _ = writeln!(
            text,
            "fn check{number}() {{\n    let elements: &[([{integer}; {rank}], {integer})] = &["
        );
        for (index, linear) in &case.elements {
            let _ = writeln!(text, "        ([{}], {linear}),", joined(index));
        }
        let _ = writeln!(text, "    ];\n    for &([{names}], linear) in elements {{");
        let _ = writeln!(
            text,
            "        assert_eq!(l{number}_linear_index({names}), linear);"
        );
        if rank > 0 {
            let _ = writeln!(
                text,
                "        assert_eq!(l{number}_multi_index(linear), [{names}]);"
            );
        }
        text.push_str("    }\n");
        if let (1.., Some(last)) = (rank, case.elements.iter().map(|element| element.1).max()) {
            // Padding, too: its indices are of no use, but nothing overflows.
            let call = format!("l{number}_multi_index(linear)");
            let _ = writeln!(text, "    for linear in 0..={last} {{ let _ = {call}; }}");
        }
        text.push_str("}\n");
    });
    text += "fn main() {\n";
    for number in 0..cases.len() {
        let _ = writeln!(text, "    check{number}();");
    }
    text + "}\n"
}

fn c(cases: &[Case], language: Language, wide: bool) -> String {
    let integer = if wide { "uint64_t" } else { "uint32_t" };
    let functions = program(cases, language, wide, |text, number, case| {
        let _ = writeln!(text, "static void check{number}(void) {{");
        for (index, linear) in &case.elements {
            let _ = writeln!(
                text,
                "    if (l{number}_linear_index({}) != {linear}) abort();",
                joined(index)
            );
            if case.rank > 0 {
                let _ = write!(
                    text,
                    "    {{ {integer} index[{}]; l{number}_multi_index({linear}, index);",
                    case.rank
                );
                for (k, i) in index.iter().enumerate() {
                    let _ = write!(text, " if (index[{k}] != {i}) abort();");
                }
                *text += " }\n";
            }
        }
        *text += "}\n";
    });
    let mut text = format!("#include <stdlib.h>\n{functions}int main(void) {{\n");
    for number in 0..cases.len() {
        let _ = writeln!(text, "    check{number}();");
    }
    text + "    return 0;\n}\n"
}

fn python(cases: &[Case]) -> String {
    program(cases, Language::Python, true, |text, number, case| {
        for (index, linear) in &case.elements {
            let _ = writeln!(
                text,
                "assert l{number}_linear_index({}) == {linear}",
                joined(index)
            );
            if case.rank > 0 {
                let _ = writeln!(
                    text,
                    "assert l{number}_multi_index({linear}) == ({},)",
                    joined(index)
                );
            }
        }
    })
}

/// What `hand.c` has by hand: its name, the layout, and the numbers of a swizzle.
const BY_HAND: [(&str, &str, Option<(u32, u32, i32)>); 5] = [
    ("dense", "f32[6,10,14,18]{3,2,1,0}", None),
    ("column_major", "f32[20,300]{0,1}", None),
    ("tiled", "f32[1000,3000]{1,0:T(8,128)}", None),
    ("two_levels", "bf16[1000,3000]{1,0:T(8,128)(2,1)}", None),
    ("swizzled", "f16[64,64]{1,0}", Some((3, 3, 3))),
];

/// The functions in C, which another file can call.
fn compared(name: &str, text: &str, swizzle: Option<(u32, u32, i32)>) -> String {
    let layout: DynLayout = text.parse().expect("a layout");
    let mut map = IndexMap::of(&layout).expect("it has elements");
    if let Some((bits, base, shift)) = swizzle {
        map = map.swizzled(bits, base, shift).expect("a swizzle");
    }
    let functions = Functions::new(&map).expect("it is small");
    let code = functions.emit(&Options::new(Language::C).named(name));
    code.expect("it is small")
        .replace("static inline", "extern")
}

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let cases = cases();
    let elements: usize = cases.iter().map(|case| case.elements.len()).sum();
    let write = |name: &str, text: String| {
        std::fs::write(Path::new(&folder).join(name), text).expect("the folder can be written");
    };
    write("check64.rs", rust(&cases, true));
    write("check32.rs", rust(&cases, false));
    write("check64.c", c(&cases, Language::C, true));
    write("check32.c", c(&cases, Language::C, false));
    write("cuda.cc", c(&cases, Language::Cuda, false));
    write("check.py", python(&cases));
    for (name, text, swizzle) in BY_HAND {
        write(&format!("{name}.c"), compared(name, text, swizzle));
    }
    for case in &cases {
        let text = case
            .functions
            .emit(&Options::new(Language::Wgsl))
            .expect("it is small");
        let module = wgsl::Module::read(&text);
        for (index, linear) in &case.elements {
            assert_eq!(module.call("linear_index", index), [*linear], "{text}");
            if case.rank > 0 {
                assert_eq!(&module.call("multi_index", &[*linear]), index, "{text}");
            }
        }
    }
    println!(
        "{} maps, {elements} elements: WGSL is valid and right",
        cases.len()
    );
}
