type A = xlayout::layout!([2,3]{0,1});

fn main() {}
