//! Copies at random places, free of each other and of everything else.

use std::collections::HashSet;
use std::f64::consts::TAU;

use glam::DVec3;
use scene::{Length, LengthOrZero, Motion, Violations};

use crate::args::Count;
use crate::solid::{Cast, Solid};
use crate::space::{Space, Unit};

use super::pattern::Array;

/// Places tried for each copy before giving up: with half of the room taken, a thousand tries fail
/// by chance never.
const TRIES: u32 = 1_000;

/// Random numbers: SplitMix64 (Steele, Lea and Flood 2014), so that a seed gives the same layout for
/// ever.
struct Random(u64);

impl Random {
    /// From 0 to below 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The motions of all copies; the first one stays where it is.
pub(super) fn scatter(
    space: &Space<'_>,
    unit: &Unit,
    args: &Array,
) -> Result<Vec<Motion>, Violations> {
    let ground = args.on.as_ref().map(|on| space.unit(on.as_str())).transpose()?;
    if let Some(ground) = &ground
        && ground.members.iter().any(|at| unit.members.contains(at))
    {
        return Err(Violations::one(format!(
            "array property 'on': '{}' cannot rest on itself",
            unit.name
        )));
    }
    let count = args.count.map_or(1, Count::get);
    let radius = args.radius.map_or(0.0, Length::get);
    let gap = args.gap.map_or(0.0, LengthOrZero::get);
    let own = unit.solid.extent().center();
    let middle = args.center.map_or(own, |center| DVec3::from(center.get())).with_y(own.y);
    let mut field = Field { space, unit, gap, taken: vec![DVec3::ZERO], others: HashSet::new() };
    field.others.extend(unit.members.iter().copied());
    let mut random = Random(args.seed.get());
    let mut motions = vec![Motion::shift([0.0; 3])];
    for number in 1..count {
        let found = (0..TRIES).find_map(|_| {
            let (distance, angle) = (radius * random.next().sqrt(), TAU * random.next());
            let yaw = if args.turn { 360.0 * random.next() } else { 0.0 };
            let goal = middle + DVec3::new(distance * angle.cos(), 0.0, distance * angle.sin());
            let level = goal - own;
            let shift = match &ground {
                Some(ground) => level + DVec3::Y * drop(&unit.solid, level, &ground.solid)?,
                None => level,
            };
            field.is_free(shift, args.turn).then_some((shift, yaw))
        });
        let Some((shift, yaw)) = found else {
            return Err(Violations::one(format!(
                "array: only {number} of {count} fit within {radius} m without touching; take a larger \
                 radius, a smaller gap or fewer"
            )));
        };
        field.taken.push(shift);
        let turn = Motion::turn([0.0, yaw, 0.0], own.to_array());
        motions.push(turn.then(Motion::shift(shift.to_array())));
    }
    Ok(motions)
}

/// How much higher than now the solid, moved by `level`, rests on `ground`.
fn drop(solid: &Solid, level: DVec3, ground: &Solid) -> Option<f64> {
    let lift = ground.extent().max.y - solid.extent().min.y + 1e-3 * solid.size();
    match solid.cast(level + DVec3::Y * lift, DVec3::NEG_Y, ground, 0.0) {
        Cast::After(way) => Some(lift - way),
        Cast::Meets | Cast::Never => None,
    }
}

struct Field<'a> {
    space: &'a Space<'a>,
    unit: &'a Unit,
    gap: f64,
    /// The ways to the copies there are.
    taken: Vec<DVec3>,
    /// Bodies that are no obstacle.
    others: HashSet<usize>,
}

impl Field<'_> {
    /// Whether a copy moved by `shift` keeps the gap to other copies and does not reach into
    /// anything. What will be turned needs the room of all its turns.
    fn is_free(&self, shift: DVec3, is_turned: bool) -> bool {
        let solid = &self.unit.solid;
        let extent = solid.extent();
        let round = 0.5 * extent.size().with_y(0.0).length();
        let is_clear_of = |other: &DVec3| {
            let apart = shift - *other;
            if is_turned {
                return apart.with_y(0.0).length() >= 2.0 * round + self.gap;
            }
            !extent.moved(apart).is_near(extent, self.gap)
                || solid.relation_at(apart, solid).gap >= self.gap.max(1e-9)
        };
        if !self.taken.iter().all(is_clear_of) {
            return false;
        }
        let mut room = extent.moved(shift);
        if is_turned {
            let center = room.center();
            let reach = DVec3::new(round, 0.0, round);
            room.min = room.min.min((center - reach).with_y(room.min.y));
            room.max = room.max.max((center + reach).with_y(room.max.y));
        }
        let near = self.space.near(room, 0.0).into_iter();
        near.filter(|at| !self.others.contains(at)).all(|at| {
            let other = &self.space.bodies()[at];
            let tolerance = other.solid.contact_tolerance().min(solid.contact_tolerance());
            if is_turned && !other.solid.is_flat() {
                // Only what it stands on may share its column.
                return other.solid.extent().max.y <= room.min.y + tolerance;
            }
            solid.relation_at(shift, &other.solid).gap >= -tolerance
        })
    }
}
