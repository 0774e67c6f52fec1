//! The tests of this crate.

mod cases;
mod laws;
mod layouts;
mod random;

#[test]
fn random_maps_agree_with_brute_force() {
    let report = random::run(1_000, 1);
    assert!(
        report.wrong.is_empty(),
        "{}\n{report}",
        report.wrong.join("\n")
    );
    assert_eq!(report.undecided(), 0, "{report}");
}
