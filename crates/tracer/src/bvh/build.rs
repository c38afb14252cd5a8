//! Building by the surface area heuristic over binned centres, with the two halves of a large tree
//! in parallel. Wald 2007, "On fast Construction of SAH-based Bounding Volume Hierarchies".

use glam::{Vec3A, Vec4};

use crate::bounds::Bounds;

/// The number of bins per axis; more gain little.
const BINS: usize = 16;
/// Below this depth nodes are split by count, which bounds the depth for degenerate boxes: 32 more
/// levels suffice for any number of items that fits a `u32`.
const MAX_HEURISTIC_DEPTH: usize = 64;
/// Halves with more items are built in parallel: some tenths of a millisecond of work.
const WORTH_A_THREAD: usize = 4096;

/// The costs of leaves, relative to entering a pair of boxes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeafCosts {
    /// The number of items that are tested at once.
    pub(crate) batch: usize,
    /// The cost of testing a batch, full or not.
    pub(crate) batch_cost: f32,
    /// The maximum number of items of a leaf.
    pub(crate) largest: usize,
}

impl LeafCosts {
    fn of(self, items: usize) -> f32 {
        items.div_ceil(self.batch) as f32 * self.batch_cost
    }
}

/// The bounding box of two children or of items. The left child follows its parent.
#[derive(Debug, Clone, Copy)]
pub(super) struct BinaryNode {
    pub(super) bounds: Bounds,
    /// The first item of a leaf, or the distance from the parent to its right child.
    pub(super) place: u32,
    /// The number of items; 0 in inner nodes.
    pub(super) count: u32,
}

/// A box whose unused lanes hold the two halves of the index. This takes half the memory of a box,
/// a centre and an index, and most of the build sorts items. The halves are stored as floats, not
/// as bits, since those would be subnormal, which makes arithmetic on all lanes slow.
#[derive(Debug, Clone, Copy)]
struct Item {
    min: Vec4,
    max: Vec4,
}

impl Item {
    fn new(bounds: Bounds, index: usize) -> Self {
        let min = bounds.min.extend((index & 0xffff) as f32);
        Self { min, max: bounds.max.extend((index >> 16) as f32) }
    }

    fn index(self) -> u32 {
        (self.max.w as u32) << 16 | self.min.w as u32
    }

    fn bounds(self) -> Bounds {
        Bounds { min: Vec3A::from_vec4(self.min), max: Vec3A::from_vec4(self.max) }
    }

    /// Twice the centre.
    fn center(self) -> Vec3A {
        Vec3A::from_vec4(self.min) + Vec3A::from_vec4(self.max)
    }
}

/// Builds a tree; returns its nodes, the root first, and the order of the items.
pub(super) fn build(bounds: &[Bounds], costs: LeafCosts) -> (Vec<BinaryNode>, Vec<u32>) {
    let mut items: Vec<Item> =
        bounds.iter().enumerate().map(|(index, &bounds)| Item::new(bounds, index)).collect();
    let nodes = if items.is_empty() { Vec::new() } else { tree(&mut items, 0, 0, costs) };
    (nodes, items.iter().map(|item| item.index()).collect())
}

/// A tree over `items`, the first of which has the index `first`.
fn tree(items: &mut [Item], first: usize, depth: usize, costs: LeafCosts) -> Vec<BinaryNode> {
    if items.len() < WORTH_A_THREAD {
        let mut nodes = Vec::with_capacity(2 * items.len() / costs.largest + 2);
        split(&mut nodes, items, first, depth, costs);
        return nodes;
    }
    let extent = Extent::of(items);
    let Some(middle) = cut(items, &extent, depth, costs) else {
        return vec![leaf(extent.bounds, first, items.len())];
    };
    let (left, right) = items.split_at_mut(middle);
    let (left, right) = rayon::join(
        || tree(left, first, depth + 1, costs),
        || tree(right, first + middle, depth + 1, costs),
    );
    let mut nodes = Vec::with_capacity(1 + left.len() + right.len());
    nodes.push(BinaryNode { bounds: extent.bounds, place: 1 + left.len() as u32, count: 0 });
    nodes.extend(left);
    nodes.extend(right);
    nodes
}

/// Appends a tree over `items`.
fn split(
    nodes: &mut Vec<BinaryNode>,
    items: &mut [Item],
    first: usize,
    depth: usize,
    costs: LeafCosts,
) {
    let extent = Extent::of(items);
    let Some(middle) = cut(items, &extent, depth, costs) else {
        nodes.push(leaf(extent.bounds, first, items.len()));
        return;
    };
    let at = nodes.len();
    nodes.push(BinaryNode { bounds: extent.bounds, place: 0, count: 0 });
    let (left, right) = items.split_at_mut(middle);
    split(nodes, left, first, depth + 1, costs);
    nodes[at].place = (nodes.len() - at) as u32;
    split(nodes, right, first + middle, depth + 1, costs);
}

fn leaf(bounds: Bounds, first: usize, count: usize) -> BinaryNode {
    BinaryNode { bounds, place: first as u32, count: count as u32 }
}

struct Extent {
    bounds: Bounds,
    /// The bounds of the doubled centres.
    centers: Bounds,
}

impl Extent {
    fn of(items: &[Item]) -> Self {
        let none = Self { bounds: Bounds::EMPTY, centers: Bounds::EMPTY };
        items.iter().fold(none, |all, item| Self {
            bounds: all.bounds.union(item.bounds()),
            centers: all.centers.with_point(item.center()),
        })
    }
}

/// Sorts the items into two children and returns the size of the first; `None` if a leaf is
/// cheaper.
fn cut(items: &mut [Item], extent: &Extent, depth: usize, costs: LeafCosts) -> Option<usize> {
    let may_be_leaf = items.len() <= costs.largest;
    if items.len() == 1 {
        return None;
    }
    if depth >= MAX_HEURISTIC_DEPTH {
        return (!may_be_leaf).then(|| halve(items, extent));
    }
    let Some(border) = cheapest_border(items, extent, costs) else {
        return (!may_be_leaf).then(|| halve(items, extent));
    };
    if may_be_leaf && costs.of(items.len()) <= border.cost {
        return None;
    }
    let bins = Bins::over(extent);
    Some(partition(items, |item| bins.of(item)[border.axis] <= border.bin))
}

/// Splits the items at the median along the widest axis of their centres.
fn halve(items: &mut [Item], extent: &Extent) -> usize {
    let axis = (extent.centers.max - extent.centers.min).max_position();
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        a.center()[axis].total_cmp(&b.center()[axis]).then(a.index().cmp(&b.index()))
    });
    middle
}

/// Equal intervals of the centres on each axis.
struct Bins {
    low: Vec3A,
    /// 0 on axes with equal centres.
    scale: Vec3A,
}

impl Bins {
    fn over(extent: &Extent) -> Self {
        let size = extent.centers.max - extent.centers.min;
        let scale = Vec3A::select(
            size.cmpgt(Vec3A::splat(f32::MIN_POSITIVE)),
            // Slightly below BINS, so that the largest centre falls into the last bin.
            Vec3A::splat(BINS as f32 * (1.0 - 4.0 * f32::EPSILON)) / size,
            Vec3A::ZERO,
        );
        Self { low: extent.centers.min, scale }
    }

    #[inline]
    fn of(&self, item: &Item) -> [usize; 3] {
        ((item.center() - self.low) * self.scale)
            .to_array()
            .map(|place| (place as u32 as usize).min(BINS - 1))
    }
}

struct Border {
    axis: usize,
    /// The last bin on the left.
    bin: usize,
    cost: f32,
}

type Filled = [(Bounds, u32); BINS];

fn cheapest_border(items: &[Item], extent: &Extent, costs: LeafCosts) -> Option<Border> {
    let bins = Bins::over(extent);
    let mut filled: [Filled; 3] = [[(Bounds::EMPTY, 0); BINS]; 3];
    for item in items {
        let bounds = item.bounds();
        for (filled, bin) in filled.iter_mut().zip(bins.of(item)) {
            let (all, count) = &mut filled[bin];
            *all = all.union(bounds);
            *count += 1;
        }
    }
    let area = extent.bounds.half_area().max(f32::MIN_POSITIVE);
    (0..3)
        .filter(|&axis| bins.scale[axis] > 0.0)
        .filter_map(|axis| cheapest_on_axis(&filled[axis], axis, area, costs))
        .min_by(|a, b| a.cost.total_cmp(&b.cost))
}

fn cheapest_on_axis(filled: &Filled, axis: usize, area: f32, costs: LeafCosts) -> Option<Border> {
    // Costs right of each border, swept from the right.
    let mut right = [(0.0_f32, 0_u32); BINS];
    let mut swept = (Bounds::EMPTY, 0);
    for bin in (1..BINS).rev() {
        swept = (swept.0.union(filled[bin].0), swept.1 + filled[bin].1);
        right[bin - 1] = (swept.0.half_area(), swept.1);
    }
    let mut left = (Bounds::EMPTY, 0);
    let mut best: Option<Border> = None;
    for bin in 0..BINS - 1 {
        left = (left.0.union(filled[bin].0), left.1 + filled[bin].1);
        let (right_area, right_count) = right[bin];
        if left.1 == 0 || right_count == 0 {
            continue;
        }
        let weighted = left.0.half_area() * costs.of(left.1 as usize)
            + right_area * costs.of(right_count as usize);
        let cost = 1.0 + weighted / area;
        if best.as_ref().is_none_or(|best| cost < best.cost) {
            best = Some(Border { axis, bin, cost });
        }
    }
    best
}

/// Moves the items that are `left` to the front and returns their number.
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
