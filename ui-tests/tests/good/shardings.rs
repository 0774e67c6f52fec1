use xlayout::types::{Replicated, Sharded, ShardedLayout};
use xlayout::{ArrayLayout, ConstLayout, SliceView, layout};

type Weights = layout!(f32[1000,512]{1,0}, sharding = {devices=[3,2]<=[6]});
type OnDevice = <Weights as ShardedLayout>::PerDevice;

const VALUE: Weights = layout!(f32[1000,512]{1,0}, sharding = {devices=[3,2]<=[6]});
const PART: Option<[std::ops::Range<usize>; 2]> = Weights::index_range(5);
static BUFFER: [f32; OnDevice::BUFFER_LEN] = [0.0; 334 * 256];

layout! {
    /// Documented.
    pub type Activations = bf16[64,512]{1,0:T(8,128)(2,1)}, sharding = {devices=[1,4]<=[4]};
    type Rows<const N: usize> = f32[N,8], sharding = {devices=[1,2]<=[2]};
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Model {
    weights: Weights,
    bias: layout!(f32[512], sharding = { replicated }),
}

/// What every device does.
fn on_each_device<L: ShardedLayout<PerDevice: ConstLayout>>(_: L) -> usize {
    <L::PerDevice as ConstLayout>::BYTES
}

fn generic<const N: usize>(_: layout!(f32[4,N], sharding = {devices=[4,1]<=[4]})) -> usize {
    <layout!(f32[4,N], sharding = {devices=[4,1]<=[4]}) as ShardedLayout>::PerDevice::NEW.bytes()
}

macro_rules! by_rows {
    ($name:ident, $rows:literal, $devices:literal) => {
type $name = layout!(f32[$rows,8], sharding = {devices=[$devices,1]<=[$devices]});
    };
}
by_rows!(ByRows, 16, 4);

#[test]
fn works() {
    let view: SliceView<f32, layout!(f32[334,256])> =
        SliceView::new(OnDevice::NEW, &BUFFER[..]).unwrap();
    assert_eq!(view[[333, 255]], 0.0);
    assert_eq!(PART, Some([668..1000, 256..512]));
    assert_eq!(Weights::tile_index(4), Some([2, 0]));
    assert_eq!(on_each_device(VALUE), 334 * 256 * 4);
    assert_eq!(on_each_device(Activations), 64 * 128 * 2);
    assert_eq!(
        generic(layout!(f32[4,100], sharding = {devices=[4,1]<=[4]})),
        400
    );
    assert_eq!(Rows::<3>::PARTS, [1, 2]);
    assert_eq!(ByRows::index_range(3), Some([12..16, 0..8]));
    let _: Sharded<layout!(f32[512]), layout!(f32[512]), Replicated> = Model::default().bias;
    // The devices one by one, as a rule, and in the canonical form are one type.
    let one: layout!(f32[4], sharding = {devices=[4]0,2,1,3}) =
        layout!(f32[4]{0}, sharding = {devices=[4]<=[2,2]T(1,0)});
    assert_eq!(
        one.sharding().unwrap().to_string(),
        "{devices=[4]<=[2,2]T(1,0)}"
    );
    match VALUE {
        layout!(f32[1000,512]{1,0}, sharding = {devices=[3,2]<=[6]}) => {}
        _ => unreachable!(),
    }
}
