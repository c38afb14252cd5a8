//! Crowds of copies that are each turned in their own way: leaves, needles, grass.

use std::collections::{BTreeMap, HashSet};

use scene::stem;

use crate::space::{Body, Space};

/// Copies in a group from which on it is foliage.
const LEAVES: usize = 24;

/// Whether most of these parts of one whole are many copies, each turned in its own way.
pub(super) fn are_leaves<'b, 'a: 'b>(members: impl Iterator<Item = &'b Body<'a>>) -> bool {
    /// Steps of a size, relative to it, and degrees in which poses count as different.
    const STEPS: f64 = 50.0;
    const DEGREES: f64 = 5.0;
    let mut copies: BTreeMap<&str, (usize, HashSet<[i64; 6]>)> = BTreeMap::new();
    let mut all = 0;
    for one in members {
        let size = one.solid.extent().size();
        let rotation = one.shape().and_then(|shape| {
            let mut geometry = shape.geometry.clone();
            geometry.rotation_mut().map(|rotation| rotation.get())
        });
        let [x, y, z] = (size * (STEPS / size.max_element().max(f64::MIN_POSITIVE))).to_array();
        let [u, v, w] = rotation.unwrap_or_default().map(|angle| angle / DEGREES);
        let (count, poses) = copies.entry(stem(one.id)).or_default();
        *count += 1;
        poses.insert([x, y, z, u, v, w].map(|step| step.round() as i64));
        all += 1;
    }
    let mut copies = copies.into_values();
    copies.any(|(count, poses)| count >= LEAVES && 2 * count > all && 2 * poses.len() > count)
}

impl<'a> Space<'a> {
    /// Whether these loose bodies are leaves among others of their kind, farther above what is below than they are
    /// large: twigs that hold them are not modelled.
    pub(super) fn are_leaves_among_leaves(&self, members: &[usize], way: Option<f64>) -> bool {
        let bodies = || members.iter().map(|at| &self.bodies()[*at]);
        let whole = |body: &Body<'a>| self.whole_of(body);
        let Some(group) = bodies().next().and_then(whole) else { return false };
        let is_near_another = |body: &Body<'a>| {
            let reach = body.solid.size();
            let near = self.near(body.solid.extent(), reach).into_iter();
            let mut others = near.filter(|at| !members.contains(at)).map(|at| &self.bodies()[at]);
            way.is_none_or(|way| way > reach)
                && others.any(|other| {
                    whole(other) == Some(group) && body.solid.relation(&other.solid).gap <= reach
                })
        };
        let is_leaf = |body: &Body<'a>| whole(body) == Some(group) && is_near_another(body);
        bodies().all(is_leaf)
            && are_leaves(self.bodies().iter().filter(|body| whole(body) == Some(group)))
    }
}
