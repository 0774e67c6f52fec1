use super::worker::room;
use super::*;

fn of(src: &str, dst: &str) -> Job {
    let array = Array::new(src.parse().unwrap(), 0);
    Job::new(None, &array, dst.parse().unwrap(), 0)
}

/// Blocks are large if each thread converts several of them.
#[test]
fn blocks_are_large_where_there_are_many() {
    let bytes = |rows: usize| {
        let job = of(
            &format!("u8[{rows},1048576]{{1,0}}"),
            &format!("u8[{rows},1048576]{{0,1}}"),
        );
        job.cut(4, Some(1 << 30)).1.iter().product::<usize>() >> 20
    };
    // A gibibyte, and 16 of them.
    assert_eq!([1024, 16384].map(bytes), [32, 128]);
}

/// The help depends on whether the layouts can be cut into smaller blocks.
#[test]
fn memory_that_cannot_be_allocated() {
    let said = |[src, dst]: [&str; 2], threads: usize, memory: usize, bytes: usize| {
        let job = of(src, dst);
        let error = job.no_memory(threads, memory << 20, bytes);
        assert!(!error.to_string().contains("--"), "{error}");
        error.in_command()
    };
    let rows = ["f32[4096,4096]{1,0}", "f32[4096,4096]{0,1}"];
    let found = said(rows, 4, 1024, 1 << 25);
    assert!(found.contains("could not be allocated"), "{found}");
    assert!(found.contains("33,554,432"), "{found}");
    assert!(found.contains("`--memory 128 --threads 4`"), "{found}");
    // A `*` in a tile: the array is one block.
    let merged = ["f32[4096,4096]{1,0:T(*,128)}", "f32[4096,4096]{0,1}"];
    let found = said(merged, 1, 256, 1 << 26);
    assert!(found.contains("no smaller blocks"), "{found}");
    assert!(!found.contains("--threads"), "{found}");
    // One block for each thread, as small as it can be.
    let long = [
        "f32[64,1048576]{1,0:T(8,1048576)}",
        "f32[64,1048576]{0,1:T(1048576,8)}",
    ];
    let found = said(long, 2, 1, 1 << 25);
    assert!(found.contains("`--memory 1 --threads 1`"), "{found}");
    let missing = AtomicUsize::new(0);
    assert!(room(&missing, &mut Vec::new(), usize::MAX).is_err());
    assert_eq!(missing.load(Ordering::Relaxed), usize::MAX);
    assert!(room(&missing, &mut Vec::new(), 1).is_ok());
}
