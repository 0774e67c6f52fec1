//! Laws of the algebra, for any maps that proptest makes.

use proptest::prelude::*;
use xlayout_algebra::{Budget, Map, MapError};

type Modes = Vec<(u64, i64)>;

/// A layout of CuTe's.
fn modes() -> impl Strategy<Value = Modes> {
    prop::collection::vec((1_u64..7, 0_i64..20), 1..4)
}

fn cute(modes: &Modes) -> Map {
    let (shape, stride): (Vec<_>, Vec<_>) = modes.iter().copied().unzip();
    Map::cute(&shape, &stride).expect("small numbers")
}

/// The map after what returns its indices.
fn after(outer: &Modes, inner: &Map) -> Result<Map, MapError> {
    let (shape, stride): (Vec<_>, Vec<_>) = outer.iter().copied().unzip();
    let indices = inner.range().1.unsigned_abs() + 1;
    Map::cute_extended(&shape, &stride, indices)?.after(inner)
}

/// Nothing differs, or it is not decided, or there is no such map.
fn equal(a: Result<Map, MapError>, b: Result<Map, MapError>) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => !matches!(a.first_difference(&b, Budget::DEFAULT), Ok(Some(_))),
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn composition_is_associative(a in modes(), b in modes(), c in modes()) {
        let c = cute(&c);
        let inner = after(&b, &c);
        let outer = |middle: &Map| after(&a, middle);
        let right = inner.and_then(|inner| outer(&inner));
        // a o b must take all offsets of c.
        let indices = c.range().1.unsigned_abs() + 1;
        let (shape, stride): (Vec<_>, Vec<_>) = b.iter().copied().unzip();
        let b = Map::cute_extended(&shape, &stride, indices).expect("small numbers");
        let left = outer(&b).and_then(|both| both.after(&c));
        prop_assert!(right.is_ok() && left.is_ok());
        prop_assert!(equal(left, right));
    }

    #[test]
    fn the_identity_changes_nothing(a in modes()) {
        let a = cute(&a);
        let identity = Map::identity(&[a.size()]).expect("small numbers");
        prop_assert!(equal(a.after(&identity), Ok(a)));
        prop_assert_eq!(a.equals(&a.coalesce().expect("no more terms"), Budget::DEFAULT), Ok(true));
    }

    #[test]
    fn inverses_invert(a in modes()) {
        let a = cute(&a);
        if let Ok(right) = a.right_inverse(Budget::DEFAULT) {
            let identity = Map::identity(right.extents());
            prop_assert!(equal(a.after(&right), identity));
        }
        if let Ok(left) = a.left_inverse(Budget::DEFAULT) {
            prop_assert!(equal(left.after(&a), Map::identity(a.extents())));
        }
    }

    #[test]
    fn a_divide_has_each_index_once(a in modes(), b in modes()) {
        let a = cute(&a);
        let tile = cute(&b);
        if let Ok(rest) = tile.complement(a.size()) && rest.size() * tile.size() == a.size() {
            let tiles = rest.concat(&tile).expect("few terms");
            prop_assert_eq!(tiles.is_bijective(Budget::DEFAULT), Ok(true));
            prop_assert!(equal(a.divide(&tile), a.after(&tiles)));
        }
    }

    #[test]
    fn a_reshape_changes_no_offset(a in modes()) {
        let a = cute(&a);
        let factor = (2..=a.size()).find(|factor| a.size().is_multiple_of(*factor)).unwrap_or(1);
        let shaped = a.reshape(&[factor, a.size() / factor]);
        prop_assert!(equal(shaped, Ok(a)));
        prop_assert!(equal(shaped.and_then(|map| map.permute(&[1, 0])?.permute(&[1, 0])), Ok(a)));
    }

    #[test]
    fn a_recast_there_and_back_is_the_same(a in modes(), ratio in 2_u32..5) {
        let a = cute(&a);
        let narrow = a.recast(0, 8 * ratio, 8);
        prop_assert!(equal(narrow.and_then(|map| map.recast(0, 8, 8 * ratio)), Ok(a)));
    }
}
