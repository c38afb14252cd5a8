//! Conversion of a binary tree to one with [`WIDTH`] children per node.

use super::build::BinaryNode;
use super::node::{Child, Node, WIDTH};
use crate::bounds::Bounds;

/// The nodes of the wide tree, the root first. `leaf` converts the first item and the number of
/// items of a leaf to a child.
pub(super) fn collapse(
    binary: &[BinaryNode],
    leaf: &mut impl FnMut(u32, u32) -> Child,
) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(binary.len() / WIDTH + 1);
    if !binary.is_empty() {
        add(&mut nodes, binary, 0, leaf);
    }
    nodes
}

/// Appends the tree under `binary[top]`.
fn add(
    nodes: &mut Vec<Node>,
    binary: &[BinaryNode],
    top: usize,
    leaf: &mut impl FnMut(u32, u32) -> Child,
) {
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
            leaf(first, count)
        } else {
            let inner = nodes.len() as u32;
            add(nodes, binary, child, leaf);
            Child::new(inner, 0)
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
