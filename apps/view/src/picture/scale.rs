//! The scale of colours: it covers the positions that a picture shows.
//!
//! The colour of a place is its rank among the places that are shown. So the colours cover the
//! whole map, also where the picture shows one slice of a large array, or the ends of it. Where all
//! places are shown, the colour is proportional to the place.

use super::colour::Shade;
use super::panel::{Element, Panel, PanelCell};

/// The number of elements of memory that count as shown. The number that fits depends on the width.
const MEMORY: usize = 64;

/// Sets the colours of all elements. If `together`, the panels have one scale: an element has the
/// same colour in each.
pub(crate) fn scale(panels: &mut [Panel], together: bool) {
    if !together {
        return (panels.chunks_mut(1)).for_each(|panel| scale(panel, true));
    }
    let of_grids = |panel: &Panel| -> Vec<usize> {
        let cells = panel.grids.iter().flat_map(|grid| &grid.cells).flatten();
        let cells = cells.chain(panel.memory.iter().take(MEMORY));
        let elements = cells.filter_map(|cell| cell.element.as_ref());
        elements.filter_map(|element| element.scaled_by).collect()
    };
    let mut places: Vec<usize> = panels.iter().flat_map(of_grids).collect();
    places.sort_unstable();
    places.dedup();
    let (Some(&first), Some(&last)) = (places.first(), places.last()) else {
        return;
    };
    let middle = places[places.len() / 2];
    // The widths in 128 bits: their sum has no overflow.
    let width = (last - first) as u128;
    let before = (middle - first) as u128;
    let even = (2 * before).abs_diff(width) * 8 <= width;
    for panel in panels {
        panel.scale.first = first;
        panel.scale.last = last;
        panel.scale.middle = (!even).then_some(middle);
        for element in elements(panel) {
            let rank = element
                .scaled_by
                .map_or(0, |place| places.partition_point(|&other| other < place));
            element.shade = Shade::of(rank, places.len());
        }
    }
}

fn elements(panel: &mut Panel) -> impl Iterator<Item = &mut Element> {
    let of_grids = panel.grids.iter_mut().flat_map(|grid| &mut grid.cells);
    let cells = of_grids.flatten().chain(&mut panel.memory);
    cells.filter_map(|cell: &mut PanelCell| cell.element.as_mut())
}

#[cfg(test)]
mod tests {
    use super::super::panel::{Colours, Limits};
    use super::super::slices::Slices;
    use super::super::subject::Subject;
    use super::*;

    fn panel(shape: &str, slice: Option<&str>, columns: usize) -> Panel {
        let layout: xlayout::DynLayout = shape.parse().expect("a shape of this test");
        let slices = Slices::of(&layout, None, slice, 2).expect("a slice of this test");
        let limits = Limits {
            rows: 8,
            columns,
            places: 32,
        };
        let panel = Subject::new(layout).panel("", &slices, limits, &Colours::Own);
        let mut panels = [panel];
        scale(&mut panels, true);
        let [panel] = panels;
        panel
    }

    fn shades(panel: &mut Panel) -> Vec<(usize, Shade)> {
        let mut all: Vec<_> = elements(panel)
            .map(|element| (element.scaled_by.unwrap_or(0), element.shade))
            .collect();
        all.sort_by_cached_key(|(place, _)| *place);
        all
    }

    #[test]
    fn the_colours_cover_what_is_shown() {
        for (shape, slice) in [
            ("f32[4,6]", None),
            ("f32[64,256]{1,0:T(8,128)}", None),
            ("f32[8,3,224,224]", Some("7,2,:,:")),
            ("f32[100,3]{0,1}", None),
        ] {
            let mut panel = panel(shape, slice, 6);
            let all = shades(&mut panel);
            assert_eq!(
                all.first().map(|shaded| shaded.1),
                Some(Shade::of(0, 2)),
                "{shape}"
            );
            assert_eq!(
                all.last().map(|shaded| shaded.1),
                Some(Shade::of(1, 2)),
                "{shape}"
            );
            // Each colour is lighter than the one before.
            let darker = |pair: &[(usize, Shade)]| pair[0].1.colour() == pair[1].1.colour();
            let same = all.windows(2).filter(|pair| pair[0].0 != pair[1].0);
            assert!(
                same.clone().count() > 10 && !same.clone().all(darker),
                "{shape}"
            );
        }
    }

    #[test]
    fn a_whole_array_is_coloured_by_its_places() {
        let mut panel = panel("f32[4,6]", None, 6);
        for (place, shade) in shades(&mut panel) {
            assert_eq!(shade, Shade::of(place, 24));
        }
        assert_eq!(
            (panel.scale.first, panel.scale.last, panel.scale.middle),
            (0, 23, None)
        );
    }

    #[test]
    fn a_slice_says_where_its_colours_begin() {
        let panel = panel("f32[8,3,224,224]", Some("7,2,:,:"), 6);
        assert_eq!(panel.scale.first, (7 * 3 + 2) * 224 * 224);
        assert_eq!(panel.scale.last, 8 * 3 * 224 * 224 - 1);
        assert_eq!(panel.memory[0].place, panel.scale.first);
    }
}
