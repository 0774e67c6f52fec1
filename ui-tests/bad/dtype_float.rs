use xlayout::layout;

fn main() {
    let _ = layout!(float[2,3]);
}
