//! The camera: framing what was made, and going where it is told.

use catalogue::catalogue;
use glam::{DMat3, DVec3};

use crate::language::{CameraMove, Degree, Determiner, Phrase, Shift, Target, Way};
use crate::plan::{Done, Planner, Problem};
use crate::resolve::Lost;
use crate::world::{Bounds, Camera, Thing, World};

/// Previews are 4:3.
const ASPECT: f64 = 4.0 / 3.0;
/// A three-quarter view from slightly above.
const USUAL_DIRECTION: DVec3 = DVec3::new(0.35, 0.4, 1.0);
/// Air around what is framed.
const AIR: f64 = 1.25;

impl Planner {
    pub(crate) fn move_camera(&mut self, movement: &CameraMove) -> Done {
        self.camera_told = true;
        let everything = self.everything();
        let mut camera = self.world.camera;
        let away = camera.center - camera.look_at;
        match movement {
            CameraMove::Distance(factor) => camera.center = camera.look_at + away * *factor,
            CameraMove::From(direction, target) => {
                camera.up = DVec3::Y;
                let seen = match target {
                    Some(target) => self.looked_at(target)?,
                    None => everything,
                };
                camera = framed(camera, seen, *direction);
            }
            CameraMove::Orbit(degrees) => {
                let turn = DMat3::from_rotation_y(-degrees.to_radians());
                camera.center = camera.look_at + turn * away;
            }
            CameraMove::Shift(shift) => {
                // For a camera forward is the way it looks.
                let way = match shift.way {
                    Way::Front => Way::Back,
                    Way::Back => Way::Front,
                    other => other,
                };
                let by = self.direction(way) * camera_step(*shift, away.length());
                camera.center += by;
            }
            CameraMove::To(point) => camera.center = *point,
            CameraMove::FieldOfView(degrees) => camera.vfov = *degrees,
            CameraMove::LookAt(target) => {
                let bounds = self.looked_at(target)?;
                let near = framed(camera, bounds, away);
                camera.look_at = bounds.center();
                // Only as close as needed to see it well, and so far away that all of it is seen.
                let needed = (near.center - near.look_at).length();
                let widest = framed(camera, everything, away);
                let farthest = (widest.center - widest.look_at).length();
                let distance =
                    (needed * 1.5).min(away.length()).max(needed.min(farthest.max(away.length())));
                camera.center = camera.look_at + away.normalize_or(DVec3::Z) * distance;
            }
            CameraMove::Close(target) => {
                let bounds = self.looked_at(target)?;
                let close = filled(camera, bounds, away);
                // Never farther than before: large things may fill more than the picture.
                let distance = (close.center - close.look_at).length();
                let nearest = 0.8 * (camera.center - bounds.center()).length();
                let way = away.normalize_or(DVec3::Z);
                camera = match distance > nearest && nearest > 0.6 * bounds.extent() {
                    true => Camera { center: close.look_at + way * nearest, ..close },
                    false => close,
                };
            }
            CameraMove::Show(target) => {
                let bounds = self.looked_at(target)?;
                camera = framed(camera, bounds, away);
            }
            CameraMove::Tilt(way, degrees) => camera.look_at = tilted(&camera, *way, *degrees),
            CameraMove::Blur(blur) => {
                camera.aperture = rounded(blur.aperture_share * away.length());
                camera.focus_distance = None;
            }
            CameraMove::Sharp => (camera.aperture, camera.focus_distance) = (0.0, None),
            CameraMove::Frame => camera = framed(camera, everything, away),
        }
        let ground = self.world.ground() + LOWEST;
        let above_ground = self.world.floor().is_some() && before_is_above(&self.world, ground);
        if above_ground && !matches!(movement, CameraMove::To(_)) && camera.center.y < ground {
            camera.center.y = ground;
        }
        if !(1.0..=170.0).contains(&camera.vfov) {
            return Err(Problem::Cannot(format!(
                "A field of view of {}° is not possible: it must be from 1° to 170°.",
                camera.vfov
            )));
        }
        if (camera.center - camera.look_at).length() < 1e-3 {
            return Err(Problem::Cannot(
                "The camera cannot stand at the point it looks at.".to_owned(),
            ));
        }
        self.world.camera = camera;
        Ok(())
    }

    /// What the camera is to look at: these things; all of the scene for "it" when nothing was
    /// spoken of, and for "the garden" where nothing goes by that name.
    fn looked_at(&mut self, target: &Target) -> Result<Bounds, Problem> {
        let scene = |phrase: &Phrase| catalogue().theme(&phrase.text()).is_some();
        let pointed = |phrase: &Phrase| {
            matches!(phrase.determiner, Determiner::It | Determiner::This | Determiner::Them)
                && phrase.head.is_none()
        };
        match self.resolve(target) {
            Ok(ids) => {
                self.context.focus.clone_from(&ids);
                Ok(self.bounds_of(&ids).unwrap_or(self.everything()))
            }
            // "show this from above" before anything was spoken of: all of it.
            Err(Problem::Lost(Lost::NoIt)) => Ok(self.everything()),
            Err(Problem::Lost(Lost::Ambiguous(..))) if target.0.iter().all(pointed) => {
                Ok(self.everything())
            }
            Err(Problem::Lost(Lost::NotFound(_))) if target.0.iter().all(scene) => {
                Ok(self.everything())
            }
            Err(problem) => Err(problem),
        }
    }

    pub(crate) fn everything(&self) -> Bounds {
        World::bounds_of(self.world.objects())
            .unwrap_or(Bounds::around(DVec3::Y * 0.5, DVec3::splat(1.0)))
    }

    /// After making, moving and resizing things: frames all when the scene was empty or when they
    /// are out of the picture, unless the person placed the camera.
    pub(crate) fn keep_in_view(&mut self, before: &World) {
        if self.camera_told {
            return;
        }
        let new = self.world.objects().filter(|thing| thing.origin.is_none());
        let made = World::bounds_of(new);
        if made.is_some() && before.objects().next().is_none() {
            self.world.camera = framed(before.camera, self.everything(), USUAL_DIRECTION);
            return;
        }
        let camera = self.world.camera;
        let made_unseen = made.is_some_and(|made| !sees(&camera, made));
        let lost = self.left_the_picture(before);
        if made_unseen || lost {
            self.world.camera = framed(camera, self.everything(), camera.center - camera.look_at);
        }
        if lost {
            self.remark("The camera moved along, so that everything is in view.");
        }
    }

    /// Whether a thing that was moved or resized was in the picture and is not any more, or has
    /// its middle outside of it.
    fn left_the_picture(&self, before: &World) -> bool {
        let camera = &self.world.camera;
        self.world.objects().any(|thing| {
            let old = thing.origin.as_deref().and_then(|origin| before.find(origin));
            old.map(Thing::bounds).is_some_and(|old| {
                let now = thing.bounds();
                let middle = Bounds::around(now.center(), DVec3::ZERO);
                now != old && !sees(camera, now) && (sees(camera, old) || !sees(camera, middle))
            })
        })
    }
}

/// The least height of the camera above the floor, in metres.
const LOWEST: f64 = 0.1;

fn before_is_above(world: &World, height: f64) -> bool {
    world.camera.center.y >= height - LOWEST
}

fn rounded(length: f64) -> f64 {
    (length * 1000.0).round() / 1000.0
}

/// What the camera looks at when it turns some way where it stands.
fn tilted(camera: &Camera, way: Way, degrees: f64) -> DVec3 {
    let forward = camera.look_at - camera.center;
    let right = forward.cross(camera.up).normalize_or(DVec3::X);
    let (axis, angle) = match way {
        Way::Up => (right, degrees),
        Way::Down => (right, -degrees),
        Way::Left | Way::Back => (DVec3::Y, degrees),
        Way::Right | Way::Front => (DVec3::Y, -degrees),
    };
    let turned = DMat3::from_axis_angle(axis, angle.to_radians()) * forward;
    camera.center + (turned * 100.0).round() / 100.0
}

/// The camera in this direction, as near as shows all of `bounds` with little air.
fn filled(camera: Camera, bounds: Bounds, direction: DVec3) -> Camera {
    const CLOSE: f64 = 1.05;
    framed_with(camera, bounds, direction, CLOSE)
}

fn camera_step(shift: Shift, distance: f64) -> f64 {
    let usual = distance
        * match shift.degree {
            Some(Degree::Slight) => 0.1,
            Some(Degree::Strong) => 0.6,
            None => 0.3,
        };
    shift.metres.unwrap_or(usual)
}

/// The camera in this direction from `bounds`, far enough to see all of it.
pub(crate) fn framed(camera: Camera, bounds: Bounds, direction: DVec3) -> Camera {
    framed_with(camera, bounds, direction, AIR)
}

fn framed_with(camera: Camera, bounds: Bounds, direction: DVec3, air: f64) -> Camera {
    let radius = bounds.size().length() / 2.0;
    let distance = air * radius.max(0.1) / (camera.vfov.clamp(1.0, 170.0).to_radians() / 2.0).sin();
    let center = bounds.center() + direction.normalize_or(DVec3::Z) * distance;
    let tidy = |point: DVec3| (point * 100.0).round() / 100.0;
    Camera { center: tidy(center), look_at: tidy(bounds.center()), ..camera }
}

/// Whether all of `bounds` is in the picture.
pub(crate) fn sees(camera: &Camera, bounds: Bounds) -> bool {
    let forward = (camera.look_at - camera.center).normalize_or(DVec3::NEG_Z);
    let right = forward.cross(camera.up).normalize_or(DVec3::X);
    let up = right.cross(forward);
    let half = (camera.vfov.to_radians() / 2.0).tan();
    bounds.corners().into_iter().all(|corner| {
        let to = corner - camera.center;
        let depth = to.dot(forward);
        depth > 0.0
            && to.dot(up).abs() <= half * depth
            && to.dot(right).abs() <= half * ASPECT * depth
    })
}
