//! Expectations about the camera.

use glam::DVec3;
use scene::{Camera, read::nearest};
use spatial::{Solid, View};

use crate::moment::Moment;
use crate::range::{Range, range_or};
use crate::selector::{Selector, When};
use crate::thing::Thing;

/// An expectation about the camera.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CameraClaim {
    Unchanged,
    Changed,
    Closer,
    Further,
    ZoomedIn,
    ZoomedOut,
    Higher,
    Lower,
    Left,
    Right,
    Wider,
    Narrower,
    Blurred,
    Sharp,
    /// It is on this side, as seen along -z.
    From(Side),
    LooksAt(Selector),
    Frames(Selector),
    Focuses(Selector),
    /// Degrees.
    Fov(Range),
}

/// A side of the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Front,
    Behind,
    Left,
    Right,
    Above,
    Below,
    /// Slightly above.
    High,
    /// Near the ground or below, without looking down.
    Low,
}

const SIDES: [(&str, Side); 8] = [
    ("front", Side::Front),
    ("behind", Side::Behind),
    ("left", Side::Left),
    ("right", Side::Right),
    ("above", Side::Above),
    ("below", Side::Below),
    ("high", Side::High),
    ("low", Side::Low),
];

/// Expectations without arguments.
const PLAIN: [(&str, CameraClaim); 14] = [
    ("kept", CameraClaim::Unchanged),
    ("changed", CameraClaim::Changed),
    ("closer", CameraClaim::Closer),
    ("further", CameraClaim::Further),
    ("zoomed-in", CameraClaim::ZoomedIn),
    ("zoomed-out", CameraClaim::ZoomedOut),
    ("higher", CameraClaim::Higher),
    ("lower", CameraClaim::Lower),
    ("left", CameraClaim::Left),
    ("right", CameraClaim::Right),
    ("wider", CameraClaim::Wider),
    ("narrower", CameraClaim::Narrower),
    ("blurred", CameraClaim::Blurred),
    ("sharp", CameraClaim::Sharp),
];

/// The smallest noticeable ratio of distances.
const SEEN: f64 = 1.04;
/// The smallest relevant movement, in metres.
const MIN_DISTANCE: f64 = 0.03;
/// The tolerance of a side, in degrees.
const SIDE: f64 = 40.0;

impl CameraClaim {
    pub(super) fn parse(words: &[&str]) -> Result<Self, String> {
        let (word, rest) =
            words.split_first().ok_or("it does not say what became of the camera")?;
        match *word {
            "from" => {
                let side = SIDES.iter().find(|(name, _)| rest == [*name]);
                let names = || SIDES.map(|(name, _)| name).join(", ");
                side.map(|(_, side)| Self::From(*side))
                    .ok_or_else(|| format!("'from' takes one of {}", names()))
            }
            "looks-at" => Selector::parse(rest).map(Self::LooksAt),
            "frames" => Selector::parse(rest).map(Self::Frames),
            "focuses" => Selector::parse(rest).map(Self::Focuses),
            "fov" => range_or(rest, Range::ANY).map(Self::Fov),
            word => {
                let plain = PLAIN.iter().find(|(name, _)| *name == word && rest.is_empty());
                let known = PLAIN.iter().map(|(name, _)| *name);
                let known = known.chain(["from", "looks-at", "frames", "focuses", "fov"]);
                plain.map(|(_, claim)| claim.clone()).ok_or_else(|| {
                    format!(
                        "'camera {}' is not known; did you mean 'camera {}'?",
                        words.join(" "),
                        nearest(word, known)
                    )
                })
            }
        }
    }

    pub(super) fn check(&self, moment: &Moment<'_>) -> Result<(), String> {
        if self.holds(moment) {
            return Ok(());
        }
        let told = |camera: &Camera| {
            format!(
                "{:.2?} looking at {:.2?} with {:.0} degrees",
                camera.center.get(),
                camera.look_at.get(),
                camera.vfov.get()
            )
        };
        let (old, new) = (&moment.before.scene.camera, &moment.after.scene.camera);
        if old == new {
            return Err(format!("it is as it was, at {}", told(new)));
        }
        Err(format!("it went from {} to {}", told(old), told(new)))
    }

    fn holds(&self, moment: &Moment<'_>) -> bool {
        let (old, new) = (&moment.before.scene.camera, &moment.after.scene.camera);
        let center = |camera: &Camera| DVec3::from(camera.center.get());
        let way = center(new) - center(old);
        let (view, target) = (View::of(old), DVec3::from(old.look_at.get()));
        let distance = |camera: &Camera| center(camera).distance(target);
        let nearness = distance(old) / distance(new).max(1e-9);
        let half = |camera: &Camera| (0.5 * camera.vfov.get()).to_radians().tan();
        let zoom = nearness * half(old) / half(new);
        match self {
            Self::Unchanged => old == new,
            Self::Changed => old != new,
            Self::Closer => nearness >= SEEN,
            Self::Further => nearness <= 1.0 / SEEN,
            Self::ZoomedIn => zoom >= SEEN,
            Self::ZoomedOut => zoom <= 1.0 / SEEN,
            Self::Higher => way.y >= MIN_DISTANCE,
            Self::Lower => way.y <= -MIN_DISTANCE,
            Self::Left => way.dot(view.right()) <= -MIN_DISTANCE,
            Self::Right => way.dot(view.right()) >= MIN_DISTANCE,
            Self::Wider => new.vfov.get() > old.vfov.get() + 0.5,
            Self::Narrower => new.vfov.get() < old.vfov.get() - 0.5,
            Self::Blurred => new.aperture.get() > 0.0,
            Self::Sharp => new.aperture.get() == 0.0,
            Self::From(side) => side.holds(new),
            Self::LooksAt(selector) => {
                let view = moment.view();
                things(selector, moment).iter().any(|thing| {
                    let at = view.project(thing.center());
                    at.is_some_and(|at| (at - glam::DVec2::splat(0.5)).length() <= 0.12)
                })
            }
            Self::Frames(selector) => frames(&things(selector, moment), &moment.view()),
            Self::Focuses(selector) => {
                let view = moment.view();
                let sharp = new
                    .focus_distance
                    .map_or(center(new).distance(DVec3::from(new.look_at.get())), |distance| {
                        distance.get()
                    });
                new.aperture.get() > 0.0
                    && things(selector, moment).iter().any(|thing| {
                        let depth = (thing.center() - view.center()).dot(view.forward());
                        let reach = 0.6 * thing.solid.size() + 0.05 * depth;
                        (depth - sharp).abs() <= reach
                            || (thing.center().distance(view.center()) - sharp).abs() <= reach
                    })
            }
            Self::Fov(range) => range.holds(new.vfov.get()),
        }
    }
}

fn things(selector: &Selector, moment: &Moment<'_>) -> Vec<Thing> {
    selector.select(moment, When::After)
}

/// Whether all things are in the image and together not too small.
fn frames(things: &[Thing], view: &View) -> bool {
    let Some(whole) = Solid::union(things.iter().map(|thing| &thing.solid)) else { return false };
    let coverage = view.coverage(&whole);
    coverage.inside >= 0.97 && coverage.screen >= 0.03
}

impl Side {
    fn holds(self, camera: &Camera) -> bool {
        let from = DVec3::from(camera.center.get()) - DVec3::from(camera.look_at.get());
        let from = from.normalize_or(DVec3::Z);
        let above = from.y.asin().to_degrees();
        let is_at = |side: DVec3| {
            let level = from.with_y(0.0).try_normalize();
            level.is_some_and(|level| level.dot(side) >= SIDE.to_radians().cos())
        };
        match self {
            Self::Front => is_at(DVec3::Z) && above < 70.0,
            Self::Behind => is_at(DVec3::NEG_Z) && above < 70.0,
            Self::Left => is_at(DVec3::NEG_X) && above < 70.0,
            Self::Right => is_at(DVec3::X) && above < 70.0,
            Self::Above => above >= 50.0,
            Self::Below => above <= -5.0,
            Self::High => above >= 15.0,
            Self::Low => above <= 8.0,
        }
    }
}
