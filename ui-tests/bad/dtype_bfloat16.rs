type A = xlayout::layout!(bfloat16[8,128]{1,0:T(8,128)(2,1)});

fn main() {}
