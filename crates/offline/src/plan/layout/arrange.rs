//! Things that are there laid out anew among each other.

use glam::DVec3;
use serde_json::json;

use crate::frames::{Act, Amount, Dimension, Frame, Layout, Pattern, Way};
use crate::resolve::Sides;

use super::figures::figure;
use crate::plan::planner::{Done, Planner, Remark, Stopped};

/// A thing to be laid out.
struct Member {
    id: String,
    foot: DVec3,
    size: DVec3,
}

impl Planner<'_> {
    /// In a row, a ring, a stack; on a line; with even gaps; by size.
    pub(crate) fn arrange(&mut self, frame: &Frame) -> Done {
        let ids = self.theme(frame)?;
        if ids.len() < 2 {
            if !frame.places.is_empty() {
                return self.move_things(frame);
            }
            return Err(Stopped(Remark::Refused("That takes several things.".into())));
        }
        match frame.act {
            Some(Act::Align)
                if frame.pattern.layout.is_none() || frame.pattern.layout == Some(Layout::Row) =>
            {
                self.line_up(&ids, frame)?
            }
            Some(Act::Distribute) => self.distribute(&ids, frame)?,
            Some(Act::Sort) => self.sort(&ids, frame)?,
            _ if frame.pattern.layout.is_none() && frame.pattern.even => {
                self.distribute(&ids, frame)?
            }
            _ => self.lay_out_again(&ids, &frame.pattern, frame)?,
        }
        self.focus = ids;
        Ok(())
    }

    fn members(&self, ids: &[String]) -> Vec<Member> {
        let state = self.state();
        let world = state.world();
        let things = ids.iter().filter_map(|id| world.find(id));
        things
            .map(|thing| Member {
                id: thing.id.clone(),
                foot: thing.extent.center().with_y(thing.extent.min.y),
                size: thing.extent.size(),
            })
            .collect()
    }

    fn line_up(&mut self, ids: &[String], frame: &Frame) -> Done {
        let members = self.members(ids);
        let spread = |axis: usize| {
            let along = members.iter().map(|member| member.foot[axis]);
            along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
        };
        // Along the axis on which they lie closest already.
        let axis = if spread(2) <= spread(0) { "z" } else { "x" };
        let _ = frame;
        self.call("align", json!({ "ids": ids, "axis": axis })).map(drop)?;
        self.keep_apart(ids, if axis == "z" { 0 } else { 2 })
    }

    /// Where things that were put on one line stand in each other, they get a row of their own.
    fn keep_apart(&mut self, ids: &[String], axis: usize) -> Done {
        let mut members = self.members(ids);
        members.sort_by(|one, other| one.foot[axis].total_cmp(&other.foot[axis]));
        let overlaps = members.windows(2).any(|pair| {
            let [one, other] = pair else { return false };
            other.foot[axis] - one.foot[axis] < 0.5 * (one.size[axis] + other.size[axis])
        });
        if overlaps {
            let axis = if axis == 0 { "x" } else { "z" };
            self.call("distribute", json!({ "ids": ids, "axis": axis, "gap": 0.1 }))?;
        }
        Ok(())
    }

    fn distribute(&mut self, ids: &[String], frame: &Frame) -> Done {
        let members = self.members(ids);
        let spread = |axis: usize| {
            let along = members.iter().map(|member| member.foot[axis]);
            along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
        };
        let along = if spread(0) >= spread(2) { 0 } else { 2 };
        let axis = ["x", "y", "z"][along];
        let gap = frame
            .places
            .iter()
            .find_map(|place| place.gap)
            .and_then(Amount::metres)
            .or(frame.pattern.gap);
        let gap = gap.or(frame.amount.and_then(Amount::metres));
        // "close the gap": as near as the nearest two are.
        let gap = gap.or_else(|| {
            let mut members: Vec<&Member> = members.iter().collect();
            members.sort_by(|one, other| one.foot[along].total_cmp(&other.foot[along]));
            let gaps = members.windows(2).map(|pair| {
                let half = 0.5 * (pair[0].size[along] + pair[1].size[along]);
                (pair[1].foot[along] - pair[0].foot[along] - half).max(0.0)
            });
            (frame.way == Some(Way::Together)).then(|| gaps.fold(f64::INFINITY, f64::min))
        });
        let mut args = json!({ "ids": ids, "axis": axis });
        if let Some(gap) = gap {
            args["gap"] = json!(gap);
        }
        if self.call("distribute", args.clone()).is_err() {
            args["gap"] = json!(0.15);
            self.call("distribute", args)?;
        }
        Ok(())
    }

    /// By size from left to right, or piled up.
    fn sort(&mut self, ids: &[String], frame: &Frame) -> Done {
        let mut members = self.members(ids);
        let of = |member: &Member| match frame.dimension {
            Some(Dimension::Height) => member.size.y,
            _ => member.size.x * member.size.y * member.size.z.max(1e-6),
        };
        members.sort_by(|one, other| of(one).total_cmp(&of(other)));
        let largest_first = matches!(frame.superlative, Some("big" | "tall" | "wide" | "long"));
        if frame.pattern.layout == Some(Layout::Stack) || largest_first {
            members.reverse();
        }
        let sorted: Vec<String> = members.into_iter().map(|member| member.id).collect();
        let layout = frame.pattern.layout.unwrap_or(Layout::Row);
        let pattern = Pattern { layout: Some(layout), ..frame.pattern.clone() };
        self.lay_out_again(&sorted, &pattern, frame)
    }

    /// Puts each in its place in a pattern around where they stand.
    fn lay_out_again(&mut self, ids: &[String], pattern: &Pattern, frame: &Frame) -> Done {
        let layout = pattern.layout.unwrap_or(Layout::Row);
        if layout == Layout::Stack {
            return self.pile(ids, frame.act == Some(Act::Sort));
        }
        let scene = self.scene();
        let sides = Sides::of(&scene);
        let members = self.members(ids);
        let count = members.len();
        let middle = members.iter().map(|member| member.foot).sum::<DVec3>() / count as f64;
        let ground = members.iter().map(|member| member.foot.y).fold(f64::MAX, f64::min);
        let across =
            members.iter().map(|member| member.size.x.max(member.size.z)).fold(0.0, f64::max);
        let gap = pattern.gap.unwrap_or(0.25 * across);
        let step = pattern.step.unwrap_or(across + gap);
        let ring = (count as f64 * step / std::f64::consts::TAU).max(across);
        let row = |along: DVec3| {
            let whole: f64 =
                members.iter().map(|member| member.size.x).sum::<f64>() + gap * (count - 1) as f64;
            let mut at = -0.5 * whole;
            let mut places = Vec::new();
            for member in &members {
                places.push(along * (at + 0.5 * member.size.x));
                at += member.size.x + gap;
            }
            places
        };
        let angle = |at: usize, whole: f64| whole * at as f64;
        let offsets: Vec<DVec3> = match layout {
            Layout::Row => row(sides.right),
            Layout::Column => row(-sides.front),
            Layout::Circle => (0..count)
                .map(|at| {
                    let angle = angle(at, std::f64::consts::TAU / count as f64);
                    sides.right * ring * angle.cos() + sides.front * ring * angle.sin()
                })
                .collect(),
            Layout::Arc => (0..count)
                .map(|at| {
                    let angle = angle(at, std::f64::consts::PI / (count.max(2) - 1) as f64);
                    sides.right * -1.6 * ring * angle.cos() - sides.front * 1.6 * ring * angle.sin()
                })
                .collect(),
            Layout::Spiral => (0..count)
                .map(|at| {
                    let share = (at + 1) as f64 / count as f64;
                    let angle = angle(at, 2.0 * std::f64::consts::TAU / count as f64);
                    (sides.right * angle.cos() + sides.front * angle.sin()) * ring * 1.6 * share
                })
                .collect(),
            Layout::Grid | Layout::Square | Layout::Wall | Layout::Pyramid => {
                let columns = pattern.columns.unwrap_or_else(|| match pattern.rows {
                    Some(rows) => count.div_ceil(rows),
                    None => (count as f64).sqrt().ceil() as usize,
                });
                let rows = count.div_ceil(columns.max(1));
                (0..count)
                    .map(|at| {
                        let (column, row) = (at % columns.max(1), at / columns.max(1));
                        let x = column as f64 - 0.5 * (columns - 1) as f64;
                        let z = row as f64 - 0.5 * (rows - 1) as f64;
                        sides.right * x * step - sides.front * z * step
                    })
                    .collect()
            }
            Layout::Triangle => {
                let places = (1..).flat_map(|row: usize| (0..row).map(move |at| (row, at)));
                places
                    .take(count)
                    .map(|(row, at)| {
                        let x = at as f64 - 0.5 * (row - 1) as f64;
                        sides.right * x * step - sides.front * (row - 1) as f64 * step
                    })
                    .collect()
            }
            Layout::Steps => {
                (0..count).map(|at| (sides.right - sides.front) * step * at as f64 * 0.7).collect()
            }
            Layout::Scatter => (0..count)
                .map(|at| {
                    // The golden angle spreads evenly without a pattern that shows.
                    let angle = angle(at, 2.399_963);
                    let far = step * (at as f64 + 0.5).sqrt() * 1.1;
                    sides.right * far * angle.cos() + sides.front * far * angle.sin()
                })
                .collect(),
            Layout::Stack => Vec::new(),
            other => {
                let ways = figure(other, count, step).unwrap_or_default();
                let middle = ways.iter().sum::<DVec3>() / count as f64;
                ways.iter()
                    .map(|way| way - middle)
                    .map(|way| sides.right * way.x + sides.front * way.z)
                    .collect()
            }
        };
        for (member, offset) in members.iter().zip(offsets) {
            let to = (middle + offset).with_y(ground);
            self.shift_by(std::slice::from_ref(&member.id), to - member.foot)?;
        }
        for place in &frame.places {
            self.put(ids, place, false)?;
        }
        Ok(())
    }

    /// One on the other: the widest below, unless the order is told.
    fn pile(&mut self, ids: &[String], in_order: bool) -> Done {
        let mut members = self.members(ids);
        if !in_order {
            members.sort_by(|one, other| {
                let area = |member: &Member| member.size.x * member.size.z;
                area(other).total_cmp(&area(one))
            });
        }
        for pair in members.windows(2) {
            let [below, above] = pair else { continue };
            let args = json!({ "ids": [above.id], "relation": "on", "to": [below.id], "offset": [0, 0, 0] });
            self.call("place", args)?;
        }
        Ok(())
    }
}
