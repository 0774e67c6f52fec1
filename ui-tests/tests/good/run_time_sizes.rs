use xlayout::{ArrayLayout, layout};

type Rows = layout!(f32[?,3]{1,0});

fn bytes(rows: &layout!(f32[?,3])) -> usize {
    rows.bytes()
}

#[test]
fn works() {
    let four: Rows = layout!(f32[?,3]{1,0})([4, 3]).unwrap();
    assert_eq!(bytes(&four), 48);
    assert_eq!(size_of::<Rows>(), size_of::<usize>());
    assert!(layout!(f32[?,3])([4, 5]).is_err());
    // A name is a part of the type, and says nothing about memory.
    let named: layout!(f32[?Rows,3]{1,0}) = layout!(f32[?_,3])([4, 3]).unwrap().renamed();
    assert_eq!(bytes(&named.renamed()), bytes(&four));
    let tiled = layout!(bf16[?,?]{1,0:T(8,128)})([9, 1]).unwrap();
    assert_eq!(tiled.bytes(), 2 * 8 * 128 * 2);
}
