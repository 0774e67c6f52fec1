//! Every public error is shown in one form: what is wrong, where, and what to write. A crate has
//! one type of errors.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::path::Path;

use crate::xla::xla_functions::sources;
use xlayout::bitcast::NotBitcast;
use xlayout::interop::{MemRef, NumpyOrder};
use xlayout::shape::Explain;
use xlayout::shape::{ErrorKind, NotLowered, ParseError, Shape};
use xlayout::sharding::Sharding;
use xlayout::xla::{Compare, shape_util};
use xlayout::{ArrayShape, DynLayout, SliceView};
use xlayout_core::error::Item;
use xlayout_relayout::{Measurement, Plan};

/// The error as it is shown, after a check of the form.
fn shown<E: Explain + Display + Debug + Error>(error: E) -> String {
    let whole = answered(&error);
    // A program that shows the causes, too, shows nothing twice.
    assert!(
        error
            .source()
            .is_none_or(|cause| !whole.contains(&cause.to_string()))
    );
    whole
}

/// The same for a reason that errors pass on, which is no error by itself.
fn answered<E: Explain + Display + Debug>(error: &E) -> String {
    let mut parts = Vec::new();
    let told = error.explain(&mut |message, help| {
        parts.push((message.to_string(), help.to_string()));
        Ok(())
    });
    told.expect("strings take any text");
    let [(message, help)] = &parts[..] else {
        panic!("{error} has {} messages", parts.len());
    };
    assert!(!message.is_empty() && !help.is_empty(), "{error}");
    assert!(!message.contains('\n') && !help.contains('\n'), "{error}");
    assert!(
        !message.ends_with(['.', ';']) && !help.ends_with(['.', ';']),
        "{error}"
    );
    let place = match error.span() {
        Some(span) => format!(" (at byte {})", span.start),
        None => String::new(),
    };
    let whole = format!("{message}{place}; {help}");
    assert_eq!(error.to_string(), whole);
    assert_eq!(format!("{error:?}"), whole, "`main` prints this");
    whole
}

fn shape(text: &str) -> ArrayShape {
    text.parse().unwrap()
}

#[test]
fn every_error_says_what_and_where_and_what_to_write() {
    let layout = |text: &str| text.parse::<DynLayout>();
    let sharding: Sharding = "{devices=[2,4]<=[8]}".parse().unwrap();
    let a = shape("f32[2,3]");
    let b = shape("f32[2,4]");
    let negative = ArrayShape::new(a.element_type, &[2, -3]).unwrap();
    let rows = layout("f32[2,3]{1,0}").unwrap();
    let columns = layout("f32[3,2]{1,0}").unwrap();
    let full = ErrorKind::TooMany {
        item: Item::Entry,
        limit: 16,
    };
    let errors = [
        // shape
        shown("f32[2,3]{1,2}".parse::<ArrayShape>().unwrap_err()),
        shown(negative.validate_with_optional_layout().unwrap_err()),
        shown(ParseError::from(full)),
        answered(&NotLowered::TrailingCombine),
        // core
        shown(layout("f32[2,3]{0}").unwrap_err()),
        shown(layout("f32[2,3]{1,0:T(8,*)}").unwrap_err()),
        shown(SliceView::new(rows.clone(), &[0.0_f32; 5][..]).unwrap_err()),
        answered(&NotBitcast::MemoryMap),
        // xla
        shown(shape_util::delete_dimensions(&a, &[2]).unwrap_err()),
        shown(Compare::new().check(&a, &b).unwrap_err()),
        answered(&Compare::new().difference(&a, &b).unwrap()),
        // sharding
        shown("{devices=[2,4]<=[6]}".parse::<Sharding>().unwrap_err()),
        shown(
            sharding
                .validate(&Shape::Array(shape("f32[8]")), None)
                .unwrap_err(),
        ),
        // algebra
        shown(
            xlayout::algebra::Map::<64>::strided(&[2], &[1])
                .and_then(|map| map.permute(&[1]))
                .unwrap_err(),
        ),
        // interop
        shown("K".parse::<NumpyOrder>().unwrap_err()),
        shown(MemRef::new(&shape("f32[9]{0:T(3,4)(2,3)}")).unwrap_err()),
        // relayout
        shown(Plan::new(&rows, &columns).unwrap_err()),
        shown("quickly".parse::<Measurement>().unwrap_err()),
        // dlpack
        #[cfg(target_pointer_width = "64")]
        shown(xlayout_dlpack::DlpackError::ReadOnly),
    ];
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/errors/shown.txt");
    let seen = errors.map(|text| text + "\n").concat();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(file, &seen).unwrap();
    }
    let expected = std::fs::read_to_string(file).unwrap();
    assert_eq!(
        seen, expected,
        "these read differently now; UPDATE_EXPECT=1 renews them"
    );
}

/// A crate has at most one public error. What it can say is a kind or a reason, which is no
/// `core::error::Error`.
#[test]
fn a_crate_has_one_type_of_errors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut crates = 0;
    for entry in root.read_dir().expect("the folder is there") {
        let folder = entry.expect("it can be read").path();
        if !folder.join("src/lib.rs").is_file() {
            continue;
        }
        let mut text = String::new();
        sources(&folder.join("src"), &mut text);
        let code = text.lines().map(str::trim_start);
        let of_errors = |line: &&str| {
            line.starts_with("impl") && line.contains("error::Error for ")
                || line.contains("explained!(") && !line.starts_with("//")
        };
        // The macro itself.
        let of_errors = code.filter(of_errors).filter(|line| !line.contains('$'));
        let errors: Vec<&str> = of_errors.collect();
        assert!(errors.len() <= 1, "{}: {errors:?}", folder.display());
        crates += errors.len();
    }
    assert!(crates > 7, "the errors of {crates} crates were found");
}

/// The output of a program whose `main` returns an error.
#[cfg(all(feature = "std", not(miri)))]
#[test]
fn main_prints_the_message() {
    use std::process::{Command, Termination};
    const CHILD: &str = "XLAYOUT_TEST_MAIN";
    fn main() -> Result<(), xlayout::LayoutError> {
        let _: DynLayout = "f32[2,3]{1,2}".parse()?;
        Ok(())
    }
    if std::env::var_os(CHILD).is_some() {
        main().report();
        return;
    }
    let name = "errors::main_prints_the_message";
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args([name, "--exact", "--nocapture"]).env(CHILD, "1");
    let printed = String::from_utf8(child.output().unwrap().stderr).unwrap();
    assert_eq!(
        printed,
        "Error: minor_to_major counts dimensions from 1 (at byte 8); dimensions count from 0: \
         did you mean `{0,1}`?\n"
    );
}
