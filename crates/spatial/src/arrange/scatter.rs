//! Copies at random places, free of each other and of everything else.

use std::collections::HashSet;
use std::f64::consts::TAU;

use glam::{DMat3, DQuat, DVec3};
use scene::{Length, LengthOrZero, Motion, Violations, euler_angles};

use crate::args::{Count, Interval, Seed};
use crate::solid::{Cast, Solid};
use crate::space::{Space, Unit};

use super::curve::Curve;
use super::pattern::Array;

/// Places tried for each copy before giving up: with half of the room taken, a thousand tries fail
/// by chance never.
const TRIES: u32 = 1_000;

/// Random numbers: SplitMix64 (Steele, Lea and Flood 2014), so that a seed gives the same layout for
/// ever.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: Seed) -> Self {
        Self(seed.get())
    }

    /// A number below `count`.
    pub(super) fn below(&mut self, count: usize) -> usize {
        (self.next() * count as f64) as usize
    }

    /// A factor between two others.
    pub(super) fn factor(&mut self, sizes: Option<Interval>) -> f64 {
        sizes.map_or(1.0, |sizes| {
            let [least, most] = sizes.get();
            least + (most - least) * self.next()
        })
    }

    /// From 0 to below 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A copy: of which of the units, and how it is moved.
#[derive(Debug)]
pub(super) struct Scattered {
    pub(super) unit: usize,
    pub(super) motion: Motion,
}

/// As many copies of `units` as fit, at most as many as asked for; the first one is the first unit itself, which
/// stays where it is unless it is to be moved, too.
pub(super) fn scatter(
    space: &Space<'_>,
    units: &[Unit],
    args: &Array,
) -> Result<Vec<Scattered>, Violations> {
    let ground = args.on.as_ref().map(|on| space.unit(on.as_str())).transpose()?;
    let is_in =
        |ground: &Unit, unit: &Unit| unit.members.iter().any(|at| ground.members.contains(at));
    if let Some(ground) = &ground
        && let Some(unit) = units.iter().find(|unit| is_in(ground, unit))
    {
        return Err(Violations::one(format!(
            "array property 'on': '{}' cannot rest on itself",
            unit.name
        )));
    }
    let count = args.count.map_or(1, Count::get);
    let avoided = args.avoid.as_ref().map(|avoid| space.units(avoid.as_slice())).transpose()?;
    let avoided = avoided.unwrap_or_default();
    let mut field = Field::new(space, units, ground.as_ref(), args, &avoided);
    let mut random = Random::new(args.seed);
    let mut copies = Vec::new();
    if !args.move_first {
        field.taken.push(Taken { unit: 0, shift: DVec3::ZERO, factor: 1.0 });
        copies.push(Scattered { unit: 0, motion: Motion::shift([0.0; 3]) });
    }
    while (copies.len() as u64) < count {
        let found = (0..TRIES).find_map(|_| {
            // The first one stays the first, wherever it goes.
            let unit = match copies.is_empty() || units.len() == 1 {
                true => 0,
                false => random.below(units.len()),
            };
            field.place(unit, &mut random)
        });
        let Some((taken, motion)) = found else { break };
        copies.push(Scattered { unit: taken.unit, motion });
        field.taken.push(taken);
    }
    if copies.len() <= usize::from(!args.move_first) && count > 1 {
        let within = args.radius.map(|radius| format!(" within {} m", radius.get()));
        return Err(Violations::one(format!(
            "array: there is no place for a copy{}: take a larger radius, a smaller gap, other things to stand \
             on, less to avoid, or overlap: true",
            within.unwrap_or_default()
        )));
    }
    Ok(copies)
}

/// A place that is taken by a copy.
#[derive(Clone, Copy)]
struct Taken {
    unit: usize,
    shift: DVec3,
    factor: f64,
}

struct Field<'a> {
    space: &'a Space<'a>,
    units: &'a [Unit],
    ground: Option<&'a Unit>,
    args: &'a Array,
    /// Along which copies are scattered, up to the radius beside it.
    curve: Option<Curve>,
    /// What they keep clear of, seen from above.
    avoided: &'a [Unit],
    taken: Vec<Taken>,
    /// Bodies that are no obstacle: the units, and what the copies rest on.
    others: HashSet<usize>,
}

impl<'a> Field<'a> {
    fn new(
        space: &'a Space<'a>,
        units: &'a [Unit],
        ground: Option<&'a Unit>,
        args: &'a Array,
        avoided: &'a [Unit],
    ) -> Self {
        let own = units.first().into_iter().flat_map(|unit| unit.members.iter().copied());
        let below = ground.into_iter().flat_map(|ground| ground.members.iter().copied());
        let others = own.chain(below).collect();
        let curve = args.curve();
        Self { space, units, ground, args, curve, avoided, taken: Vec::new(), others }
    }

    /// A random place and pose for a unit; `None` if it is not free, or not as it should be.
    fn place(&self, unit: usize, random: &mut Random) -> Option<(Taken, Motion)> {
        let args = self.args;
        let solid = &self.units[unit].solid;
        let extent = solid.extent();
        let (own, foot) = (extent.center(), extent.center().with_y(extent.min.y));
        let first = self.units[0].solid.extent().center();
        // Without a radius, all over what they stand on.
        let below = self.ground.map(|ground| ground.solid.extent());
        let usual = match (args.radius, below) {
            (None, Some(below)) => below.center(),
            _ => first,
        };
        let middle = args.center.map_or(usual, |center| DVec3::from(center.get())).with_y(own.y);
        let radius = args.radius.map(Length::get);
        let radius = radius
            .or(self.curve.as_ref().map(|_| 0.0))
            .or_else(|| below.map(|below| 0.5 * below.size().with_y(0.0).length()))
            .unwrap_or(0.0);
        let (distance, angle) = (radius * random.next().sqrt(), TAU * random.next());
        let yaw = if args.turn { 360.0 * random.next() } else { 0.0 };
        let factor = random.factor(args.sizes);
        let middle = match &self.curve {
            Some(curve) => curve.at(curve.length() * random.next()).0.with_y(own.y),
            None => middle,
        };
        let goal = middle + DVec3::new(distance * angle.cos(), 0.0, distance * angle.sin());
        let level = goal - own;
        let mut normal = DVec3::Y;
        let shift = match self.ground {
            None => level,
            Some(ground) => {
                let wants_slope = args.align || args.slope.is_some();
                let reach = (0.25 * extent.size().with_y(0.0).length()).max(1e-3);
                if wants_slope {
                    normal = slope_under(foot + level, reach, &ground.solid)?;
                }
                let rise = match self.is_free_form() {
                    // On uneven ground a thing stands where its middle is, a little settled.
                    true => surface_under(foot + level, &ground.solid)? - foot.y,
                    false => drop(solid, level, &ground.solid)?,
                };
                let height = foot.y + rise;
                let steep = normal.y.clamp(-1.0, 1.0).acos().to_degrees();
                let fits =
                    |range: Option<Interval>, number: f64| range.is_none_or(|it| it.holds(number));
                if !fits(args.slope, steep) || !fits(args.heights, height) {
                    return None;
                }
                level + DVec3::Y * rise
            }
        };
        let taken = Taken { unit, shift, factor };
        if !self.is_free(&taken) {
            return None;
        }
        let pivot = foot.to_array();
        let mut motion = Motion::scale(factor, pivot).then(Motion::turn([0.0, yaw, 0.0], pivot));
        if args.align {
            motion = motion.then(Motion::turn(tilt(normal), pivot));
        }
        Some((taken, motion.then(Motion::shift(shift.to_array()))))
    }

    /// Whether copies are turned, scaled, tilted or of several kinds, so that each takes the room of all its
    /// poses.
    fn is_free_form(&self) -> bool {
        let args = self.args;
        args.turn || args.align || args.sizes.is_some() || self.units.len() > 1
    }

    /// The radius of the upright cylinder that holds a copy however it is turned.
    fn round(&self, taken: &Taken) -> f64 {
        let size = self.units[taken.unit].solid.extent().size();
        0.5 * size.with_y(0.0).length() * taken.factor
    }

    /// Whether a copy comes nearer than `gap` to `avoided`, seen from above.
    fn covers(&self, copy: &Taken, avoided: &Solid, gap: f64) -> bool {
        let extent = avoided.extent();
        let above = extent.max.y + 1.0 + 1e-3 * extent.size().y;
        let middle = (self.units[copy.unit].solid.extent().center() + copy.shift).with_y(above);
        let radius = (self.round(copy) + gap).max(1e-6);
        let disc = Solid::disc(middle.to_array(), [0.0, 1.0, 0.0], radius);
        disc.cast(DVec3::ZERO, DVec3::NEG_Y, avoided, 0.0) != Cast::Never
    }

    /// Whether a copy keeps the gap to other copies and does not reach into anything.
    fn is_free(&self, copy: &Taken) -> bool {
        let solid = &self.units[copy.unit].solid;
        let extent = solid.extent();
        let gap = self.args.gap.map_or(0.0, LengthOrZero::get);
        let center = |taken: &Taken| self.units[taken.unit].solid.extent().center() + taken.shift;
        let is_clear_of = |other: &Taken| {
            if self.is_free_form() {
                let apart = center(copy) - center(other);
                return apart.with_y(0.0).length() >= self.round(copy) + self.round(other) + gap;
            }
            let apart = copy.shift - other.shift;
            !extent.moved(apart).is_near(extent, gap)
                || solid.relation_at(apart, solid).gap >= gap.max(1e-9)
        };
        if !self.args.overlap && !self.taken.iter().all(is_clear_of) {
            return false;
        }
        if self.avoided.iter().any(|unit| self.covers(copy, &unit.solid, gap)) {
            return false;
        }
        let mut room = extent.moved(copy.shift);
        if self.is_free_form() {
            let (center, round) = (room.center(), self.round(copy));
            let reach = DVec3::new(round, 0.0, round);
            room.max.y = room.min.y + extent.size().y * copy.factor;
            room.min = (center - reach).with_y(room.min.y);
            room.max = (center + reach).with_y(room.max.y);
        }
        let near = self.space.near(room, 0.0).into_iter();
        near.filter(|at| !self.others.contains(at)).all(|at| {
            let other = &self.space.bodies()[at];
            let tolerance = other.solid.contact_tolerance().min(solid.contact_tolerance());
            if self.is_free_form() && !other.solid.is_flat() {
                // Only what it stands on may share its column.
                return other.solid.extent().max.y <= room.min.y + tolerance;
            }
            solid.relation_at(copy.shift, &other.solid).gap >= -tolerance
        })
    }
}

/// How much higher than now the solid, moved by `level`, rests on `ground`.
fn drop(solid: &Solid, level: DVec3, ground: &Solid) -> Option<f64> {
    let lift = ground.extent().max.y - solid.extent().min.y + 1e-3 * solid.size();
    match solid.cast(level + DVec3::Y * lift, DVec3::NEG_Y, ground, 0.0) {
        Cast::After(way) => Some(lift - way),
        Cast::Meets | Cast::Never => None,
    }
}

/// The height of the surface of `ground` above or below a point.
pub(super) fn surface_under(point: DVec3, ground: &Solid) -> Option<f64> {
    let extent = ground.extent();
    let above = point.with_y(extent.max.y + 1.0 + 1e-3 * extent.size().y);
    match Solid::point(above).cast(DVec3::ZERO, DVec3::NEG_Y, ground, 0.0) {
        Cast::After(way) => Some(above.y - way),
        Cast::Meets | Cast::Never => None,
    }
}

/// The normal of the surface of `ground` around a point, from three points beside it.
pub(super) fn slope_under(point: DVec3, reach: f64, ground: &Solid) -> Option<DVec3> {
    let corner = |turn: f64| {
        let beside = point + reach * DVec3::new((TAU * turn).cos(), 0.0, (TAU * turn).sin());
        Some(beside.with_y(surface_under(beside, ground)?))
    };
    let (a, b, c) = (corner(0.0)?, corner(1.0 / 3.0)?, corner(2.0 / 3.0)?);
    let normal = (b - a).cross(c - a).try_normalize()?;
    Some(if normal.y < 0.0 { -normal } else { normal })
}

/// The Euler angles that turn upright things along a normal.
pub(super) fn tilt(normal: DVec3) -> [f64; 3] {
    let turn = DMat3::from_quat(DQuat::from_rotation_arc(DVec3::Y, normal));
    euler_angles([turn.row(0), turn.row(1), turn.row(2)].map(|row| row.to_array()))
}
