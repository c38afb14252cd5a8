//! What the camera has in its picture, by projection; nothing is hidden by anything here.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};
use scene::{Camera, Projection};

use crate::solid::{Extent, Solid};

/// Width over height of the picture everybody gets unless they ask for another.
pub const ASPECT: f64 = 4.0 / 3.0;

/// A camera's look at the scene.
#[derive(Debug, Clone, Copy)]
pub struct View {
    center: DVec3,
    right: DVec3,
    up: DVec3,
    forward: DVec3,
    projection: Projection,
    /// Half width and half height of the picture: at distance 1, or with parallel sight lines in metres.
    half: DVec2,
}

/// How much of the picture something takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coverage {
    /// The share of the picture, 0 to 1, as if nothing stood before it.
    pub screen: f64,
    /// The share of the thing's own outline that lies in the picture, 0 to 1.
    pub inside: f64,
}

/// Directions in which an outline is looked for.
const OUTLINE_STEPS: usize = 48;
/// The least depth before the camera at which things are projected, in metres.
const NEAREST: f64 = 1e-3;

impl View {
    /// The look of `camera` with a picture of [`ASPECT`].
    pub fn of(camera: &Camera) -> Self {
        Self::with_aspect(camera, ASPECT)
    }

    /// The look of `camera` with a picture `aspect` times as wide as high.
    pub fn with_aspect(camera: &Camera, aspect: f64) -> Self {
        let center = DVec3::from(camera.center.get());
        let forward = (DVec3::from(camera.look_at.get()) - center).normalize();
        let up = DVec3::from(camera.up.get()).normalize();
        let right = forward.cross(up).try_normalize().unwrap_or_else(|| {
            // Straight up or down: as the tracer turns it.
            let level = if up.x.abs() > 0.9 { DVec3::Y } else { DVec3::X };
            (level - up * level.dot(up)).normalize()
        });
        let half_height = match camera.projection {
            Projection::Orthographic => 0.5 * camera.view_height(),
            _ => (0.5 * camera.vfov.get()).to_radians().tan(),
        };
        let half = DVec2::new(half_height * aspect, half_height);
        let projection = camera.projection;
        Self { center, right, up: right.cross(forward), forward, projection, half }
    }

    /// Where the camera stands.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// The unit vector into the middle of the picture.
    pub fn forward(&self) -> DVec3 {
        self.forward
    }

    /// The unit vector to the viewer's right.
    pub fn right(&self) -> DVec3 {
        self.right
    }

    /// Right, up and forward of `point` before the camera, in metres.
    fn local(&self, point: DVec3) -> DVec3 {
        let way = point - self.center;
        DVec3::new(way.dot(self.right), way.dot(self.up), way.dot(self.forward))
    }

    /// Where in the picture a point is seen: (0, 0) is its top left, (1, 1) its bottom right corner;
    /// `None` for what is not before the camera.
    pub fn project(&self, point: DVec3) -> Option<DVec2> {
        let local = self.local(point);
        let is_seen = match self.projection {
            Projection::Panoramic => local.length() >= NEAREST,
            _ => local.z >= NEAREST,
        };
        let at = self.flat(local);
        is_seen.then(|| DVec2::new(0.5 * (1.0 + at.x), 0.5 * (1.0 - at.y)))
    }

    /// Where in the picture, from -1 at its left and lower edges to 1, something before the camera is.
    fn flat(&self, local: DVec3) -> DVec2 {
        match self.projection {
            Projection::Perspective => local.truncate() / (local.z * self.half),
            Projection::Orthographic => local.truncate() / self.half,
            Projection::Panoramic => {
                let height = local.y.atan2(local.x.hypot(local.z));
                DVec2::new(local.x.atan2(local.z) / PI, height / (0.5 * PI))
            }
        }
    }

    /// From where a point is seen, the unit vector to it.
    fn sight(&self, point: DVec3) -> DVec3 {
        match self.projection {
            Projection::Orthographic => self.forward,
            _ => (point - self.center).normalize_or(self.forward),
        }
    }

    /// Whether at least the share `least` of the outline of `solid` lies in the picture; cheaper than
    /// [`coverage`](Self::coverage) for what lies wholly inside or outside.
    pub fn shows(&self, solid: &Solid, least: f64) -> bool {
        let is_in = |corner: DVec3| {
            self.project(corner)
                .is_some_and(|at| at.cmpge(DVec2::ZERO).all() && at.cmple(DVec2::ONE).all())
        };
        corners(solid.extent()).into_iter().all(is_in) || self.coverage(solid).inside >= least
    }

    /// Whether the box has a point before the camera within the four sides of the picture; may say
    /// yes for one that just misses a corner.
    pub fn may_see(&self, extent: Extent) -> bool {
        if self.projection == Projection::Panoramic {
            return true;
        }
        let corners = corners(extent).map(|corner| self.local(corner));
        // With parallel sight lines the picture is as wide at any depth.
        let depth =
            |at: &DVec3| if self.projection == Projection::Orthographic { 1.0 } else { at.z };
        let all = |is_out: &dyn Fn(&DVec3) -> bool| corners.iter().all(is_out);
        let half = self.half;
        !(all(&|at| at.z < NEAREST)
            || all(&|at| at.x > half.x * depth(at))
            || all(&|at| at.x < -half.x * depth(at))
            || all(&|at| at.y > half.y * depth(at))
            || all(&|at| at.y < -half.y * depth(at)))
    }

    /// How much of the picture `solid` takes. For what reaches behind the camera only the part
    /// before it counts, and the shares are rough.
    pub fn coverage(&self, solid: &Solid) -> Coverage {
        if !self.may_see(solid.extent()) {
            return Coverage { screen: 0.0, inside: 0.0 };
        }
        let mut points = Vec::new();
        let mut outline = Vec::with_capacity(3 * OUTLINE_STEPS);
        for at in 0..OUTLINE_STEPS {
            let angle = at as f64 * std::f64::consts::TAU / OUTLINE_STEPS as f64;
            let aside = self.right * angle.cos() + self.up * angle.sin();
            let mut normal = aside;
            // Where the line of sight just touches: its normal is perpendicular to it.
            for _ in 0..3 {
                let point = solid.farthest(normal);
                outline.push(self.local(point));
                let sight = self.sight(point);
                normal = (aside - sight * aside.dot(sight)).try_normalize().unwrap_or(aside);
            }
        }
        let middle = self.local(solid.extent().center());
        if self.projection == Projection::Panoramic {
            return self.coverage_all_around(&outline, middle);
        }
        for point in &outline {
            // What is behind is drawn forward along the line to something before the camera.
            let front = outline.iter().chain([&middle]).find(|other| other.z > NEAREST);
            let shown = match front {
                _ if point.z > NEAREST => *point,
                Some(front) => point.lerp(*front, (NEAREST - point.z) / (front.z - point.z)),
                None => continue,
            };
            points.push(self.flat(shown));
        }
        let hull = hull(points);
        let whole = area(&hull);
        let shown = area(&clipped(hull));
        Coverage {
            screen: shown / 4.0,
            inside: if whole > 0.0 { (shown / whole).min(1.0) } else { 1.0 },
        }
    }
}

impl View {
    /// How much of a panorama an outline takes; what goes round behind the viewer is unrolled from its
    /// own `middle`.
    fn coverage_all_around(&self, outline: &[DVec3], middle: DVec3) -> Coverage {
        let middle = self.flat(middle);
        let unrolled = outline.iter().map(|point| {
            let at = self.flat(*point);
            let aside = at.x - middle.x;
            // Half the picture is 1 wide, a whole turn 2.
            DVec2::new(aside - 2.0 * (0.5 * aside).round(), at.y)
        });
        let share = area(&hull(unrolled.collect())) / 4.0;
        Coverage { screen: share.min(1.0), inside: 1.0 }
    }
}

/// The corners of a box.
fn corners(extent: Extent) -> [DVec3; 8] {
    std::array::from_fn(|at| {
        let pick = |axis: usize| if at >> axis & 1 == 0 { extent.min } else { extent.max };
        DVec3::new(pick(0).x, pick(1).y, pick(2).z)
    })
}

/// The convex hull, counter-clockwise. Andrew's monotone chain.
fn hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|one, other| one.x.total_cmp(&other.x).then(one.y.total_cmp(&other.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut hull: Vec<DVec2> = Vec::with_capacity(points.len());
    let add = |hull: &mut Vec<DVec2>, fixed: usize, point: DVec2| {
        while hull.len() >= fixed + 2 {
            let (last, before) = (hull[hull.len() - 1], hull[hull.len() - 2]);
            if (last - before).perp_dot(point - last) > 0.0 {
                break;
            }
            hull.pop();
        }
        hull.push(point);
    };
    points.iter().for_each(|point| add(&mut hull, 0, *point));
    let lower = hull.len() - 1;
    points.iter().rev().skip(1).for_each(|point| add(&mut hull, lower, *point));
    hull.pop();
    hull
}

/// What of a convex polygon lies within ±1 on both axes. Sutherland and Hodgman 1974.
fn clipped(polygon: Vec<DVec2>) -> Vec<DVec2> {
    [DVec2::X, -DVec2::X, DVec2::Y, -DVec2::Y].into_iter().fold(polygon, |polygon, side| {
        let room = |point: DVec2| 1.0 - point.dot(side);
        let mut kept = Vec::with_capacity(polygon.len() + 2);
        for (at, point) in polygon.iter().enumerate() {
            let next = polygon[(at + 1) % polygon.len()];
            let (here, there) = (room(*point), room(next));
            if here >= 0.0 {
                kept.push(*point);
            }
            if (here >= 0.0) != (there >= 0.0) {
                kept.push(point.lerp(next, here / (here - there)));
            }
        }
        kept
    })
}

fn area(polygon: &[DVec2]) -> f64 {
    let next = |at: usize| polygon[(at + 1) % polygon.len()];
    0.5 * polygon.iter().enumerate().map(|(at, point)| point.perp_dot(next(at))).sum::<f64>().abs()
}

#[cfg(test)]
mod tests {
    use scene::{NoAssets, Scene};
    use serde_json::{Value, json};

    use super::*;

    fn coverage(kind: &str, properties: &Value) -> Coverage {
        let scene = Scene::from_json(&json!({ "version": 1, "shapes": [
            { "id": "a", "type": kind, "properties": properties } ] }));
        let scene = scene.expect("a good scene");
        let solid = Solid::of_shape(&scene.shapes[0].geometry, &NoAssets).expect("no mesh");
        View::of(&scene.camera).coverage(&solid)
    }

    #[test]
    fn shares_of_the_picture_are_those_of_the_outline() {
        // The camera stands 5 m before the origin; 45 degrees show 4.142 m of height there.
        let height = 10.0 * (22.5f64).to_radians().tan();
        let square = json!({ "corner": [-1, -1, 0], "u": [2, 0, 0], "v": [0, 2, 0] });
        let seen = coverage("quad", &square);
        assert!((seen.screen - 4.0 / (height * height * ASPECT)).abs() < 1e-6, "{seen:?}");
        assert_eq!(seen.inside, 1.0);
        // A ball's outline is a little larger than its great circle: tangents touch nearer.
        let seen = coverage("sphere", &json!({ "center": [0, 0, 0], "radius": 1 }));
        let tangent = 1.0 / (24f64).sqrt() * 5.0;
        let disc = std::f64::consts::PI * tangent * tangent / (height * height * ASPECT);
        assert!((seen.screen / disc - 1.0).abs() < 0.01, "{seen:?} {disc}");
        let half_out =
            json!({ "corner": [0, -1, 0], "u": [height * ASPECT, 0, 0], "v": [0, 2, 0] });
        let seen = coverage("quad", &half_out);
        assert!((seen.inside - 0.5).abs() < 1e-6, "{seen:?}");
        let behind = coverage("sphere", &json!({ "center": [0, 0, 9], "radius": 1 }));
        assert_eq!(behind, Coverage { screen: 0.0, inside: 0.0 });
        // A floor under the camera reaches behind it and fills about the lower half.
        let floor = json!({ "corner": [-50, -1, 50], "u": [100, 0, 0], "v": [0, 0, -100] });
        let seen = coverage("quad", &floor);
        assert!((0.35..0.65).contains(&seen.screen), "{seen:?}");
    }
}
