//! Extrusions of outlines.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::{Motion, MotionError};
use crate::document::movable::{MovableProperties, movable};
use crate::document::stretch::Stretch;
use crate::lists::{Holes, Outline};
use crate::values::{Length, Point, Rotation};
use crate::vector::{Vector, rotation_matrix};
use std::f64::consts::PI;

movable! {
    /// A flat outline given a depth: a star, a gear, a letter, a floor plan.
    pub struct Extrusion {
        /// Where [0, 0] of the outline comes to lie, in the middle of the depth.
        pub center: Point,
        /// Corners [x, y], 3 to 500, either way round.
        pub outline: Outline,
        /// What is cut out: outlines within the outline that do not touch it. A doorway is a notch of the outline.
        pub holes: Holes = Holes::default(),
        /// How far it reaches along z, half to each side.
        pub depth: Length,
        /// Euler angles in degrees, applied X, then Y, then Z.
        pub rotation: Rotation = Rotation::NONE,
        /// Cuts the edges off at 45 degrees, so far from each; they catch the light.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub bevel: Option<Length> = None,
    }
    check(self, reader) {
        let loops = self.loops();
        let name = |at: usize| if at == 0 { "outline".into() } else { format!("holes[{}]", at - 1) };
        for (at, corners) in loops.iter().enumerate() {
            if corners.len() < 3 {
                reader.error(&format!("'{}' has no area", name(at)));
                return;
            }
        }
        let corners: usize = loops.iter().map(Vec::len).sum();
        if corners > MAX_CORNERS {
            reader.error(&format!(
                "'outline' and 'holes' may have {MAX_CORNERS} corners together, got {corners}"
            ));
        } else if let Some([one, other]) = crossing(&loops) {
            let told = |[at, edge]: [usize; 2]| format!(
                "the edge from {:?} of '{}'", loops[at][edge], name(at)
            );
            reader.error(&format!("{} meets {}: outlines may not cross or touch themselves or each other",
                told(one), told(other)));
        } else {
            for at in 1..loops.len() {
                let outer = (0..loops.len()).filter(|other| *other != at)
                    .filter(|other| holds(&loops[*other], loops[at][0])).collect::<Vec<_>>();
                if outer != [0] {
                    reader.error(&format!("'{}' must lie within 'outline' and in no other hole", name(at)));
                    return;
                }
            }
            if let Some(bevel) = self.bevel.map(Length::get) {
                if bevel >= 0.5 * self.depth.get() {
                    reader.error(&format!(
                        "'bevel' must be below half the 'depth' ({}), got {bevel}", 0.5 * self.depth.get()
                    ));
                } else if inset(&loops, bevel).is_none() {
                    reader.error(&format!("'bevel' {bevel} is wider than parts of 'outline' or 'holes' allow"));
                }
            }
        }
    }
}

/// The maximum number of corners of an outline and its holes.
const MAX_CORNERS: usize = 1000;

impl Extrusion {
    /// The corners of the outline, counter-clockwise, then those of the holes, clockwise, without
    /// redundant corners.
    pub fn loops(&self) -> Vec<Vec<[f64; 2]>> {
        let outer = oriented(without_idle(self.outline.get()), true);
        let holes = self.holes.get().iter().map(|hole| oriented(without_idle(hole.get()), false));
        [outer].into_iter().chain(holes).collect()
    }

    /// A bevel that rounding or scaling made too wide is halved until it fits.
    fn with_possible_bevel(mut self) -> Result<Self, MotionError> {
        while let Some(bevel) = self.bevel.map(Length::get)
            && (bevel >= 0.5 * self.depth.get() || self.beveled_loops().is_none())
        {
            self.bevel = Some(Length::new(0.5 * bevel).ok_or(MotionError::OutOfRange)?);
        }
        Ok(self)
    }

    /// The loops of the front and the back face, which are smaller by the bevel; corners in the order of
    /// [`loops`](Self::loops). `None` without a bevel.
    pub fn beveled_loops(&self) -> Option<Vec<Vec<[f64; 2]>>> {
        inset(&self.loops(), self.bevel?.get())
    }
}

/// The corners of loops whose edges are moved inwards; `None` if an edge vanishes or edges meet.
fn inset(loops: &[Vec<[f64; 2]>], by: f64) -> Option<Vec<Vec<[f64; 2]>>> {
    let one = |corners: &Vec<[f64; 2]>| {
        let count = corners.len();
        let way = |edge: usize| {
            let ([ax, ay], [bx, by]) = (corners[edge % count], corners[(edge + 1) % count]);
            let length = (bx - ax).hypot(by - ay);
            [(bx - ax) / length, (by - ay) / length]
        };
        let moved: Vec<[f64; 2]> = (0..count)
            .map(|at| {
                let ([ux, uy], [vx, vy]) = (way(at + count - 1), way(at));
                // The inside is on the left of both edges.
                let share = by / (1.0 + ux * vx + uy * vy).max(0.05);
                [corners[at][0] - share * (uy + vy), corners[at][1] + share * (ux + vx)]
            })
            .collect();
        let keeps_its_way = |edge: usize| {
            let ([ax, ay], [bx, by], [x, y]) = (moved[edge], moved[(edge + 1) % count], way(edge));
            (bx - ax) * x + (by - ay) * y > 0.0
        };
        (0..count).all(keeps_its_way).then_some(moved)
    };
    let moved = loops.iter().map(one).collect::<Option<Vec<_>>>()?;
    crossing(&moved).is_none().then_some(moved)
}

/// Twice the signed area of the triangle, positive if it is counter-clockwise.
fn doubled_area([a, b, c]: [[f64; 2]; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The corners without duplicates and without those on the line between their neighbours.
fn without_idle(corners: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut kept: Vec<[f64; 2]> = Vec::new();
    let is_idle = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
        let length = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        let ahead = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) >= 0.0;
        ahead && doubled_area([a, b, c]).abs() <= 1e-12 * length(a, b) * length(b, c)
    };
    for &corner in corners {
        while let [.., a, b] = kept[..]
            && is_idle(a, b, corner)
        {
            kept.pop();
        }
        if kept.last() != Some(&corner) {
            kept.push(corner);
        }
    }
    // Across the start of the loop.
    while kept.len() > 2 {
        let count = kept.len();
        let (first, last) = (kept[0], kept[count - 1]);
        if first == last || is_idle(kept[count - 2], last, first) {
            kept.pop();
        } else if is_idle(last, first, kept[1]) {
            kept.remove(0);
        } else {
            break;
        }
    }
    kept
}

/// The corners in counter-clockwise or clockwise order.
fn oriented(mut corners: Vec<[f64; 2]>, counter_clockwise: bool) -> Vec<[f64; 2]> {
    let first = corners.first().copied().unwrap_or_default();
    let area: f64 = corners.windows(2).map(|pair| doubled_area([first, pair[0], pair[1]])).sum();
    if (area > 0.0) != counter_clockwise {
        corners.reverse();
    }
    corners
}

/// Two edges that intersect without being neighbours, each as the indices of its loop and of the
/// edge in it.
fn crossing(loops: &[Vec<[f64; 2]>]) -> Option<[[usize; 2]; 2]> {
    let edges: Vec<[usize; 2]> = loops
        .iter()
        .enumerate()
        .flat_map(|(at, corners)| (0..corners.len()).map(move |edge| [at, edge]))
        .collect();
    let ends = |[at, edge]: [usize; 2]| {
        let corners = &loops[at];
        [corners[edge], corners[(edge + 1) % corners.len()]]
    };
    for (place, &one) in edges.iter().enumerate() {
        let [a, b] = ends(one);
        for &other in &edges[place + 1..] {
            let count = loops[one[0]].len();
            let apart = (other[1] + count - one[1]) % count;
            let are_neighbours = one[0] == other[0] && (apart == 1 || apart == count - 1);
            if !are_neighbours && meet([a, b], ends(other)) {
                return Some([one, other]);
            }
        }
    }
    None
}

/// Whether two line segments intersect.
fn meet([a, b]: [[f64; 2]; 2], [c, d]: [[f64; 2]; 2]) -> bool {
    let apart = (0..2).any(|axis| {
        a[axis].max(b[axis]) < c[axis].min(d[axis]) || c[axis].max(d[axis]) < a[axis].min(b[axis])
    });
    if apart {
        return false;
    }
    let side = |a, b, c| doubled_area([a, b, c]);
    side(a, b, c) * side(a, b, d) <= 0.0 && side(c, d, a) * side(c, d, b) <= 0.0
}

/// Whether a point is inside a loop.
fn holds(corners: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let mut inside = false;
    for (at, &[from_x, from_y]) in corners.iter().enumerate() {
        let [to_x, to_y] = corners[(at + 1) % corners.len()];
        if (from_y > y) != (to_y > y)
            && x < from_x + (y - from_y) / (to_y - from_y) * (to_x - from_x)
        {
            inside = !inside;
        }
    }
    inside
}

impl ShapeKind for Extrusion {
    const LABEL: &'static str = "Extrusion";
    const ICON: &'static str = "star";
    const FRAME: Frame = Frame::Outline;
    const ON_REQUEST: bool = true;

    fn sample() -> Option<Self> {
        // A star with five points: corners alternate between two circles, the first is at the top.
        let star = (0..10).map(|corner| {
            let radius = if corner % 2 == 0 { 1.0 } else { 0.45 };
            let (sin, cos) = (f64::from(corner) * PI / 5.0).sin_cos();
            [sin, cos].map(|part| (1e3 * radius * part).round() / 1e3)
        });
        Some(Self {
            center: Point::ORIGIN,
            outline: Outline::new(star.collect())?,
            holes: Holes::default(),
            depth: Length::known(0.5),
            rotation: Rotation::NONE,
            bevel: None,
        })
    }

    fn bounds(&self) -> Option<Aabb> {
        let rows = rotation_matrix(self.rotation.get()).map(Vector);
        let half = 0.5 * self.depth.get();
        let center = Vector(self.center.get());
        let boxes = self.outline.get().iter().flat_map(|[x, y]| {
            [-half, half].map(|z| {
                let own = Vector([*x, *y, z]);
                let place = (center + Vector(rows.map(|row| row.dot(own)))).0;
                Aabb { min: place, max: place }
            })
        });
        Some(boxes.reduce(Aabb::union).unwrap_or(Aabb { min: center.0, max: center.0 }))
    }

    fn bevel(&self) -> Option<Length> {
        self.bevel
    }

    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        self.properties_moved(motion)?.with_possible_bevel()
    }

    fn stretched(&self, stretch: &Stretch) -> Result<Option<Self>, MotionError> {
        let outline = |outline: &Outline| {
            let corners = outline.get().iter();
            let corners = corners.map(|[x, y]| [stretch.length(*x, 0), stretch.length(*y, 1)]);
            Outline::new(corners.collect()).ok_or(MotionError::OutOfRange)
        };
        let holes = self.holes.get().iter().map(outline).collect::<Result<_, _>>()?;
        let depth = stretch.length(self.depth.get(), 2);
        let stretched = Self {
            center: stretch.own_point(self.center, self.rotation)?,
            outline: outline(&self.outline)?,
            holes: Holes::new(holes).ok_or(MotionError::OutOfRange)?,
            depth: Length::new(depth).ok_or(MotionError::OutOfRange)?,
            ..self.clone()
        };
        stretched.with_possible_bevel().map(Some)
    }
}
