//! Several new things as one block that has room where they go: in rows, or heaped up.

use glam::DVec3;
use scene::Geometry;
use serde_json::json;
use spatial::Extent;

use crate::resolve::World;

use crate::plan::planner::{Done, Planner};

/// What is left free between things in rows and in heaps, in parts of their size.
const ROW_STEP: f64 = 1.12;
const HEAP_STEP: f64 = 1.03;
/// By how much a layer of a heap lies above the one below, in parts of the height of a thing.
const LAYER: f64 = 0.86;
/// By how much what is new shrinks to have room in rows, and how often.
const SHRINK: f64 = 0.8;
const MAX_SHRINKS: i32 = 8;
/// Of a circle, the square in it.
const INSCRIBED: f64 = 0.75;
/// The share of what carries them that things in rows may cover.
const COVERED: f64 = 0.9;

impl Planner<'_> {
    /// Lays things out anew where they would reach beyond what they are put on or into: as many in a row
    /// as there is room for, and in a heap on what is round.
    pub(in crate::plan) fn fit_block(&mut self, ids: &[String], targets: &[String]) -> Done {
        if ids.len() < 2 || !self.is_new(ids) { Ok(()) } else { self.lay_block(ids, targets, true) }
    }

    /// The same for things that stood elsewhere.
    pub(in crate::plan) fn lay_block(
        &mut self,
        ids: &[String],
        targets: &[String],
        may_shrink: bool,
    ) -> Done {
        let state = self.state();
        let world = state.world();
        let (Some(own), Some(target)) = (world.extent_of(ids), world.extent_of(targets)) else {
            return Ok(());
        };
        let room = target.size() * COVERED;
        let flat = (own.min.y - own.max.y).abs() < 1e-9;
        let round = is_round(world, targets);
        let fits = own.size().x <= room.x && own.size().z <= room.z;
        let members: Vec<(String, DVec3, DVec3)> = ids
            .iter()
            .filter_map(|id| world.find(id))
            .map(|thing| {
                let foot = thing.extent.center().with_y(thing.extent.min.y);
                (thing.id.clone(), foot, thing.extent.size())
            })
            .collect();
        let level = members.iter().map(|(_, foot, _)| foot.y).fold(f64::MAX, f64::min);
        let is_piled = members.iter().any(|(_, foot, size)| foot.y > level + 0.5 * size.y);
        if flat || is_piled || (fits && !(round && ids.len() > 2)) {
            return Ok(());
        }
        let cell = members.iter().map(|(_, _, size)| *size).fold(DVec3::ZERO, DVec3::max);
        let is_compact = cell.x.max(cell.z) < 1.2 * cell.x.min(cell.z);
        // What goes into something may lie as it likes; on it, what is high stands.
        let is_low = !may_shrink || cell.y < 1.5 * cell.x.max(cell.z);
        let lies_in_heaps = is_compact && is_low;
        let within = if round && may_shrink { room * INSCRIBED } else { room };
        let in_rows =
            rows(members.len(), cell, within).filter(|_| !round || may_shrink && !lies_in_heaps);
        let spots = match in_rows {
            Some(spots) => spots,
            // What is longer than wide, or stands, would lie in each other in a heap. What is new is smaller then.
            None if !lies_in_heaps => {
                if may_shrink && self.shrunk_to_rows(ids, members.len(), cell, within)? {
                    return self.lay_block(ids, targets, true);
                }
                pile(members.len(), cell)
            }
            None => heap(members.len(), cell, 0.5 * room.x.min(room.z)),
        };
        let middle = own.center().with_y(level);
        for ((id, foot, _), spot) in members.iter().zip(spots) {
            self.shift_by(std::slice::from_ref(id), middle + spot - *foot)?;
        }
        Ok(())
    }

    /// Whether none of some things stands on another.
    pub(in crate::plan) fn are_level(&self, ids: &[String]) -> bool {
        let state = self.state();
        let extents = ids.iter().filter_map(|id| state.world().find(id)).map(|it| it.extent);
        let extents: Vec<Extent> = extents.collect();
        let lowest = extents.iter().map(|extent| extent.min.y).fold(f64::MAX, f64::min);
        extents.iter().all(|extent| extent.min.y < lowest + 0.25 * extent.size().y)
    }

    /// Makes new things so small that they have room in rows; whether they have it then.
    fn shrunk_to_rows(
        &mut self,
        ids: &[String],
        count: usize,
        cell: DVec3,
        room: DVec3,
    ) -> Done<bool> {
        let fits = |factor: &f64| rows(count, cell * *factor, room).is_some();
        let factors = (1..=MAX_SHRINKS).map(|times| SHRINK.powi(times));
        let Some(factor) = factors.into_iter().find(fits).filter(|_| self.is_new(ids)) else {
            return Ok(false);
        };
        for id in ids {
            self.call("scale", json!({ "ids": [id], "by": factor }))?;
        }
        Ok(true)
    }

    /// Lets a block of things down into what is open above; whether they lie in it then.
    pub(in crate::plan) fn sink_in(
        &mut self,
        ids: &[String],
        targets: &[String],
        target: Extent,
    ) -> Done<bool> {
        let kept = self.draft.clone();
        let args = json!({ "ids": ids, "relation": "on", "to": targets, "offset": [0, 0, 0] });
        let down = self.call("place", args).is_ok();
        let low = self.extent_of(ids).map_or(f64::MAX, |own| own.min.y);
        let is_in = down && low < target.max.y + 1e-3;
        if !is_in {
            self.draft = kept;
        }
        Ok(is_in)
    }
}

/// Whether things are put on or into something round: a plate, a bowl, a round table.
pub(super) fn is_round(world: &World<'_>, targets: &[String]) -> bool {
    let widest = targets
        .iter()
        .filter_map(|id| world.find(id))
        .flat_map(|thing| &thing.bodies)
        .filter_map(|at| world.space.bodies().get(*at))
        .max_by(|one, other| {
            let wide = |body: &spatial::Body<'_>| {
                let size = body.solid.extent().size();
                size.x * size.z
            };
            wide(one).total_cmp(&wide(other))
        });
    let geometry = widest.and_then(|body| body.shape()).map(|shape| &shape.geometry);
    !matches!(geometry, Some(Geometry::Box(_) | Geometry::RoundedBox(_) | Geometry::Quad(_)) | None)
}

/// Places in even rows around the middle; `None` where there is no room for so many.
fn rows(count: usize, cell: DVec3, room: DVec3) -> Option<Vec<DVec3>> {
    let most = |room: f64, size: f64| (room / (ROW_STEP * size).max(1e-6)).floor() as usize;
    let (columns, lines) = (most(room.x, cell.x), most(room.z, cell.z));
    if columns * lines < count {
        return None;
    }
    let lines = count.div_ceil(columns.min(count));
    let columns = count.div_ceil(lines);
    let step = |room: f64, size: f64, number: usize| (room / number as f64).min(1.8 * size);
    let (x, z) = (step(room.x, cell.x, columns), step(room.z, cell.z, lines));
    let places = (0..count).map(|at| {
        let (line, column) = (at / columns, at % columns);
        // A last row that is shorter stands in the middle, too.
        let length = columns.min(count - line * columns);
        DVec3::new(
            (column as f64 - 0.5 * (length - 1) as f64) * x,
            0.0,
            (0.5 * (lines - 1) as f64 - line as f64) * z,
        )
    });
    Some(places.collect())
}

/// Places one above the other.
fn pile(count: usize, cell: DVec3) -> Vec<DVec3> {
    (0..count).map(|at| DVec3::Y * cell.y * at as f64).collect()
}

/// Places as close as balls lie, in as many layers as it takes.
fn heap(count: usize, cell: DVec3, radius: f64) -> Vec<DVec3> {
    let step = cell.x.max(cell.z) * HEAP_STEP;
    let mut places = Vec::new();
    for layer in 0..count {
        // Three lie around the middle of three below.
        let shift =
            DVec3::new(0.5, 0.0, 0.5 / 3.0_f64.sqrt()) * if layer % 2 == 1 { 1.0 } else { 0.0 };
        let few = layer == 0 && (2..=4).contains(&count);
        let middle = if few { DVec3::new(-0.5, 0.0, -0.5 / 3.0_f64.sqrt()) } else { -shift };
        let reach = (radius - 0.5 * step * (layer + 1) as f64).max(0.6 * step);
        let mut spots: Vec<DVec3> = (-6..=6)
            .flat_map(|row: i32| (-6..=6).map(move |column: i32| (row, column)))
            .map(|(row, column)| {
                let x = f64::from(column) + 0.5 * f64::from(row.rem_euclid(2));
                let z = f64::from(row) * 0.75_f64.sqrt();
                (DVec3::new(x, 0.0, z) + middle) * step
            })
            .filter(|spot| few || spot.length() <= reach + 1e-9)
            .collect();
        spots.sort_by(|one, other| one.length().total_cmp(&other.length()));
        let is_ball = cell.max_element() < 1.25 * cell.min_element();
        let height = layer as f64 * cell.y * if is_ball { LAYER } else { 1.0 };
        let left = count - places.len();
        places.extend(spots.into_iter().take(left).map(|spot| spot.with_y(height)));
        if places.len() >= count {
            break;
        }
    }
    places
}
