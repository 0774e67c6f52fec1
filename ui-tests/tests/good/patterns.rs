use xlayout::layout;

#[test]
fn works() {
    match layout!(f32[2,3]{0,1}) {
        layout!(f32[2,3] <0,1>) => {}
        #[allow(unreachable_patterns)]
        _ => {}
    }
    #[allow(irrefutable_let_patterns)]
    if let layout!(s8[4]) = layout!(s8[4]) {}
}
