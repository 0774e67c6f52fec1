type A = xlayout::layout!(fp32[2,3]{0,1});

fn main() {}
