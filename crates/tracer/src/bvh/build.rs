//! Building by the surface area heuristic over binned centres.
//! Wald 2007, "On fast Construction of SAH-based Bounding Volume Hierarchies".

use super::MAX_DEPTH;
use crate::bounds::Bounds;

/// Bins per axis: more gain little.
const BINS: usize = 16;
/// A leaf never holds more unless its items cannot be told apart by depth.
const LARGEST_LEAF: usize = 4;
/// The cost of asking one item, where entering a pair of boxes costs 1. Exact shapes are dear, and
/// two pairs are asked at once.
const ITEM_COST: f32 = 4.0;
/// Below this depth nodes are halved by count, so that [`MAX_DEPTH`] is never reached: 32 more
/// levels tell apart any number of items a `u32` can count.
const DEEPEST_HEURISTIC: usize = MAX_DEPTH - 34;

/// A box over two neighbouring children or over items.
#[derive(Debug, Clone, Copy)]
pub(super) struct BinaryNode {
    pub(super) bounds: Bounds,
    /// The first item of a leaf, or the first of the children.
    pub(super) first: u32,
    /// The number of items; 0 in inner nodes.
    pub(super) count: u32,
}

impl BinaryNode {
    const EMPTY: Self = Self { bounds: Bounds::EMPTY, first: 0, count: 0 };
}

struct Item {
    bounds: Bounds,
    center: glam::Vec3A,
    index: u32,
}

/// The nodes, root first, and the order of the items.
pub(super) fn build(bounds: &[Bounds]) -> (Vec<BinaryNode>, Vec<u32>) {
    let mut items: Vec<Item> = bounds
        .iter()
        .enumerate()
        .map(|(index, &bounds)| Item { bounds, center: bounds.center(), index: index as u32 })
        .collect();
    let mut nodes = Vec::with_capacity(2 * items.len());
    if !items.is_empty() {
        nodes.push(BinaryNode::EMPTY);
        split(&mut nodes, 0, &mut items, 0, 0);
    }
    (nodes, items.iter().map(|item| item.index).collect())
}

/// Fills `nodes[at]` with a tree over `items`, the first of which has the place `first`.
fn split(nodes: &mut Vec<BinaryNode>, at: usize, items: &mut [Item], first: usize, depth: usize) {
    let bounds = items.iter().fold(Bounds::EMPTY, |all, item| all.union(item.bounds));
    let middle = if items.len() == 1 {
        None
    } else if depth < DEEPEST_HEURISTIC {
        split_by_cost(items, bounds)
    } else {
        Some(halve(items))
    };
    let Some(middle) = middle else {
        let (first, count) = (first as u32, items.len() as u32);
        nodes[at] = BinaryNode { bounds, first, count };
        return;
    };
    let children = nodes.len();
    nodes[at] = BinaryNode { bounds, first: children as u32, count: 0 };
    nodes.push(BinaryNode::EMPTY);
    nodes.push(BinaryNode::EMPTY);
    let (left, right) = items.split_at_mut(middle);
    split(nodes, children, left, first, depth + 1);
    split(nodes, children + 1, right, first + middle, depth + 1);
}

/// Orders the items along the widest axis of their centres and cuts in the middle.
fn halve(items: &mut [Item]) -> usize {
    let centers = items.iter().fold(Bounds::EMPTY, |all, item| all.with_point(item.center));
    let axis = (centers.max - centers.min).max_position();
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        a.center[axis].total_cmp(&b.center[axis]).then(a.index.cmp(&b.index))
    });
    middle
}

/// Partitions the items at the cheapest border between bins; `None` when a leaf is cheaper.
fn split_by_cost(items: &mut [Item], bounds: Bounds) -> Option<usize> {
    let centers = items.iter().fold(Bounds::EMPTY, |all, item| all.with_point(item.center));
    let leaf_cost = items.len() as f32 * ITEM_COST;
    let may_be_leaf = items.len() <= LARGEST_LEAF;
    let cheapest = (0..3)
        .filter(|&axis| centers.max[axis] > centers.min[axis])
        .filter_map(|axis| cheapest_border(items, bounds, centers, axis))
        .min_by(|a, b| a.cost.total_cmp(&b.cost));
    let Some(border) = cheapest else {
        return (!may_be_leaf).then(|| halve(items));
    };
    if may_be_leaf && leaf_cost <= border.cost {
        return None;
    }
    Some(partition(items, |item| bin_of(item, centers, border.axis) <= border.bin))
}

struct Border {
    axis: usize,
    /// The last bin on the left.
    bin: usize,
    cost: f32,
}

fn bin_of(item: &Item, centers: Bounds, axis: usize) -> usize {
    let (low, high) = (centers.min[axis], centers.max[axis]);
    (((item.center[axis] - low) / (high - low) * BINS as f32) as usize).min(BINS - 1)
}

fn cheapest_border(items: &[Item], bounds: Bounds, centers: Bounds, axis: usize) -> Option<Border> {
    let mut bins = [(Bounds::EMPTY, 0_usize); BINS];
    for item in items {
        let (bin, count) = &mut bins[bin_of(item, centers, axis)];
        *bin = bin.union(item.bounds);
        *count += 1;
    }
    // What lies right of each border, swept from the right.
    let mut right = [(0.0_f32, 0_usize); BINS];
    let mut swept = (Bounds::EMPTY, 0);
    for bin in (1..BINS).rev() {
        swept = (swept.0.union(bins[bin].0), swept.1 + bins[bin].1);
        right[bin - 1] = (swept.0.half_area(), swept.1);
    }
    let mut left = (Bounds::EMPTY, 0);
    let mut best: Option<Border> = None;
    for bin in 0..BINS - 1 {
        left = (left.0.union(bins[bin].0), left.1 + bins[bin].1);
        let (right_area, right_count) = right[bin];
        if left.1 == 0 || right_count == 0 {
            continue;
        }
        let weighted = left.0.half_area() * left.1 as f32 + right_area * right_count as f32;
        let cost = 1.0 + ITEM_COST * weighted / bounds.half_area().max(f32::MIN_POSITIVE);
        if best.as_ref().is_none_or(|best| cost < best.cost) {
            best = Some(Border { axis, bin, cost });
        }
    }
    best
}

/// Moves the items that are `left` to the front; how many they are.
fn partition(items: &mut [Item], left: impl Fn(&Item) -> bool) -> usize {
    let mut count = 0;
    for at in 0..items.len() {
        if left(&items[at]) {
            items.swap(count, at);
            count += 1;
        }
    }
    count
}
