//! Layouts with a sharding as types, against the shardings that the run time reads.

use crate::core_::type_level::rearranged::same;
use xlayout::dtype::DType;
use xlayout::sharding::Sharding;
use xlayout::types::{HasDims, Sharded, ShardedLayout, ShardingRule, StaticLayout};
use xlayout::{ArrayLayout, ArrayShape, ConstLayout, layout};

/// Law 3 of the crate, for shardings: the type and its dynamic layout give the same results.
fn alike<G, P, S, const N: usize>(text: &str)
where
    G: ConstLayout + ArrayLayout<Type: DType, Coordinates = [usize; N]> + HasDims + 'static,
    P: ConstLayout + ArrayLayout<Type = G::Type, Coordinates = [usize; N]> + HasDims,
    S: ShardingRule,
{
    let (array, sharding) = text.split_once(", sharding =").expect("it has one");
    let shape: ArrayShape = array.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    let sharding: Sharding = sharding
        .trim()
        .parse()
        .unwrap_or_else(|e| panic!("{text}: {e}"));
    type Spread<G, P, S> = Sharded<G, P, S>;
    let of_type = Spread::<G, P, S>::NEW
        .sharding()
        .unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(of_type, sharding, "{text}");
    assert_eq!(G::NEW.array_shape(), shape, "{text}");
    // Printing and reading give the same sharding.
    let printed = Spread::<G, P, S>::NEW.to_string();
    let (_, after) = printed.split_once(", sharding = ").expect("it has one");
    assert_eq!(after.parse::<Sharding>().as_ref(), Ok(&sharding), "{text}");

    let tile = sharding.tile_shape(&shape).unwrap();
    assert_eq!(P::NEW.array_shape(), tile, "{text}");
    let devices = sharding
        .as_tiled()
        .map(|t| t.tile_assignment().num_devices());
    let unique = sharding.unique_device().map(|_| 1);
    assert_eq!(Spread::<G, P, S>::NUM_DEVICES, devices.or(unique), "{text}");
    let parts = sharding.as_tiled().map_or(&[][..], |tiling| tiling.parts());
    assert_eq!(Spread::<G, P, S>::PARTS, parts, "{text}");
    for device in -2..=devices.unwrap_or(9) + 2 {
        let expected = sharding.index_ranges(&shape, device).ok();
        let found = Spread::<G, P, S>::index_range(device);
        let found = found.map(|ranges| ranges.map(|r| r.start as i64..r.end as i64).to_vec());
        assert_eq!(found, expected, "{text} on device {device}");
        let in_type = Spread::<G, P, S>::index_range_in(&G::NEW, device);
        assert_eq!(in_type, Spread::<G, P, S>::index_range(device), "{text}");
        if let Some(index) = Spread::<G, P, S>::tile_index(device) {
            for (d, (&k, range)) in index
                .iter()
                .zip(expected.expect("it holds one"))
                .enumerate()
            {
                let size = (G::SIZES[d], P::SIZES[d]);
                assert_eq!(range.start as usize, size.0.min(k * size.1), "{text}");
            }
        }
    }
}

macro_rules! alike {
    ($([$($text:tt)*])*) => {$(
        of(layout!($($text)*), stringify!($($text)*));
    )*};
}

fn of<G, P, S, const N: usize>(_: Sharded<G, P, S>, text: &str)
where
    G: ConstLayout + ArrayLayout<Type: DType, Coordinates = [usize; N]> + HasDims + 'static,
    P: ConstLayout + ArrayLayout<Type = G::Type, Coordinates = [usize; N]> + HasDims,
    S: ShardingRule,
{
    alike::<G, P, S, N>(text);
}

#[test]
fn as_their_dynamic_twins() {
    alike! {
        [f32[1024,512]{1,0}, sharding = {devices=[2,4]<=[8]}]
        [f32[1024,512]{0,1}, sharding = {devices=[4,2]<=[2,4]T(1,0)}]
        [f32[5,7]{0,1}, sharding = {devices=[2,2]<=[4]}]
        [f32[5,7], sharding = {devices=[2,2]0,2,1,3}]
        [f32[5,7], sharding = {devices=[2,2]3,0,1,2}]
        [f32[3], sharding = {devices=[8]<=[8]}]
        [f32[0,4], sharding = {devices=[2,2]<=[4]}]
        [s8[6,4,10]{0,2,1}, sharding = {devices=[2,1,3]<=[6]}]
        [s8[6,4,10], sharding = {devices=[2,2,2]<=[2,2,2]T(2,0,1)}]
        [s8[6,4], sharding = {devices=[2,1,4]<=[8] last_tile_dim_replicate}]
        [s8[6,4], sharding = {devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}]
        [s8[6,4], sharding = {devices=[2,1,2,2]<=[8] last_tile_dims={replicated, manual}}]
        [s8[6,4], sharding = {devices=[1,2,4]<=[8] last_tile_dims={unreduced}}]
        [s8[6,4], sharding = {devices=[1,8]<=[8] last_tile_dim_replicate}]
        [f32[8], sharding = {replicated}]
        [f32[8], sharding = {manual}]
        [f32[8], sharding = {unreduced}]
        [f32[8], sharding = {unknown}]
        [f32[8], sharding = {maximal device=3}]
        [f32[], sharding = {replicated}]
        [f32[<=8,4], sharding = {devices=[2,2]<=[4]}]
        [bf16[64,512]{1,0:T(8,128)(2,1)S(1)}, sharding = {devices=[2,2]<=[4]}]
        [f32[20], sharding = {devices=[20]0,19,1,18,2,17,3,16,4,15,5,14,6,13,7,12,8,11,9,10}]
        [f32[4], sharding = {devices=[2]<=[2] metadata={op_name="dot"}}]
        [f32[4096,8192], sharding = {devices=[1024,64]<=[64,1024]T(1,0)}]
    }
}

#[test]
fn equal_notations_are_one_type() {
    type A = layout!(f32[8,8], sharding = {devices=[2,4]<=[8]});
    same::<A, layout!(f32[8,8]{1,0}, sharding={ devices=[2, 4] <= [8] })>();
    same::<A, layout!(f32[8,8] <1,0>, sharding = {devices=[2,4]<=[2,4]T(0,1)})>();
    same::<A, layout!(f32[8,8] <1,0>, sharding = {devices=[2,4]0,1,2,3,4,5,6,7})>();
    same::<A, layout!(f32[8,8], sharding = {devices=[2,4]<=[8]}, padded_dimensions = [8, 8])>();
    same::<A, layout!(f32[8,8], sharding = {devices=[2,4]<=[8] metadata={op_name="x"}})>();
    same::<
        layout!(f32[8,8], sharding = {devices=[2,4]<=[4,2]T(1,0)}),
        layout!(f32[8,8], sharding = {devices=[2,4]0,2,4,6,1,3,5,7}),
    >();
    same::<
        layout!(f32[8,8,8], sharding = {devices=[2,2,2]<=[2,2,2]T(2,0,1)}),
        layout!(f32[8,8,8], sharding = {devices=[2,2,2]0,2,4,6,1,3,5,7}),
    >();
    same::<
        layout!(f32[8,8], sharding = {devices=[2,2]<=[2,2]T(1,0)}),
        layout!(f32[8,8], sharding = {devices=[2,2]0,2,1,3}),
    >();
    same::<
        layout!(f32[8], sharding = { replicated }),
        layout!(f32[8], sharding = {devices=[1,8]<=[8] last_tile_dim_replicate}),
    >();
}

#[test]
fn what_each_device_holds_is_a_layout() {
    type A = layout!(bf16[1000,512]{1,0:T(8,128)(2,1)}, sharding = {devices=[3,2]<=[6]});
    type OnDevice = <A as ShardedLayout>::PerDevice;
    same::<OnDevice, layout!(bf16[334,256]{1,0:T(8,128)(2,1)})>();
    same::<<A as ShardedLayout>::Global, layout!(bf16[1000,512]{1,0:T(8,128)(2,1)})>();
    const LAST: [std::ops::Range<usize>; 2] = match A::index_range(5) {
        Some(range) => range,
        None => panic!(),
    };
    assert_eq!(LAST, [668..1000, 256..512]);
    static BUFFER: [u16; OnDevice::BUFFER_LEN] = [0; 336 * 256];
    assert_eq!(BUFFER.len(), 86_016);
    assert_eq!(format!("{:?}", A::NEW), format!("layout!({})", A::NEW));
    // The parts of all devices are the whole, each element once.
    let mut count = 0;
    for device in 0..6 {
        let [rows, columns] = A::index_range(device).unwrap();
        count += rows.len() * columns.len();
    }
    assert_eq!(count, 1000 * 512);
}

#[test]
fn sizes_that_are_not_cut_may_be_anything() {
    fn rows<const N: usize>(_: layout!(f32[8,N], sharding = {devices=[4,1]<=[4]})) -> [usize; 2] {
        type OnDevice<const N: usize> =
            <layout!(f32[8,N], sharding = {devices=[4,1]<=[4]}) as ShardedLayout>::PerDevice;
        [OnDevice::<N>::SIZES[0], OnDevice::<N>::SIZES[1]]
    }
    assert_eq!(
        rows(layout!(f32[8,100], sharding = {devices=[4,1]<=[4]})),
        [2, 100]
    );
    type Rows = layout!(f32[?,512], sharding = {devices=[1,4]<=[4]});
    let on_device: <Rows as ShardedLayout>::PerDevice = layout!(f32[?,128])([7, 512 / 4]).unwrap();
    assert_eq!(on_device.bytes(), 7 * 128 * 4);
    let global = layout!(f32[?,512])([7, 512]).unwrap();
    assert_eq!(Rows::index_range_in(&global, 3), Some([0..7, 384..512]));
    assert_eq!(Rows::index_range_in(&global, 4), None);
    let _: Rows = layout!(f32[?,512], sharding = {devices=[1,4]<=[4]});
}

layout! {
    /// Declared as an item, too.
    pub type Weights = f32[1024,512]{1,0}, sharding = {devices=[2,4]<=[8]};
    type Columns<const N: usize> = f32[N,512], sharding = {devices=[1,4]<=[4]};
}

#[test]
fn declarations() {
    assert_eq!(Weights, <Weights>::NEW);
    assert_eq!(Weights::NUM_DEVICES, Some(8));
    assert_eq!(Columns::<3>::index_range(1), Some([0..3, 128..256]));
    let _: StaticLayout<_, _, _, _> = <<Weights as ShardedLayout>::PerDevice>::NEW;
}
