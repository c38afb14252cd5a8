//! What touches what, reaches into it, or would fall onto it.

use std::collections::HashSet;

use glam::DVec3;
use scene::stem;

use super::{Body, Space};
use crate::solid::{Cast, Extent, Relation, Solid};
use crate::tree::Tree;

/// Depth relative to the size of the smaller one by which what stands on something, or under it, may reach
/// into it without a finding: a foot in a carpet, a trunk in the ground, a candle in a cake.
const SETTLED: f64 = 0.05;
/// The same for what stands on something much larger, as the ground is.
const BURIED: f64 = 0.35;
/// How many times larger than a thing something is that it may be set into: a window's wall.
const SET_IN: f64 = 4.0;
/// The same of what it may lie half buried in: a boulder's ground.
const LAND: f64 = 10.0;

/// Whether two names are those of a thing and a part of it, as `knight_2` and `knight_base_2` are. Copies of one
/// thing are not parts of one another.
fn are_parts_of_one(one: &str, other: &str) -> bool {
    let [(first, its), (second, others)] = [one, other].map(|id| (stem(id), &id[stem(id).len()..]));
    let is_part =
        |part: &str, of: &str| part.strip_prefix(of).is_some_and(|rest| rest.starts_with('_'));
    its == others && (is_part(first, second) || is_part(second, first))
}

impl<'a> Space<'a> {
    /// The places of the bodies whose boxes come within `gap` of `extent`, in order.
    pub fn near(&self, extent: Extent, gap: f64) -> Vec<usize> {
        let extents = || self.bodies.iter().map(|body| body.solid.extent());
        self.tree.get_or_init(|| Tree::of(extents())).near(extent, gap)
    }

    /// How near two bodies have to be to touch.
    pub fn tolerance(&self, one: usize, other: usize) -> f64 {
        let tolerance = |at: usize| self.bodies[at].solid.contact_tolerance();
        tolerance(one).min(tolerance(other))
    }

    /// The bodies that touch or overlap the one at `at`, with how it lies to them.
    pub fn contacts(&self, at: usize) -> Vec<(usize, Relation)> {
        let solid = &self.bodies[at].solid;
        let near = self.near(solid.extent(), solid.contact_tolerance()).into_iter();
        let others = near.filter(|other| *other != at);
        others.filter_map(|other| Some((other, self.contact(at, other)?))).collect()
    }

    /// How `one` lies to `other` when they touch or overlap.
    pub fn contact(&self, one: usize, other: usize) -> Option<Relation> {
        let relation = self.bodies[one].solid.relation(&self.bodies[other].solid);
        (relation.gap <= self.tolerance(one, other)).then_some(relation)
    }

    /// All pairs of bodies that touch or overlap, the lower place first, with how the first lies to the
    /// second.
    pub fn all_contacts(&self) -> Vec<(usize, usize, Relation)> {
        let of_one = |at: usize| {
            let solid = &self.bodies[at].solid;
            let near = self.near(solid.extent(), solid.contact_tolerance()).into_iter();
            let later = near.filter(move |other| *other > at);
            later.filter_map(move |other| Some((at, other, self.contact(at, other)?)))
        };
        (0..self.bodies.len()).flat_map(of_one).collect()
    }

    /// How deep two shapes reach into each other in a way that is likely a mistake: walls that cross,
    /// parts of one group, what lies wholly in glass or in something open, lights, and meshes (only
    /// their boxes are known) do not count.
    pub fn overlap(&self, one: usize, other: usize, relation: &Relation) -> Option<f64> {
        let (a, b) = (&self.bodies[one], &self.bodies[other]);
        let counts = |body: &Body<'_>| body.shape().is_some() && !body.solid.is_rough();
        let whole = |body: &Body<'a>| self.whole_of(body).unwrap_or(body.id);
        let is_joined = whole(a) == whole(b) || are_parts_of_one(whole(a), whole(b));
        let are_walls = a.solid.is_flat() && b.solid.is_flat();
        if !counts(a) || !counts(b) || is_joined || are_walls {
            return None;
        }
        let depth = -relation.gap;
        let eye = DVec3::from(self.scene.camera.center.get());
        let holds = |one: &Body<'_>, other: &Body<'_>| {
            one.solid.holds(&other.solid) && one.may_hold_things(eye)
        };
        let is_inside = || holds(a, b) || holds(b, a);
        // What stands on something may settle into it a little, as may what is set into something large; boulders
        // lie half in the ground.
        let small = a.solid.size().min(b.solid.size());
        let ratio = a.solid.size().max(b.solid.size()) / small;
        let stands = relation.away.y.abs() > 0.7;
        let is_flat = a.solid.is_flat() || b.solid.is_flat();
        let share = match stands {
            true if ratio >= LAND && !is_flat => BURIED,
            true => SETTLED,
            false if ratio >= SET_IN || is_flat => SETTLED,
            false => 0.0,
        };
        let settled = share * small;
        let allowed = self.tolerance(one, other).max(settled);
        (depth > allowed && !is_inside()).then_some(depth)
    }

    /// How far `solid` can fall until it rests on something but the bodies in `without`, and on what.
    pub fn fall(&self, solid: &Solid, without: &HashSet<usize>) -> Option<(f64, usize)> {
        self.fall_from(solid, DVec3::ZERO, without)
    }

    /// As [`fall`](Self::fall), the solid being moved by `shift` first.
    pub fn fall_from(
        &self,
        solid: &Solid,
        shift: DVec3,
        without: &HashSet<usize>,
    ) -> Option<(f64, usize)> {
        let extent = solid.extent().moved(shift);
        let down = DVec3::NEG_Y;
        let mut nearest: Option<(f64, usize)> = None;
        let column = Extent { min: extent.min.with_y(f64::MIN), ..extent };
        for at in self.near(column, 0.0) {
            let body = &self.bodies[at];
            let height = body.solid.extent().max.y;
            let may_be_nearer = nearest.is_none_or(|(way, _)| extent.min.y - height < way);
            if without.contains(&at) || body.shape().is_none() || !may_be_nearer {
                continue;
            }
            let way = match solid.cast(shift, down, &body.solid, 0.0) {
                Cast::After(way) => way,
                // What touches it from the side or from above does not carry it.
                Cast::Meets if solid.relation_at(shift, &body.solid).away.y > 0.05 => 0.0,
                Cast::Meets | Cast::Never => continue,
            };
            if nearest.is_none_or(|(known, _)| way < known) {
                nearest = Some((way, at));
            }
            if way <= 0.0 {
                // Nothing is nearer.
                break;
            }
        }
        nearest
    }
}
