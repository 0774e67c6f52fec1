type A = xlayout::layout!(s4[16]{0:E(-4)});

fn main() {}
