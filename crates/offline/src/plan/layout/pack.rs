//! Several different things on one carrier that would stand in each other: side by side in rows. A tray that is new grows
//! until it has room for them, or they shrink.

use glam::DVec3;
use serde_json::json;
use spatial::Extent;

use crate::frames::Relation;

use super::block::is_round;
use crate::plan::planner::{Done, Planner};

/// The share of a carrier that is used; of a round one, less.
const USED: f64 = 0.92;
const USED_ROUND: f64 = 0.72;
/// What is left free between two things, in parts of the smaller one's width.
const GAP: f64 = 0.15;
/// Things stand in each other if they overlap by more than this, in metres.
const SLIGHT: f64 = 5e-3;
/// What is wider is ground, on which things stand as they were put.
const AREA: f64 = 3.5;
/// A new carrier grows by no more, and new things shrink to no less.
const MAX_GROWN: f64 = 2.5;
const MIN_SHRUNK: f64 = 0.4;

impl Planner<'_> {
    /// Lays out anew what this message put on one carrier, where some stand in others.
    pub(in crate::plan) fn untangle(&mut self) -> Done {
        let mut carriers: Vec<(String, Vec<Vec<String>>)> = Vec::new();
        for wish in &self.wishes {
            let ([carrier], Relation::On) = (wish.targets.as_slice(), wish.relation) else {
                continue;
            };
            if !self.is_new(&wish.ids) || self.extent_of(&wish.ids).is_none() {
                continue;
            }
            let known = carriers.iter_mut().find(|(known, _)| known == carrier);
            match known {
                Some((_, units)) if !units.contains(&wish.ids) => units.push(wish.ids.clone()),
                Some(_) => {}
                None => carriers.push((carrier.clone(), vec![wish.ids.clone()])),
            }
        }
        for (carrier, units) in carriers {
            let extents: Option<Vec<Extent>> =
                units.iter().map(|ids| self.extent_of(ids)).collect();
            let area = self.extent_of(std::slice::from_ref(&carrier));
            let is_area = area.is_none_or(|area| area.size().x.max(area.size().z) > AREA);
            let Some(extents) = extents.filter(|_| !is_area) else { continue };
            let tangled = extents.iter().enumerate().any(|(at, one)| {
                extents[at + 1..].iter().any(|other| stand_in_each_other(*one, *other))
            });
            let kept = self.draft.clone();
            // Where they cannot be laid out they stay as they are.
            if tangled && self.pack(&units, &extents, &carrier).is_err() {
                self.draft = kept;
            }
        }
        Ok(())
    }

    /// In as many rows as need the least room.
    fn pack(&mut self, units: &[Vec<String>], extents: &[Extent], carrier: &str) -> Done {
        let own = [carrier.to_owned()];
        let Some(target) = self.extent_of(&own) else { return Ok(()) };
        let used = if is_round(self.state().world(), &own) { USED_ROUND } else { USED };
        let room = target.size() * used;
        let sizes: Vec<DVec3> = extents.iter().map(|extent| extent.size()).collect();
        let layouts = (1..=sizes.len()).map(|rows| in_rows(&sizes, rows));
        let need = |(_, whole): &(Vec<DVec3>, DVec3)| (whole.x / room.x).max(whole.z / room.z);
        let best = layouts.min_by(|one, other| need(one).total_cmp(&need(other)));
        let Some(best) = best else { return Ok(()) };
        let mut by = 1.0;
        if need(&best) > 1.0 {
            let factor = need(&best).min(MAX_GROWN);
            let grows = self.is_new(&own) && !self.sized.contains(&own[0]) && is_flat(target);
            if grows {
                let args = json!({ "ids": own, "by": [factor, 1.0, factor], "anchor": "bottom" });
                let grown = self.call("scale", args).map(drop);
                let whole = |_| self.call("scale", json!({ "ids": own, "by": factor })).map(drop);
                grown.or_else(whole)?;
            } else {
                by = (1.0 / need(&best)).max(MIN_SHRUNK);
            }
        }
        for (ids, spot) in units.iter().zip(&best.0) {
            if by < 1.0 && !ids.iter().any(|id| self.sized.contains(id)) {
                self.call("scale", json!({ "ids": ids, "by": by }))?;
            }
            let offset = [spot.x * by, 0.0, spot.z * by];
            let args = json!({ "ids": ids, "relation": "on", "to": own, "offset": offset });
            self.call("place", args)?;
        }
        Ok(())
    }
}

fn stand_in_each_other(one: Extent, other: Extent) -> bool {
    let apart = (one.center() - other.center()).abs() - 0.5 * (one.size() + other.size());
    apart.max_element() < -SLIGHT
}

fn is_flat(extent: Extent) -> bool {
    let size = extent.size();
    size.y < 0.35 * size.x.min(size.z)
}

/// The middles of things in so many rows around the origin, the first row behind, and how large all of it is.
fn in_rows(sizes: &[DVec3], rows: usize) -> (Vec<DVec3>, DVec3) {
    let each = sizes.len().div_ceil(rows);
    let lines: Vec<&[DVec3]> = sizes.chunks(each).collect();
    let gap = sizes.iter().map(|size| GAP * size.x.min(size.z)).fold(0.0, f64::max);
    let depth = |line: &[DVec3]| line.iter().map(|size| size.z).fold(0.0, f64::max);
    let width = |line: &[DVec3]| {
        line.iter().map(|size| size.x).sum::<f64>() + gap * (line.len() - 1) as f64
    };
    let deep = lines.iter().map(|line| depth(line)).sum::<f64>() + gap * (lines.len() - 1) as f64;
    let wide = lines.iter().map(|line| width(line)).fold(0.0, f64::max);
    let mut spots = Vec::new();
    let mut z = -0.5 * deep;
    for line in lines {
        let mut x = -0.5 * width(line);
        for size in line {
            spots.push(DVec3::new(x + 0.5 * size.x, 0.0, z + 0.5 * depth(line)));
            x += size.x + gap;
        }
        z += depth(line) + gap;
    }
    (spots, DVec3::new(wide, 0.0, deep))
}
