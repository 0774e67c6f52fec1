type A = xlayout::layout!(fp32[2.3, M+1]{0,0:t(8),S(300)}, padding_value = seven);

fn main() {}
