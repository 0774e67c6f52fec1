use xlayout::layout;

type A = layout!(f32[2,3]{1,0});

#[test]
fn works() {
    let _: [A; 9] = [
        layout!(f32[2,3]),
        layout!(f32[2, 3] <1, 0>),
        layout!(f32[02,3]{1,0:}),
        layout!(f32[2,3]{1,0:L(1)E(0)S(0)M(0)}),
        layout!(f32[2,3]{1,0:D(D,D)}),
        layout!(f32[2,3], padded_dimensions = [2, 3]),
        layout!(f32[/* rows */ 2, /* columns */ 3]),
        layout!(
            f32[2,3] // over lines
        ),
        A::NEW,
    ];
}
