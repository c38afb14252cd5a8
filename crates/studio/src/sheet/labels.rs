//! Labels of the objects in a picture: they do not overlap, and the most important come first.

use super::canvas::{Area, Canvas, Colour};
use super::text;

/// An object to label.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Named {
    /// The text of the label.
    pub(crate) name: String,
    /// A point well inside it, in pixels.
    pub(crate) point: [f32; 2],
    /// Its radius around that point, in pixels.
    pub(crate) room: f32,
    /// Its colour in the legend, if it has one.
    pub(crate) colour: Option<Colour>,
}

const INK: Colour = [255; 3];
const PLATE: Colour = [12, 14, 20];
/// Opacity of the background of a label: high, so that the text is legible.
const PLATE_SHARE: f32 = 0.82;

/// Sizes for a picture of this height.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    /// Of a line of text.
    text: f32,
    /// The padding of the text.
    margin: f32,
    /// The diameter of the mark at the labelled point.
    dot: f32,
    /// The width of the line from the mark to the label.
    line: f32,
}

/// The height of a line of text in a picture of this size: legible, and small enough to see the
/// picture.
pub(crate) fn text_size([width, height]: [u32; 2]) -> f32 {
    (width.min(2 * height) as f32 / 28.0).clamp(11.0, 18.0)
}

/// Draws the labels in order; returns how many found no room.
pub(crate) fn write_names(canvas: &mut Canvas, things: &[Named]) -> usize {
    let text = text_size(canvas.size());
    let sizes = Sizes { text, margin: 0.22 * text, dot: 0.42 * text, line: 0.1 * text };
    let mut placed: Vec<(usize, Area, String)> = Vec::new();
    for (at, thing) in things.iter().enumerate() {
        let [width, _] = canvas.size();
        let name = text::shortened(&thing.name, sizes.text, 0.45 * width as f32);
        let taken = || placed.iter().map(|(_, area, _)| *area);
        if let Some(area) = place(canvas.area(), thing, &name, &sizes, taken, things) {
            placed.push((at, area, name));
        }
    }
    // Lines are drawn below all labels.
    for (at, area, _) in &placed {
        lead(canvas, &things[*at], *area, &sizes);
    }
    for (at, area, name) in &placed {
        let colour = things[*at].colour;
        if let Some(colour) = colour {
            canvas.plate(area.grown(sizes.line + 1.0), 0.3 * sizes.text, colour, 1.0);
        }
        let share = if colour.is_some() { 1.0 } else { PLATE_SHARE };
        canvas.plate(*area, 0.25 * sizes.text, PLATE, share);
        let corner = [area.left + sizes.margin, area.top + 0.5 * sizes.margin];
        text::write(canvas, name, sizes.text, corner, INK);
    }
    things.len() - placed.len()
}

/// Directions of a label from its object, the preferred ones first.
const AROUND: [[f32; 2]; 12] = [
    [0.0, -1.0],
    [0.8, -0.8],
    [-0.8, -0.8],
    [1.0, 0.0],
    [-1.0, 0.0],
    [0.8, 0.8],
    [-0.8, 0.8],
    [0.0, 1.0],
    [0.5, -1.0],
    [-0.5, -1.0],
    [0.5, 1.0],
    [-0.5, 1.0],
];

/// The place of a label: on the object itself if it is large enough, else as near to it as existing
/// labels and the points of other objects allow.
fn place<I: Iterator<Item = Area>>(
    frame: Area,
    thing: &Named,
    name: &str,
    sizes: &Sizes,
    taken: impl Fn() -> I,
    things: &[Named],
) -> Option<Area> {
    let size = [text::width(name, sizes.text) + 2.0 * sizes.margin, sizes.text + sizes.margin];
    let frame = frame.grown(-2.0);
    let is_free = |area: &Area| !taken().any(|other| other.grown(3.0).meets(*area));
    let cost = |area: &Area, way: f32| {
        let dots = things.iter().map(|other| Area::around(other.point, [sizes.dot; 2]));
        way + 2.0 * sizes.text * dots.filter(|dot| dot.meets(*area)).count() as f32
    };
    let on_it = Area::around(thing.point, size).moved_into(frame);
    let is_large = thing.room >= 0.5 * size[0].min(4.0 * size[1]);
    if is_large && is_free(&on_it) {
        return Some(on_it);
    }
    let rings = [1.0, 2.0, 3.5, 5.5, 8.0].into_iter();
    let candidates = rings.flat_map(|ring: f32| {
        AROUND.into_iter().map(move |[x, y]| {
            let way = thing.room.min(2.0 * sizes.text) + ring * sizes.text;
            let off = [x * (way + 0.5 * size[0] * x.abs()), y * (way + 0.5 * size[1])];
            let middle = [thing.point[0] + off[0], thing.point[1] + off[1]];
            (Area::around(middle, size).moved_into(frame), ring * sizes.text)
        })
    });
    let free = candidates.filter(|(area, _)| is_free(area));
    let costs = free.map(|(area, way)| (cost(&area, way), area));
    costs.reduce(|best, next| if next.0 < best.0 { next } else { best }).map(|(_, area)| area)
}

/// Draws a mark at the labelled point, and a line from there to the label.
fn lead(canvas: &mut Canvas, thing: &Named, area: Area, sizes: &Sizes) {
    let covers = area.grown(sizes.dot).nearest(thing.point) == thing.point;
    if covers {
        return;
    }
    let end = area.nearest(thing.point);
    canvas.line([thing.point, end], sizes.line + 2.0, PLATE);
    canvas.line([thing.point; 2], sizes.dot + 2.0, PLATE);
    canvas.line([thing.point, end], sizes.line, INK);
    canvas.line([thing.point; 2], sizes.dot, thing.colour.unwrap_or(INK));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd(count: usize) -> Vec<Named> {
        (0..count)
            .map(|at| Named {
                name: format!("thing_{at}"),
                point: [(at * 37 % 400) as f32, (at * 53 % 300) as f32],
                room: (at % 7) as f32 * 4.0,
                colour: None,
            })
            .collect()
    }

    #[test]
    fn names_never_lie_over_each_other_and_the_first_find_room() {
        let things = crowd(60);
        let sizes = Sizes { text: 12.0, margin: 3.0, dot: 5.0, line: 1.5 };
        let frame = Canvas::filled(400, 300, [0; 3]).area();
        let mut placed: Vec<Area> = Vec::new();
        for (at, thing) in things.iter().enumerate() {
            let taken = || placed.iter().copied();
            let area = place(frame, thing, &thing.name, &sizes, taken, &things);
            assert!(area.is_some() || at >= 10, "{at}");
            if let Some(area) = area {
                assert!(!placed.iter().any(|other| other.meets(area)));
                assert_eq!(area.moved_into(frame), area, "it lies in the picture");
                placed.push(area);
            }
        }
        let mut canvas = Canvas::filled(400, 300, [90; 3]);
        let left_out = write_names(&mut canvas, &things);
        assert!((1..50).contains(&left_out), "{left_out}");
        let same = Canvas::filled(400, 300, [90; 3]);
        assert_ne!(canvas, same);
    }

    #[test]
    fn a_large_thing_bears_its_name_and_a_small_one_has_it_beside() {
        let sizes = Sizes { text: 12.0, margin: 3.0, dot: 5.0, line: 1.5 };
        let frame = Area { left: 0.0, top: 0.0, right: 400.0, bottom: 300.0 };
        let place_of = |room: f32| {
            let thing = Named { room, ..crowd(1).remove(0) };
            let thing = Named { point: [200.0, 150.0], ..thing };
            place(frame, &thing, "thing", &sizes, std::iter::empty, std::slice::from_ref(&thing))
                .unwrap()
        };
        assert_eq!(place_of(80.0).nearest([200.0, 150.0]), [200.0, 150.0]);
        assert_ne!(place_of(4.0).nearest([200.0, 150.0]), [200.0, 150.0]);
    }
}
