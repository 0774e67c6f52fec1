use xlayout::{ArrayLayout, layout};

#[test]
fn works() {
    let tiled = layout!(bf16[16,256]{1,0:T(8,128)(2,1)});
    assert_eq!(tiled.linear_index(&[1, 0]), 1);
    assert_eq!(tiled.linear_index(&[8, 0]), 2048);
    let merged = layout!(f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)});
    assert_eq!(merged.linear_index(&[1, 6, 7, 10, 9]), 12430);
    let all = layout!(f32[16,256] {1,0 : T(8,128)(2,1) L(100) E(32) S(1) SC(0:8)(1:40,130) M(16)});
    assert_eq!(
        all.to_string(),
        "f32[16,256]{1,0:T(8,128)(2,1)L(100)E(32)S(1)SC(0:8)(1:40,130)M(16)}"
    );
}
