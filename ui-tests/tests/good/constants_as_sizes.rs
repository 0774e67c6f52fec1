use xlayout::layout;

const ROWS: usize = 2;

mod model {
    pub const COLUMNS: usize = 3;

    pub mod deep {
        pub const HEADS: usize = 4;
    }
}

struct Model;

impl Model {
    const LAYERS: usize = 5;
}

type A = layout!(f32[ROWS, model::COLUMNS, crate::constants_as_sizes::model::deep::HEADS, Model::LAYERS]);
type B = layout!(f32[{ ROWS * model::COLUMNS + 1 }, 3]{0,1});
type C = layout!(f32[<=ROWS, <={ ROWS + 1 }]);

#[test]
fn works() {
    let _: layout!(f32[2,3,4,5]) = A::NEW;
    let _: layout!(f32[7,3] <0,1>) = B::NEW;
    assert_eq!(C::NEW.to_string(), "f32[<=2,<=3]{1,0}");
}
