//! Mazes: each cell is reached by one way only, so that there is a way from the entrance to the exit.

use glam::DVec3;

use super::pieces::{Piece, Role, block};
use super::told::Told;

/// A wall between two cells that stands.
const STANDS: bool = true;

/// Which walls of a maze stand: to the right of each cell, and behind it.
struct Walls {
    columns: usize,
    right: Vec<bool>,
    behind: Vec<bool>,
}

/// The walls of a maze; the entrance is at the front on the left, the exit at the back on the right.
pub(super) fn maze(told: &Told) -> Vec<Piece> {
    let (columns, rows) = told.cells;
    let [wide, high, deep] = told.edges;
    let (cell, row_step) = (wide / columns as f64, deep / rows as f64);
    let thick = 0.1 * cell.min(row_step);
    let walls = carved(columns, rows);
    // By lines between the cells, from the front and from the left, as long as they go on.
    let across = (0..=rows).flat_map(|line| {
        let stands = |column: usize| match line {
            0 => column != 0,
            _ if line == rows => column + 1 != columns,
            _ => walls.behind[(line - 1) * walls.columns + column],
        };
        runs(columns, stands).into_iter().map(move |(from, to)| (line, from, to))
    });
    let along = (0..=columns).flat_map(|line| {
        let stands =
            |row: usize| line == 0 || line == columns || walls.right[row * columns + line - 1];
        runs(rows, stands).into_iter().map(move |(from, to)| (line, from, to))
    });
    let at = |column: f64, row: f64| {
        DVec3::new(column * cell - 0.5 * wide, 0.0, 0.5 * deep - row * row_step)
    };
    let across = across.map(|(line, from, to)| {
        let foot = at(0.5 * (from + to) as f64, line as f64);
        block("wall", Role::Wall, foot, DVec3::new((to - from) as f64 * cell + thick, high, thick))
    });
    let along = along.map(|(line, from, to)| {
        let foot = at(line as f64, 0.5 * (from + to) as f64);
        let long = (to - from) as f64 * row_step - thick;
        block("wall", Role::Wall, foot, DVec3::new(thick, high, long))
    });
    across.chain(along).collect()
}

/// The stretches of a line of which all walls stand.
fn runs(count: usize, stands: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for at in (0..count).filter(|at| stands(*at)) {
        match all.last_mut().filter(|(_, to)| *to == at) {
            Some((_, to)) => *to = at + 1,
            None => all.push((at, at + 1)),
        }
    }
    all
}

/// Walls taken away one by one on a walk that goes back where it finds no new cell; the same at each call.
fn carved(columns: usize, rows: usize) -> Walls {
    let count = columns * rows;
    let mut walls = Walls { columns, right: vec![STANDS; count], behind: vec![STANDS; count] };
    let mut seen = vec![false; count];
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut way = vec![0];
    seen[0] = true;
    while let Some(here) = way.last().copied() {
        let (column, row) = (here % columns, here / columns);
        let left = (column > 0).then(|| here - 1);
        let right = (column + 1 < columns).then_some(here + 1);
        let front = (row > 0).then(|| here - columns);
        let behind = (row + 1 < rows).then_some(here + columns);
        let open: Vec<usize> = [left, right, front, behind]
            .into_iter()
            .flatten()
            .filter(|next| !seen[*next])
            .collect();
        if open.is_empty() {
            way.pop();
            continue;
        }
        // Xorshift.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let next = open[(random % open.len() as u64) as usize];
        let (low, high) = (here.min(next), here.max(next));
        match high - low {
            1 if columns > 1 => walls.right[low] = !STANDS,
            _ => walls.behind[low] = !STANDS,
        }
        seen[next] = true;
        way.push(next);
    }
    walls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_of_a_maze_is_reached_by_one_way() {
        for (columns, rows) in [(8, 8), (3, 12), (2, 2)] {
            let walls = carved(columns, rows);
            let gone = |all: &[bool]| all.iter().filter(|stands| !**stands).count();
            // A tree has one way less than it has cells.
            assert_eq!(gone(&walls.right) + gone(&walls.behind), columns * rows - 1);
            let mut reached = vec![false; columns * rows];
            let mut open = vec![0];
            while let Some(here) = open.pop() {
                if std::mem::replace(&mut reached[here], true) {
                    continue;
                }
                let (column, row) = (here % columns, here / columns);
                let mut ways = Vec::new();
                if column + 1 < columns && !walls.right[here] {
                    ways.push(here + 1);
                }
                if column > 0 && !walls.right[here - 1] {
                    ways.push(here - 1);
                }
                if row + 1 < rows && !walls.behind[here] {
                    ways.push(here + columns);
                }
                if row > 0 && !walls.behind[here - columns] {
                    ways.push(here - columns);
                }
                open.extend(ways);
            }
            assert!(reached.iter().all(|reached| *reached), "{columns} x {rows}");
        }
    }
}
