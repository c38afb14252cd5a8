//! Conversion of a binary tree to one with [`WIDTH`] children per node.

use std::ops::Range;

use super::build::BinaryNode;
use super::node::{Child, Node, WIDTH};
use crate::bounds::Bounds;

/// The nodes of the wide tree, the root first, and the items of each leaf.
pub(super) fn collapse(binary: &[BinaryNode]) -> (Vec<Node>, Vec<Range<usize>>) {
    let mut nodes = Vec::with_capacity(binary.len() / WIDTH + 1);
    let mut leaves = Vec::with_capacity(binary.len() / 2 + 1);
    if !binary.is_empty() {
        add(&mut nodes, &mut leaves, binary, 0);
    }
    (nodes, leaves)
}

/// Appends the tree under `binary[top]`.
fn add(nodes: &mut Vec<Node>, leaves: &mut Vec<Range<usize>>, binary: &[BinaryNode], top: usize) {
    let (children, count) = gather(binary, top);
    let children = &children[..count];
    let place = nodes.len();
    let mut planes = [[[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]]; 3];
    for (lane, &child) in children.iter().enumerate() {
        let Bounds { min, max } = binary[child].bounds;
        for (axis, [lower, upper]) in planes.iter_mut().enumerate() {
            (lower[lane], upper[lane]) = (min[axis], max[axis]);
        }
    }
    nodes.push(Node { planes, children: [Child::default(); WIDTH] });
    for (lane, &child) in children.iter().enumerate() {
        let BinaryNode { place: first, count, .. } = binary[child];
        nodes[place].children[lane] = if count > 0 {
            leaves.push(first as usize..(first + count) as usize);
            Child::leaf(leaves.len() as u32 - 1)
        } else {
            let inner = nodes.len() as u32;
            add(nodes, leaves, binary, child);
            Child::inner(inner)
        };
    }
}

/// The descendants of `top` that become its children, and their number. The largest are opened
/// first, since most rays enter them.
fn gather(binary: &[BinaryNode], top: usize) -> ([usize; WIDTH], usize) {
    let mut gathered = [top; WIDTH];
    let mut count = 1;
    while count < WIDTH {
        let largest = gathered[..count]
            .iter()
            .enumerate()
            .filter(|&(_, &node)| binary[node].count == 0)
            .map(|(at, &node)| (at, binary[node].bounds.half_area()))
            .max_by(|(_, a), (_, b)| a.total_cmp(b));
        let Some((at, _)) = largest else { break };
        let node = gathered[at];
        gathered[at] = node + 1;
        gathered[count] = node + binary[node].place as usize;
        count += 1;
    }
    (gathered, count)
}
