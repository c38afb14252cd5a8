//! Where the tiles of a picture are.

use std::collections::{HashMap, HashSet};

use tracer::{Film, PassStatistics};

/// Others that may render a tile at the same time.
const MAX_COPIES: u8 = 2;

/// The film of a picture, and where its tiles are.
pub(super) struct State {
    pub(super) film: Film,
    pub(super) tiles: Vec<TileState>,
    /// Tiles that are not finished.
    pub(super) unfinished: usize,
    /// Camera samples that are missing.
    pub(super) rest: u64,
    /// What workers have, the oldest first.
    pub(super) given: Vec<Given>,
    pub(super) statistics: PassStatistics,
    /// Seconds of a camera sample, by worker.
    pub(super) paces: HashMap<u64, f64>,
    /// Workers that could not do a task of this picture.
    pub(super) unable: HashSet<u64>,
}

/// Where a tile is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TileState {
    pub(super) finished: bool,
    /// A thread of this process renders it.
    pub(super) here: bool,
    /// So many workers render it from the samples on that it has now.
    pub(super) away: u8,
}

/// A task that a worker has.
pub(super) struct Given {
    pub(super) id: u64,
    pub(super) worker: u64,
    pub(super) tiles: Vec<u32>,
    /// Samples of its tiles when it was given.
    pub(super) from: u32,
    pub(super) target: u32,
}

/// A task is not with its worker any more.
pub(super) fn remove(state: &mut State, id: u64) -> Option<Given> {
    let place = state.given.iter().position(|given| given.id == id)?;
    let given = state.given.remove(place);
    for tile in &given.tiles {
        let at = *tile as usize;
        if state.film.tile(at).0 == given.from {
            state.tiles[at].away -= 1;
        }
    }
    Some(given)
}

/// The oldest task of another worker that this one may do as well: what is left of its tiles.
pub(super) fn copied(state: &State, worker: u64) -> Option<(Vec<u32>, u32, u32)> {
    state.given.iter().filter(|given| given.worker != worker).find_map(|given| {
        let has_it = |tile: u32| {
            let mut own = state.given.iter().filter(|own| own.worker == worker);
            own.any(|own| own.tiles.contains(&tile))
        };
        let is_left = |tile: &u32| {
            let TileState { finished, away, .. } = state.tiles[*tile as usize];
            let samples = state.film.tile(*tile as usize).0;
            !finished && away < MAX_COPIES && samples == given.from && !has_it(*tile)
        };
        let tiles: Vec<u32> = given.tiles.iter().copied().filter(is_left).collect();
        (!tiles.is_empty()).then_some((tiles, given.from, given.target))
    })
}
