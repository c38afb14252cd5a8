//! From a binary tree to one of four children a node.

use glam::Vec4;

use super::build::BinaryNode;
use super::{Child, Node, WIDTH};
use crate::bounds::Bounds;

/// The nodes of the wide tree, root first, and how many levels it has.
pub(super) fn collapse(binary: &[BinaryNode]) -> (Vec<Node>, usize) {
    let mut nodes = Vec::with_capacity(binary.len() / 2);
    let depth = if binary.is_empty() { 0 } else { add(&mut nodes, binary, 0) };
    (nodes, depth)
}

/// Appends the tree under `binary[top]`; how many levels it has.
fn add(nodes: &mut Vec<Node>, binary: &[BinaryNode], top: usize) -> usize {
    let children = gather(binary, top);
    let place = nodes.len();
    let mut planes = [[[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]]; 3];
    for (lane, &child) in children.iter().enumerate() {
        let Bounds { min, max } = binary[child].bounds;
        for (axis, [lower, upper]) in planes.iter_mut().enumerate() {
            (lower[lane], upper[lane]) = (min[axis], max[axis]);
        }
    }
    let planes = planes.map(|sides| sides.map(Vec4::from_array));
    nodes.push(Node { planes, children: [Child::default(); WIDTH] });
    let mut depth = 0;
    for (lane, &child) in children.iter().enumerate() {
        let BinaryNode { first, count, .. } = binary[child];
        nodes[place].children[lane] = if count > 0 {
            Child::new(first, count)
        } else {
            let inner = nodes.len() as u32;
            depth = depth.max(add(nodes, binary, child));
            Child::new(inner, 0)
        };
    }
    depth + 1
}

/// The up to four nodes that take the place of the children of `top`: the largest are opened first,
/// since rays enter them most.
fn gather(binary: &[BinaryNode], top: usize) -> Vec<usize> {
    let mut gathered = vec![top];
    while gathered.len() < WIDTH {
        let inner = |&(_, &node): &(usize, &usize)| binary[node].count == 0;
        let area = |node: usize| binary[node].bounds.half_area();
        let largest = gathered
            .iter()
            .enumerate()
            .filter(inner)
            .max_by(|(_, a), (_, b)| area(**a).total_cmp(&area(**b)));
        let Some((at, &node)) = largest else { break };
        let first = binary[node].first as usize;
        gathered.splice(at..=at, [first, first + 1]);
    }
    gathered
}
