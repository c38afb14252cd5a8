//! Things of absurd sizes.

use std::collections::HashSet;

use scene::FindingKind;
use serde_json::json;

use super::finding::Findings;
use crate::measure::short;
use crate::solid::{Relation, Solid};
use crate::space::Space;

/// Ratio to the median size beyond which the size of an object is a finding.
const ABSURD_RATIO: f64 = 100.0;

/// The largest member of a group over the whole group, below which it is a crowd rather than a thing of parts.
const CROWD: f64 = 0.05;

/// What is a hundred times larger or smaller than the things of middling size. The parts of a group
/// are looked at as one; floors, walls and what carries something may be as large as they like.
pub(super) fn sizes(
    space: &Space<'_>,
    contacts: &[(usize, usize, Relation)],
    findings: &mut Findings,
) {
    let carries = |at: usize| {
        contacts.iter().any(|(one, other, relation)| {
            (*other == at && relation.away.y > 0.7) || (*one == at && relation.away.y < -0.7)
        })
    };
    let mut groups: HashSet<&str> = HashSet::new();
    let mut things: Vec<(f64, usize, &str)> = Vec::new();
    for (at, body) in space.shapes().filter(|(_, body)| !body.solid.is_flat()) {
        match body.group() {
            None => things.push((body.solid.size(), at, body.id)),
            Some(group) if groups.insert(group.as_str()) => {
                let members = || {
                    space
                        .shapes()
                        .filter(|(_, body)| body.group() == Some(group))
                        .map(|(_, it)| &it.solid)
                };
                let whole = Solid::union(members()).map_or(0.0, |whole| whole.size());
                let largest = members().map(Solid::size).fold(0.0, f64::max);
                // Stars all over the sky are as large as a star.
                let is_crowd = largest < CROWD * whole;
                things.push((if is_crowd { largest } else { whole }, at, group.as_str()));
            }
            Some(_) => {}
        }
    }
    things.sort_by(|one, other| one.0.total_cmp(&other.0));
    let Some((median, ..)) = things.get(things.len() / 2).copied() else { return };
    for (size, at, name) in things {
        let ratio = (size / median).max(median / size);
        // What is farther away than it is large is what stands behind: mountains, a planet.
        let is_backdrop = || {
            let extent = space.bodies()[at].solid.extent();
            extent.center().distance(space.scene.camera.center.get().into()) > size
        };
        if ratio <= ABSURD_RATIO || (size > median && (carries(at) || is_backdrop())) {
            continue;
        }
        let word = if size > median { "larger" } else { "smaller" };
        let message = format!(
            "'{name}' ({} m) is {ratio:.0} times {word} than the middling size here ({} m)",
            short(size),
            short(median)
        );
        let fix = json!({ "name": "scale", "args": { "ids": [name], "to": short(median) } });
        findings.add(FindingKind::Scale, &[&space.bodies()[at]], message, Some(fix));
    }
}
