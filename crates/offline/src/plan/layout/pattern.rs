//! Several of a kind: in a row, a ring, a grid, a stack, ...

use glam::DVec3;
use serde_json::json;

use crate::frames::{Dimension, Layout, Pattern, Phrase, Quality};
use crate::looks;

use super::figures::figure;
use crate::plan::planner::{Done, Planner};

/// The golden angle.
const GOLDEN: f64 = 2.399_963;
/// What is lower than that part of its width is a step, and so high is the next one above it.
const FLAT: f64 = 0.4;
const STEP: f64 = 0.35;

impl Planner<'_> {
    /// Copies `first` so that there are `number` of it in a pattern; their ids, the first one first.
    pub(crate) fn lay_out(
        &mut self,
        first: &str,
        number: usize,
        pattern: &Pattern,
    ) -> Done<Vec<String>> {
        let state = self.state();
        let world = state.world();
        let size = world.find(first).map_or(DVec3::ONE, |thing| thing.extent.size());
        let known: Vec<String> = world.wholes().map(|thing| thing.id.clone()).collect();
        let across = size.x.max(size.z);
        let gap = pattern.gap.or(pattern.step.map(|step| (step - size.x).max(0.0)));
        let usual = gap.unwrap_or((0.25 * size.x).clamp(0.03, 0.6));
        let round = |count: usize| {
            let room = across + gap.unwrap_or(0.6 * across);
            let usual = (count as f64 * room / std::f64::consts::TAU).max(1.2 * across);
            pattern.radius.unwrap_or(usual)
        };
        let step = pattern.step.unwrap_or(across + usual);
        let figure = pattern.layout.and_then(|layout| figure(layout, number, step));
        if let Some(ways) = figure {
            return self.copied_to(first, &ways[1..], &known);
        }
        let array = match pattern.layout {
            Some(Layout::Circle) => {
                json!({ "id": first, "pattern": "circle", "count": number, "radius": round(number), "turn": false })
            }
            Some(Layout::Spiral) => {
                let radius = pattern.radius.unwrap_or(round(number).max(1.5 * across) * 0.9);
                // What is flat is a step to the next.
                let rise = match size.y < FLAT * across {
                    true => size.y.max(STEP * across) * number as f64,
                    false => size.y * 1.05 * number as f64 * 0.5,
                };
                json!({ "id": first, "pattern": "spiral", "count": number, "radius": radius, "turns": 2, "rise": rise })
            }
            Some(Layout::Stack) => json!({ "id": first, "pattern": "stack", "count": number }),
            Some(Layout::Scatter) => {
                let radius = (2.0 * across * (number as f64).sqrt()).max(1.0);
                // The golden angle spreads evenly without a pattern that shows.
                let spot = |at: usize| {
                    let turn = GOLDEN * at as f64;
                    let far = radius * ((at as f64 + 0.5) / number as f64).sqrt();
                    DVec3::new(turn.cos(), 0.0, turn.sin()) * far
                };
                let shifts: Vec<DVec3> = (1..number).map(|at| spot(at) - spot(0)).collect();
                return self.copied_to(first, &shifts, &known);
            }
            Some(Layout::Grid | Layout::Square) => {
                let (columns, rows) = grid(number, pattern);
                json!({ "id": first, "pattern": "grid", "counts": [columns, 1, rows], "gap": usual })
            }
            Some(Layout::Wall) => {
                let (columns, rows) = grid(number, pattern);
                json!({ "id": first, "pattern": "grid", "counts": [columns, rows, 1], "gap": 0.0 })
            }
            Some(Layout::Pyramid) => {
                let whole = (1..40).find(|base| base * (base + 1) * (2 * base + 1) / 6 == number);
                let base = whole.filter(|base| pattern.columns.is_none_or(|told| told == *base));
                match base {
                    Some(base) => json!({ "id": first, "pattern": "pyramid", "count": base }),
                    None => return self.flat_pyramid(first, number, pattern.columns, &known),
                }
            }
            Some(Layout::Triangle) => return self.triangle(first, number, size, usual, &known),
            Some(Layout::Arc) => return self.arc(first, number, round(number * 2), &known),
            Some(Layout::Column) => {
                json!({ "id": first, "pattern": "line", "count": number, "step": [0.0, 0.0, -(size.z + usual)] })
            }
            Some(Layout::Steps) => {
                json!({ "id": first, "pattern": "line", "count": number, "step": [size.x, size.y, 0.0] })
            }
            _ => {
                json!({ "id": first, "pattern": "line", "count": number, "gap": usual })
            }
        };
        self.call("array", array)?;
        Ok(self.since(&known, first))
    }

    /// The things that are new since `known`, after `first`.
    pub(crate) fn since(&self, known: &[String], first: &str) -> Vec<String> {
        let state = self.state();
        let world = state.world();
        let new = world.wholes().map(|thing| &thing.id).filter(|id| !known.contains(id));
        std::iter::once(first.to_owned()).chain(new.cloned()).collect()
    }

    fn copied_to(&mut self, first: &str, shifts: &[DVec3], known: &[String]) -> Done<Vec<String>> {
        for shift in shifts {
            self.call("duplicate", json!({ "ids": [first], "offset": shift.to_array() }))?;
        }
        Ok(self.since(known, first))
    }

    /// Rows on each other, each one shorter: 4, 3, 2, 1.
    fn flat_pyramid(
        &mut self,
        first: &str,
        number: usize,
        base: Option<usize>,
        known: &[String],
    ) -> Done<Vec<String>> {
        let scene = self.scene();
        let size = self.extent_of(&[first.to_owned()]).map_or(DVec3::ONE, |own| own.size());
        let is_ball = scene
            .shape(first)
            .is_some_and(|shape| matches!(shape.geometry, scene::Geometry::Sphere(_)));
        // Balls lie in the hollow between two of the layer below.
        let (step, rise) = if is_ball { (1.0, 0.75_f64.sqrt()) } else { (1.02, 1.0) };
        let least = (1..200).find(|base| base * (base + 1) / 2 >= number).unwrap_or(1);
        let base = base.filter(|base| *base >= least).unwrap_or(least);
        let mut shifts = Vec::new();
        for layer in 0..base {
            let count = base - layer;
            for at in 0..count {
                let x = at as f64 - 0.5 * (count - 1) as f64 + 0.5 * (base - 1) as f64;
                shifts.push(DVec3::new(x * size.x * step, layer as f64 * size.y * rise, 0.0));
            }
        }
        shifts.truncate(number);
        self.copied_to(first, &shifts[1..], known)
    }

    /// Ten pins: 1, 2, 3, 4 behind each other.
    fn triangle(
        &mut self,
        first: &str,
        number: usize,
        size: DVec3,
        gap: f64,
        known: &[String],
    ) -> Done<Vec<String>> {
        let step = size.x.max(size.z) + gap;
        let rows = 1..;
        let places = rows.flat_map(|row: usize| {
            (0..row).map(move |at| {
                let x = at as f64 - 0.5 * (row - 1) as f64;
                DVec3::new(x * step, 0.0, -((row - 1) as f64) * step * 0.87)
            })
        });
        let shifts: Vec<DVec3> = places.skip(1).take(number - 1).collect();
        self.copied_to(first, &shifts, known)
    }

    fn arc(
        &mut self,
        first: &str,
        number: usize,
        radius: f64,
        known: &[String],
    ) -> Done<Vec<String>> {
        let place = |at: usize| {
            let angle = std::f64::consts::PI * at as f64 / (number.max(2) - 1) as f64;
            DVec3::new(-radius * angle.cos() + radius, 0.0, -radius * angle.sin())
        };
        let shifts: Vec<DVec3> = (1..number).map(place).collect();
        self.copied_to(first, &shifts, known)
    }

    /// Colours and sizes that differ from one to the next.
    pub(crate) fn vary(&mut self, phrase: &Phrase, ids: &mut [String]) -> Done {
        for (id, member) in ids.iter().zip(phrase.each.iter().cycle()) {
            self.be_like(id, &member.qualities)?;
        }
        for quality in &phrase.qualities {
            if let Quality::Distinct { dimension, more } = quality {
                self.make_distinct(ids, *dimension, *more)?;
            }
        }
        let resizes = |quality: &Quality| match quality {
            Quality::Distinct { dimension, .. } => *dimension != Dimension::Colour,
            Quality::Size { .. } => true,
            _ => false,
        };
        let members = phrase.each.iter().flat_map(|member| &member.qualities);
        if phrase
            .qualities
            .iter()
            .filter(|quality| matches!(quality, Quality::Distinct { .. }))
            .chain(members)
            .any(resizes)
        {
            self.close_up(ids, &phrase.pattern)?;
        }
        Ok(())
    }

    /// Gives one of several its own looks and size.
    fn be_like(&mut self, id: &str, qualities: &[Quality]) -> Done {
        let ids = [id.to_owned()];
        for quality in qualities {
            match quality {
                Quality::Size { factor, .. } => {
                    self.call("scale", json!({ "ids": ids, "by": factor }))?;
                }
                other => self.change_all(&ids, std::slice::from_ref(other))?,
            }
        }
        Ok(())
    }

    /// Puts things of other sizes than they were laid out with next to, or on, each other again.
    fn close_up(&mut self, ids: &[String], pattern: &Pattern) -> Done {
        let (relation, more) = match pattern.layout {
            Some(Layout::Stack) => ("on", json!([0, 0, 0])),
            None | Some(Layout::Row) => ("right_of", json!(null)),
            _ => return Ok(()),
        };
        for pair in ids.windows(2) {
            let mut args = json!({ "ids": [pair[1]], "relation": relation, "to": [pair[0]] });
            if relation == "on" {
                args["offset"] = more.clone();
            } else {
                args["gap"] = json!(pattern.gap.unwrap_or(0.2));
            }
            // What cannot be put there stays where it was laid out.
            let _ = self.call("place", args);
        }
        Ok(())
    }

    /// Another colour or size for each.
    pub(crate) fn make_distinct(
        &mut self,
        ids: &[String],
        dimension: Dimension,
        more: Option<bool>,
    ) -> Done {
        if dimension == Dimension::Colour {
            let state = self.state();
            let world = state.world();
            // One thing in all colours: its parts.
            let parts = world.things.iter().filter(|part| part.part_of.as_deref() == Some(&ids[0]));
            let parts: Vec<String> = match ids {
                [_] => parts.map(|part| part.id.clone()).collect(),
                _ => Vec::new(),
            };
            let ids = if parts.is_empty() { ids } else { &parts };
            for (id, rgb) in ids.iter().zip(looks::palette(ids.len())) {
                self.repaint(id, &|material| Some(looks::recoloured(material, rgb)))?;
            }
            return Ok(());
        }
        let count = ids.len().max(2) as f64;
        for (at, id) in ids.iter().enumerate() {
            let step = match more {
                Some(false) => count - 1.0 - at as f64,
                _ => at as f64,
            };
            let factor = 0.6 + 0.7 * step / (count - 1.0);
            let by = match dimension {
                Dimension::Height => json!([1.0, factor, 1.0]),
                Dimension::Width => json!([factor, 1.0, 1.0]),
                _ => json!(factor),
            };
            // What is round is only scaled as a whole.
            if self.call("scale", json!({ "ids": [id], "by": by })).is_err() {
                self.call("scale", json!({ "ids": [id], "by": factor }))?;
            }
        }
        Ok(())
    }
}

/// Columns and rows: as told, or as square as the number allows.
fn grid(number: usize, pattern: &Pattern) -> (usize, usize) {
    match (pattern.columns, pattern.rows) {
        (Some(columns), Some(rows)) => (columns, rows),
        (Some(columns), None) => (columns, number.div_ceil(columns)),
        (None, Some(rows)) => (number.div_ceil(rows.max(1)), rows.max(1)),
        (None, None) => {
            let side = (number as f64).sqrt().floor() as usize;
            let rows =
                (1..=side.max(1)).rev().find(|rows| number.is_multiple_of(*rows)).unwrap_or(1);
            (number / rows, rows)
        }
    }
}
