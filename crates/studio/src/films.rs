//! The memory budget of preview films. A film takes 76 bytes per pixel and is needed from pass to pass,
//! so films dominate the memory of previews. Between turns, a film is retained only within the budget.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tracer::Film;

use crate::bound::Bound;

/// Bytes per permit.
const UNIT: usize = 1 << 10;

/// The budget of all preview films. Cheap to clone.
#[derive(Clone)]
pub(crate) struct FilmBudget(Arc<Budget>);

struct Budget {
    bytes: usize,
    /// A permit for each [`UNIT`], given in the order in which films ask.
    room: Arc<Semaphore>,
    /// Previews that wait for room.
    waiters: AtomicUsize,
    /// Films of paused previews, so that a page that returns to the foreground resumes: at most half of all. Locked
    /// only to insert and remove.
    paused: Mutex<Paused>,
}

#[derive(Default)]
struct Paused {
    /// The one paused longest ago first.
    films: VecDeque<(u64, RetainedFilm)>,
    next: u64,
}

impl Paused {
    fn units(&self) -> usize {
        self.films.iter().map(|(_, film)| film.room.num_permits()).sum()
    }
}

/// A film with its share of the budget.
pub(crate) struct RetainedFilm {
    pub(crate) film: Film,
    pub(crate) room: OwnedSemaphorePermit,
}

/// A handle to the film of a paused preview, which may have been freed. Dropping it frees the film.
pub(crate) struct PausedFilm {
    budget: FilmBudget,
    number: u64,
}

impl FilmBudget {
    pub(crate) fn new(bytes: usize) -> Self {
        let room = Arc::new(Semaphore::new(bytes / UNIT));
        let (waiters, paused) = (AtomicUsize::new(0), Mutex::default());
        Self(Arc::new(Budget { bytes, room, waiters, paused }))
    }

    /// The most pixels of a preview. A film that is larger than the budget takes all of it.
    pub(crate) fn max_pixels(&self) -> u64 {
        (self.0.bytes / Film::BYTES_PER_PIXEL) as u64 * 7 / 4
    }

    /// The budget, for operators.
    pub(crate) fn bound(&self) -> Bound {
        let limit = (self.0.bytes / UNIT * UNIT) as u64;
        Bound::of_permits("film_bytes", &self.0.room, limit, UNIT as u64)
    }

    /// The permits of a film of `pixels` pixels.
    fn units(&self, pixels: u64) -> u32 {
        units(pixels).min(u32::try_from(self.0.bytes / UNIT).unwrap_or(u32::MAX))
    }

    /// Reserves room for a film of `pixels` pixels, if possible; films of paused previews are freed for it.
    pub(crate) fn try_keep(&self, pixels: u64) -> Option<OwnedSemaphorePermit> {
        loop {
            if let Ok(room) = Arc::clone(&self.0.room).try_acquire_many_owned(self.units(pixels)) {
                return Some(room);
            }
            let oldest = self.lock().films.pop_front();
            drop(oldest?);
        }
    }

    /// Waits for room for a film of `pixels` pixels.
    pub(crate) async fn keep(&self, pixels: u64) -> Option<OwnedSemaphorePermit> {
        if let Some(room) = self.try_keep(pixels) {
            return Some(room);
        }
        let _waiter = Waiter::new(&self.0.waiters);
        // Previews may have been paused before the waiter was counted.
        if let Some(room) = self.try_keep(pixels) {
            return Some(room);
        }
        Arc::clone(&self.0.room).acquire_many_owned(self.units(pixels)).await.ok()
    }

    /// Whether a preview waits for room.
    pub(crate) fn has_waiters(&self) -> bool {
        self.0.waiters.load(Ordering::Relaxed) > 0
    }

    /// Retains the film of a paused preview while there is room.
    pub(crate) fn pause(&self, film: RetainedFilm) -> PausedFilm {
        let mut paused = self.lock();
        let number = paused.next;
        paused.next += 1;
        if !self.has_waiters() {
            paused.films.push_back((number, film));
        }
        let mut freed = Vec::new();
        while paused.units() * UNIT > self.0.bytes / 2 {
            freed.extend(paused.films.pop_front());
        }
        drop(paused);
        PausedFilm { budget: self.clone(), number }
    }

    fn lock(&self) -> MutexGuard<'_, Paused> {
        // A panic cannot leave the queue inconsistent, so a poisoned lock is safe to use.
        self.0.paused.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PausedFilm {
    /// Takes the film, if it was retained.
    pub(crate) fn take(&self) -> Option<RetainedFilm> {
        let mut paused = self.budget.lock();
        let place = paused.films.iter().position(|(number, _)| *number == self.number)?;
        paused.films.remove(place).map(|(_, film)| film)
    }
}

impl Drop for PausedFilm {
    fn drop(&mut self) {
        drop(self.take());
    }
}

/// Counts a waiting preview while it lives.
struct Waiter<'a>(&'a AtomicUsize);

impl<'a> Waiter<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn units(pixels: u64) -> u32 {
    let bytes = pixels.saturating_mul(Film::BYTES_PER_PIXEL as u64);
    u32::try_from(bytes.div_ceil(UNIT as u64)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIXELS: u64 = 64 * 64;

    /// A budget for this many films of 64 x 64 pixels.
    fn budget(films: usize) -> FilmBudget {
        FilmBudget::new(films * units(PIXELS) as usize * UNIT)
    }

    fn film(budget: &FilmBudget) -> Option<RetainedFilm> {
        let room = budget.try_keep(PIXELS)?;
        Some(RetainedFilm { film: Film::with_features(64, 64), room })
    }

    #[tokio::test]
    async fn room_is_bounded_and_paused_films_make_room_the_oldest_first() {
        let budget = budget(2);
        let [first, second] = [film(&budget), film(&budget)].map(Option::unwrap);
        assert!(film(&budget).is_none());
        let [first, second] = [first, second].map(|film| budget.pause(film));
        let third = film(&budget).unwrap();
        assert!(first.take().is_none());
        let second = second.take().unwrap();
        let waiting = budget.keep(PIXELS);
        tokio::pin!(waiting);
        assert!(futures_util::poll!(&mut waiting).is_pending() && budget.has_waiters());
        // Paused films are not retained while a preview waits.
        let second = budget.pause(second);
        assert!(waiting.await.is_some() && !budget.has_waiters());
        assert!(second.take().is_none());
        drop(third);
        assert!(film(&budget).is_some());
    }

    #[tokio::test]
    async fn a_film_larger_than_the_budget_takes_all_of_it() {
        let budget = budget(2);
        assert!(budget.max_pixels() > 3 * PIXELS && budget.max_pixels() < 4 * PIXELS);
        let large = budget.keep(budget.max_pixels()).await;
        assert!(large.is_some() && film(&budget).is_none());
        drop(large);
        assert!(film(&budget).is_some());
    }

    #[test]
    fn a_paused_preview_that_ends_frees_its_film() {
        let budget = budget(1);
        let paused = budget.pause(film(&budget).unwrap());
        drop(paused);
        assert!(budget.lock().films.is_empty() && film(&budget).is_some());
    }
}
