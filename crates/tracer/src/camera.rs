//! The camera: a thin lens, an orthographic or a panoramic one.

use std::f32::consts::{PI, TAU};

use crate::ray::Ray;
use crate::sampling::unit_disc;
use crate::vector::point;
use crate::vector::single;
use glam::{DVec3, Vec2, Vec3A};
use scene::Projection;

/// The largest number below 1.
const BELOW_ONE: f32 = 1.0 - f32::EPSILON / 2.0;

/// A camera in world space. PBR 4e, section 5.2.3.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Camera {
    center: Vec3A,
    right: Vec3A,
    up: Vec3A,
    forward: Vec3A,
    projection: Projection,
    /// Half the height of the image: at distance 1, or in metres for an orthographic camera.
    half_height: f32,
    lens_radius: f32,
    /// Whether it is a pinhole camera: a perspective without depth of field.
    is_pinhole: bool,
    /// The distance of the focal plane along `forward`.
    focus_distance: f32,
}

/// The projection of a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sight {
    /// The position in the image, from (0, 0) at its top left to (1, 1) at its bottom right.
    pub(crate) at: Vec2,
    /// The point on the lens.
    pub(crate) origin: Vec3A,
    /// The unit vector from there to the point.
    pub(crate) direction: Vec3A,
    pub(crate) distance: f32,
    /// See [`Camera::direction_pdf`].
    pub(crate) pdf: f32,
}

impl Camera {
    pub(crate) fn new(camera: &scene::Camera) -> Self {
        let center = point(camera.center);
        let to_look_at = point(camera.look_at) - center;
        let forward = to_look_at.normalize();
        let right = right_of(forward, camera.up.get().into());
        let focus = camera.focus_distance.map_or(to_look_at.length(), scene::Length::get);
        Self {
            center: single(center),
            right: single(right),
            up: single(right.cross(forward)),
            forward: single(forward),
            projection: camera.projection,
            half_height: match camera.projection {
                Projection::Orthographic => 0.5 * camera.view_height(),
                _ => (0.5 * camera.vfov.get()).to_radians().tan(),
            } as f32,
            lens_radius: (0.5 * camera.aperture.get()) as f32,
            is_pinhole: camera.projection == Projection::Perspective
                && camera.aperture.get() == 0.0,
            focus_distance: focus as f32,
        }
    }

    /// The ray through the point `at` of the image, from (0, 0) at its top left to (1, 1) at its
    /// bottom right, starting from the point on the lens for `lens` in the unit square. `aspect` is
    /// width over height.
    pub(crate) fn ray(&self, at: Vec2, aspect: f32, lens: [f32; 2]) -> Ray {
        let across = (2.0 * at.x - 1.0) * aspect * self.half_height;
        let upwards = (1.0 - 2.0 * at.y) * self.half_height;
        let aside = across * self.right + upwards * self.up;
        if self.is_pinhole {
            return Ray::new(self.center, (self.forward + aside).normalize());
        }
        match self.projection {
            Projection::Perspective => self.ray_through_lens(aside, lens),
            Projection::Orthographic => self.parallel_ray(aside, lens),
            Projection::Panoramic => Ray::new(self.center, self.all_around(at)),
        }
    }

    /// The ray from a point on the lens to the point of the focal plane with the offset `aside`
    /// from the image centre.
    fn ray_through_lens(&self, aside: Vec3A, lens: [f32; 2]) -> Ray {
        let toward = self.forward + aside;
        let shift = self.on_lens(lens);
        // `toward` has length 1 along the axis, so this is in the focal plane.
        let direction = toward * self.focus_distance - shift;
        Ray::new(self.center + shift, direction.normalize())
    }

    /// The orthographic ray with the offset `aside` from the image centre; with a lens, from a
    /// point on it to the same point of the focal plane.
    #[inline(never)]
    fn parallel_ray(&self, aside: Vec3A, lens: [f32; 2]) -> Ray {
        if self.lens_radius == 0.0 {
            return Ray::new(self.center + aside, self.forward);
        }
        let shift = self.on_lens(lens);
        let direction = self.forward * self.focus_distance - shift;
        Ray::new(self.center + aside + shift, direction.normalize())
    }

    /// The direction of a point in an equirectangular image.
    #[inline(never)]
    fn all_around(&self, at: Vec2) -> Vec3A {
        let (across, down) = (TAU * (at.x - 0.5), PI * at.y);
        let level = self.forward * across.cos() + self.right * across.sin();
        level * down.sin() + self.up * down.cos()
    }

    /// [`sight`](Self::sight) for an equirectangular image.
    #[inline(never)]
    fn sight_all_around(&self, point: Vec3A) -> Option<Sight> {
        let way = point - self.center;
        let distance = way.length();
        if distance == 0.0 {
            return None;
        }
        let direction = way / distance;
        let across = direction.dot(self.right).atan2(direction.dot(self.forward));
        let down = direction.dot(self.up).clamp(-1.0, 1.0).acos();
        // Rounding may lead to the edge, which belongs to the next pixel.
        let at = Vec2::new(across / TAU + 0.5, down / PI).clamp(Vec2::ZERO, Vec2::splat(BELOW_ONE));
        let pdf = self.direction_pdf(direction, 1.0);
        Some(Sight { at, origin: self.center, direction, distance, pdf })
    }

    /// Projects `point` through a point on the lens; `None` outside the image, and for an
    /// orthographic camera, whose rays hit a given point with probability 0.
    pub(crate) fn sight(&self, point: Vec3A, aspect: f32, lens: [f32; 2]) -> Option<Sight> {
        match self.projection {
            Projection::Perspective => {}
            Projection::Orthographic => return None,
            Projection::Panoramic => return self.sight_all_around(point),
        }
        let shift = if self.lens_radius == 0.0 { Vec3A::ZERO } else { self.on_lens(lens) };
        let origin = self.center + shift;
        let way = point - origin;
        let depth = way.dot(self.forward);
        let distance = way.length();
        if depth <= 0.0 || distance == 0.0 {
            return None;
        }
        // Where the ray hits the focal plane, as seen from the lens centre, at depth 1. A pinhole
        // is sharp at any depth.
        let toward = if self.lens_radius == 0.0 {
            way / depth
        } else {
            shift / self.focus_distance + way / depth
        };
        let across = toward.dot(self.right) / (aspect * self.half_height);
        let upwards = toward.dot(self.up) / self.half_height;
        let at = Vec2::new(0.5 * (1.0 + across), 0.5 * (1.0 - upwards));
        let direction = way / distance;
        let visible = at.cmpge(Vec2::ZERO).all() && at.cmplt(Vec2::ONE).all();
        visible.then(|| Sight {
            at,
            origin,
            direction,
            distance,
            pdf: self.direction_pdf(direction, aspect),
        })
    }

    /// The pdf, per steradian, of the unit vector `direction` among rays from a point on the lens
    /// to uniform points of the image. PBR 4e, section 5.4.1. Infinite for an orthographic camera.
    pub(crate) fn direction_pdf(&self, direction: Vec3A, aspect: f32) -> f32 {
        match self.projection {
            Projection::Perspective => {}
            Projection::Orthographic => return f32::INFINITY,
            Projection::Panoramic => {
                let upwards = direction.dot(self.up);
                let level = (1.0 - upwards * upwards).max(1e-12).sqrt();
                return 1.0 / (2.0 * PI * PI * level);
            }
        }
        let cos = direction.dot(self.forward);
        let area = 4.0 * self.half_height * self.half_height * aspect;
        1.0 / (area * cos * cos * cos)
    }

    /// The point on the lens for two numbers in 0..1, relative to its centre.
    fn on_lens(&self, lens: [f32; 2]) -> Vec3A {
        let on_lens = self.lens_radius * unit_disc(lens);
        on_lens.x * self.right + on_lens.y * self.up
    }
}

/// The unit vector to the right of a view along `forward`. If that is parallel to `up`, the top of
/// the image is -z (looking down) or +z (looking up), as after tilting from a level view along -z.
fn right_of(forward: DVec3, up: DVec3) -> DVec3 {
    let up = up.normalize();
    let right = forward.cross(up);
    if right.length() > 1e-6 {
        return right.normalize();
    }
    let level = if up.x.abs() > 0.9 { DVec3::Y } else { DVec3::X };
    (level - up * level.dot(up)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera(json: &str) -> Camera {
        let file = format!(r#"{{"version": 1, "shapes": [], "camera": {json}}}"#);
        Camera::new(&scene::Scene::from_json_text(&file).unwrap().camera)
    }

    fn assert_near(actual: Vec3A, expected: [f32; 3]) {
        let expected = Vec3A::from_array(expected);
        assert!((actual - expected).length() < 1e-5, "{actual} is not {expected}");
    }

    const MIDDLE: Vec2 = Vec2::splat(0.5);

    #[test]
    fn the_corners_of_the_picture_are_where_they_belong() {
        let camera = camera(r#"{"center": [0,0,5], "look_at": [0,0,0], "vfov": 90}"#);
        let towards = |x, y| {
            let direction = camera.ray(Vec2::new(x, y), 2.0, [0.5; 2]).direction;
            direction / -direction.z
        };
        assert_near(towards(0.5, 0.5), [0.0, 0.0, -1.0]);
        assert_near(towards(0.0, 0.0), [-2.0, 1.0, -1.0]);
        assert_near(towards(1.0, 1.0), [2.0, -1.0, -1.0]);
    }

    #[test]
    fn all_rays_of_a_picture_point_meet_in_the_sharp_plane() {
        let thin = camera(
            r#"{"center": [1,2,3], "look_at": [1,2,-7], "aperture": 2, "focus_distance": 4}"#,
        );
        for at in [MIDDLE, Vec2::new(0.1, 0.2), Vec2::new(0.9, 0.6)] {
            let meet = |lens| {
                let ray = thin.ray(at, 1.5, lens);
                ray.at((-1.0 - ray.origin.z) / ray.direction.z)
            };
            let expected = meet([0.5, 0.5]);
            for lens in [[0.0, 0.5], [0.99, 0.5], [0.5, 0.01], [0.3, 0.8]] {
                assert_near(meet(lens), expected.to_array());
            }
        }
        let edge = thin.ray(MIDDLE, 1.0, [0.0, 0.5]).origin;
        assert!(((edge - Vec3A::new(1.0, 2.0, 3.0)).length() - 1.0).abs() < 1e-5, "radius 1");
    }

    #[test]
    fn a_point_is_seen_where_a_ray_to_it_starts() {
        let thin =
            r#"{"center": [1,2,3], "look_at": [2,1,-7], "aperture": 2, "focus_distance": 4}"#;
        let sharp = r#"{"center": [1,2,3], "look_at": [2,1,-7], "vfov": 70}"#;
        for camera in [camera(thin), camera(sharp)] {
            for at in [MIDDLE, Vec2::new(0.1, 0.2), Vec2::new(0.9, 0.6)] {
                for lens in [[0.5, 0.5], [0.1, 0.3], [0.9, 0.8]] {
                    let ray = camera.ray(at, 1.5, lens);
                    let sight = camera.sight(ray.at(9.0), 1.5, lens).unwrap();
                    assert!((sight.at - at).length() < 1e-4, "{} is not {at}", sight.at);
                    assert_near(sight.origin, ray.origin.to_array());
                    assert_near(sight.direction, ray.direction.to_array());
                    assert!(camera.sight(ray.at(-1.0), 1.5, lens).is_none(), "behind");
                }
            }
        }
    }

    #[test]
    fn the_rays_of_a_picture_have_the_density_of_their_directions() {
        let camera = camera(r#"{"center": [0,0,0], "look_at": [1,2,-3], "vfov": 80}"#);
        crate::chi_square::check_directions(
            "picture",
            |[x, y]| Some(camera.ray(Vec2::new(x, y), 1.5, [0.5; 2]).direction),
            |direction| camera.sight(direction * 5.0, 1.5, [0.5; 2]).map_or(0.0, |sight| sight.pdf),
        );
    }

    #[test]
    fn orthographic_rays_are_parallel_and_span_the_height() {
        let flat = camera(
            r#"{"center": [0,0,5], "look_at": [0,0,0], "projection": "orthographic", "height": 3}"#,
        );
        for (x, y, expected) in [
            (0.5, 0.5, [0.0, 0.0, 5.0]),
            (0.0, 0.0, [-3.0, 1.5, 5.0]),
            (1.0, 1.0, [3.0, -1.5, 5.0]),
        ] {
            let ray = flat.ray(Vec2::new(x, y), 2.0, [0.5; 2]);
            assert_near(ray.origin, expected);
            assert_near(ray.direction, [0.0, 0.0, -1.0]);
        }
        // The height is derived from the perspective view at `look_at`.
        let derived = r#"{"center": [0,0,5], "look_at": [0,0,0], "vfov": 90,
                          "projection": "orthographic"}"#;
        assert_near(
            camera(derived).ray(Vec2::new(0.5, 0.0), 1.0, [0.5; 2]).origin,
            [0.0, 5.0, 5.0],
        );
        let lens = r#"{"center": [0,0,5], "look_at": [0,0,0], "aperture": 1, "height": 3,
                       "focus_distance": 4, "projection": "orthographic"}"#;
        for point in [[0.1, 0.3], [0.9, 0.8]] {
            let ray = camera(lens).ray(Vec2::new(0.5, 0.0), 1.0, point);
            assert_near(ray.at((ray.origin.z - 1.0) / -ray.direction.z), [0.0, 1.5, 1.0]);
        }
    }

    #[test]
    fn a_panorama_looks_everywhere_once() {
        let round = camera(r#"{"center": [1,2,3], "look_at": [1,2,0], "projection": "panoramic"}"#);
        let towards = |x, y| round.ray(Vec2::new(x, y), 2.0, [0.5; 2]).direction;
        assert_near(towards(0.5, 0.5), [0.0, 0.0, -1.0]);
        assert_near(towards(0.75, 0.5), [1.0, 0.0, 0.0]);
        assert_near(towards(0.25, 0.5), [-1.0, 0.0, 0.0]);
        assert_near(towards(0.3, 0.0), [0.0, 1.0, 0.0]);
        for at in [Vec2::new(0.1, 0.2), Vec2::new(0.9, 0.6), MIDDLE] {
            let sight = round.sight(round.ray(at, 2.0, [0.5; 2]).at(7.0), 2.0, [0.5; 2]).unwrap();
            assert!((sight.at - at).length() < 1e-4, "{} is not {at}", sight.at);
        }
        crate::chi_square::check_directions(
            "panorama",
            |[x, y]| Some(round.ray(Vec2::new(x, y), 1.0, [0.5; 2]).direction),
            |direction| round.direction_pdf(direction, 1.0),
        );
    }

    #[test]
    fn without_a_focus_distance_look_at_is_sharp() {
        let thin = camera(r#"{"center": [0,0,0], "look_at": [3,4,0], "aperture": 1}"#);
        let ray = thin.ray(MIDDLE, 1.0, [0.1, 0.7]);
        let along = (Vec3A::new(3.0, 4.0, 0.0) - ray.origin).length();
        assert_near(ray.at(along), [3.0, 4.0, 0.0]);
    }

    #[test]
    fn looking_along_up_still_gives_a_frame() {
        for (look_at, top) in [([0, -5, 0], [0.0, 0.0, -1.0]), ([0, 5, 0], [0.0, 0.0, 1.0])] {
            let camera = camera(&format!(r#"{{"center": [0,0,0], "look_at": {look_at:?}}}"#));
            assert_near(camera.up, top);
            assert_near(camera.right, [1.0, 0.0, 0.0]);
        }
    }
}
