use xlayout_kernel::Arranged;

struct Mine;

impl Arranged for Mine {
    type As = <() as Arranged>::As;
}

fn main() {}
