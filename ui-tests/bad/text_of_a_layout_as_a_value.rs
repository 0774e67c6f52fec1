use xlayout::View;

fn main() {
    let data = [0.0_f32; 6];
    let _ = View::new(&data[..], "f32[2,3]");
}
