//! Independent dimensions, as the description gives them to Python.

use crate::support::described;
use serde_json::{Value, json};
use xlayout::layout;
use xlayout_kernel::{In, InOut, Out, Scalar};

type Matrix = layout!(f32[?M,?K]{1,0});
type Row = layout!(f32[?K]{0});
type Column = layout!(f32[?M]{0});

macro_rules! kernels {
    ($($(#[$kernel:meta])* $name:ident($($parameter:ident: $type:ty),*);)*) => {$(
        $(#[$kernel])*
        fn $name($($parameter: $type),*) {
            $(let _ = $parameter;)*
        }
    )*};
}

kernels! {
    #[xlayout_kernel::kernel]
    nothing(x: In<Matrix>, y: Out<Column>);
    #[xlayout_kernel::kernel(independent = "M")]
    names(x: In<Matrix>, w: In<Row>, y: Out<Column>);
    #[xlayout_kernel::kernel(independent = "i j, j -> i")]
    rule(x: In<Matrix>, w: In<Row>, y: Out<Column>);
    #[xlayout_kernel::kernel(independent = "  row _ ,_->row  ")]
    blanks(x: In<Matrix>, w: In<Row>, y: Out<Column>);
    #[xlayout_kernel::kernel(independent = "M K")]
    in_place(a: Scalar<f32>, x: InOut<Matrix>);
    #[xlayout_kernel::kernel(independent = "i j -> i j")]
    in_place_by_a_rule(a: Scalar<f32>, x: InOut<Matrix>);
    #[xlayout_kernel::kernel(independent = ", i -> i")]
    a_scalar(a: In<layout!(f32[])>, x: In<Row>, y: Out<Row>);
    #[xlayout_kernel::kernel(independent = "i _ -> i, i")]
    unnamed(x: In<layout!(f32[?,?]{1,0})>, y: Out<layout!(f32[?]{0})>, z: Out<layout!(f32[?]{0})>);
}

/// The factors of all arguments, and of all results.
fn factors(name: &str) -> [Vec<Value>; 2] {
    let mut kernels = described(module_path!()).into_iter();
    let kernel = kernels.find(|kernel| kernel["name"] == name).unwrap();
    ["argument_factors", "result_factors"].map(|field| {
        let parameters = kernel["parameters"].as_array().unwrap().iter();
        parameters.filter_map(|p| p.get(field).cloned()).collect()
    })
}

#[test]
fn names_and_rules_say_the_same() {
    let by_names = factors("names");
    assert_eq!(by_names[0], [json!(["M", null]), json!([null])]);
    assert_eq!(by_names[1], [json!(["M"])]);
    let renamed = |name: &str| {
        let text = serde_json::to_string(&factors(name)).unwrap();
        text.replace("\"i\"", "\"M\"").replace("\"row\"", "\"M\"")
    };
    for rule in ["names", "rule", "blanks"] {
        assert_eq!(renamed(rule), renamed("names"), "{rule}");
    }
}

#[test]
fn an_array_in_place_is_an_argument_and_a_result() {
    assert_eq!(
        factors("in_place"),
        [[json!(["M", "K"])], [json!(["M", "K"])]]
    );
    assert_eq!(
        factors("in_place_by_a_rule"),
        [[json!(["i", "j"])], [json!(["i", "j"])]]
    );
}

#[test]
fn an_array_without_dimensions_has_an_empty_list() {
    assert_eq!(factors("a_scalar")[0], [json!([]), json!(["i"])]);
    assert_eq!(factors("unnamed")[1], [json!(["i"]), json!(["i"])]);
}

#[test]
fn without_a_declaration_there_are_no_factors() {
    assert_eq!(factors("nothing"), [const { Vec::<Value>::new() }; 2]);
}
