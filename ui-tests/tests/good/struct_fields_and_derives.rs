use xlayout::{ArrayLayout, layout};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Layer {
    weights: layout!(bf16[128,256]{1,0:T(8,128)(2,1)}),
    bias: layout!(f32[256]),
}

enum Step {
    Forward(layout!(f32[8,128])),
    Backward { gradient: layout!(f32[8,128]{0,1}) },
}

#[test]
fn works() {
    let layer = Layer::default();
    assert_eq!(
        layer,
        Layer {
            weights: layout!(bf16[128,256]{1,0:T(8,128)(2,1)}),
            bias: layer.bias
        }
    );
    assert_eq!(size_of_val(&layer), 0);
    for step in [
        Step::Forward(layout!(f32[8,128])),
        Step::Backward {
            gradient: layout!(f32[8,128]{0,1}),
        },
    ] {
        match step {
            Step::Forward(layout) => assert_eq!(layout.bytes(), 4096),
            Step::Backward { gradient } => assert_eq!(gradient.bytes(), 4096),
        }
    }
}
