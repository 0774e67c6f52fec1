//! The loops of `kernels.rs` under criterion: `cargo bench --bench index`.

mod kernels;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn loops(criterion: &mut Criterion) {
    for mut case in kernels::all() {
        let mut group = criterion.benchmark_group(case.name);
        for way in &mut case.ways {
            group.throughput(Throughput::Elements(way.elements as u64));
            group.bench_function(way.name, |bencher| bencher.iter(&mut way.run));
        }
        group.finish();
    }
}

criterion_group!(benches, loops);
criterion_main!(benches);
