//! What one address may have of what all clients share: at most three quarters, so that it locks nobody out.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use studio::Bound;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The most bytes of everything that is arriving.
const ARRIVING: usize = 512 * 1024 * 1024;
/// Bytes per permit. What is smaller is not counted: so much is read for each connection.
pub(crate) const UNIT: usize = 64 * 1024;
/// Pictures on request of one address: three quarters of what the renderer accepts.
const MAX_PICTURES: usize = 48;
/// Exports and imports of one address, until the file is sent: three quarters of those that run or wait.
const MAX_JOBS: usize = 13;
/// Animations of one address: three quarters of all.
const MAX_MOVIES: usize = 3;
/// Sessions in memory that the sockets of one address use or that it began lately: three quarters of all.
const MAX_SESSIONS: usize = 7_500;

/// The shares of addresses that have connections.
pub(crate) struct Shares {
    units: usize,
    /// Permits for what is arriving from all addresses.
    arriving: Arc<Semaphore>,
    /// Locked only for a lookup.
    by_address: Mutex<HashMap<IpAddr, Weak<OfAddress>>>,
}

#[derive(Debug)]
struct OfAddress {
    arriving: Arc<Semaphore>,
    pictures: Arc<Semaphore>,
    jobs: Arc<Semaphore>,
    movies: Arc<Semaphore>,
    /// Sessions of its sockets and those it began lately, with their number. Locked only to count.
    sessions: Mutex<HashMap<Arc<str>, usize>>,
}

/// The share of an address. Cheap to clone; clones are the same share.
#[derive(Debug, Clone)]
pub(crate) struct Share {
    arriving: Arc<Semaphore>,
    own: Arc<OfAddress>,
}

/// What a body or a message takes of the budget of what is arriving; freed on drop.
#[derive(Debug)]
pub(crate) struct Room {
    share: Share,
    taken: Option<[OwnedSemaphorePermit; 2]>,
}

/// A session that a socket of an address uses, counted until it is dropped.
#[derive(Debug)]
pub(crate) struct CountedSession {
    own: Arc<OfAddress>,
    session: Arc<str>,
}

/// The share is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ShareError {
    /// That of what is arriving.
    #[error("other uploads fill the room there is; try again in a few seconds")]
    Arriving,
    /// That of pictures.
    #[error("this address has {MAX_PICTURES} pictures in the queue; wait for one of them")]
    Pictures,
    /// That of exports and imports.
    #[error("this address has {MAX_JOBS} exports and imports in the queue; wait for one of them")]
    Jobs,
    /// That of animations.
    #[error("this address has {MAX_MOVIES} animations in progress; wait for one of them")]
    Movies,
    /// That of sessions.
    #[error("this address has {MAX_SESSIONS} sessions open; close some and try again")]
    Sessions,
}

impl Default for Shares {
    fn default() -> Self {
        Self::of(ARRIVING / UNIT)
    }
}

impl Shares {
    /// Shares of this many units of arriving bytes.
    pub(crate) fn of(units: usize) -> Self {
        let arriving = Arc::new(Semaphore::new(units));
        Self { units, arriving, by_address: Mutex::default() }
    }

    /// The share of an address, the same for all its connections.
    pub(crate) fn of_address(&self, address: IpAddr) -> Share {
        // A panic cannot leave the map inconsistent, so a poisoned lock is safe to use.
        let mut shares = self.by_address.lock().unwrap_or_else(PoisonError::into_inner);
        let known = shares.get(&address).and_then(Weak::upgrade);
        let own = known.unwrap_or_else(|| {
            shares.retain(|_, share| share.strong_count() > 0);
            let semaphore = |permits| Arc::new(Semaphore::new(permits));
            let share = Arc::new(OfAddress {
                arriving: semaphore(self.units * 3 / 4),
                pictures: semaphore(MAX_PICTURES),
                jobs: semaphore(MAX_JOBS),
                movies: semaphore(MAX_MOVIES),
                sessions: Mutex::default(),
            });
            shares.insert(address, Arc::downgrade(&share));
            share
        });
        Share { arriving: Arc::clone(&self.arriving), own }
    }

    /// The budget of what is arriving, for operators.
    pub(crate) fn bound(&self) -> Bound {
        let limit = (self.units * UNIT) as u64;
        Bound::of_permits("arriving_bytes", &self.arriving, limit, UNIT as u64)
    }
}

impl Share {
    /// Nothing of the budget of what is arriving yet.
    pub(crate) fn room(&self) -> Room {
        Room { share: self.clone(), taken: None }
    }

    /// A place for a picture on request.
    pub(crate) fn picture(&self) -> Result<OwnedSemaphorePermit, ShareError> {
        let place = Arc::clone(&self.own.pictures).try_acquire_owned();
        place.map_err(|_| ShareError::Pictures)
    }

    /// A place for an export or import.
    pub(crate) fn job(&self) -> Result<OwnedSemaphorePermit, ShareError> {
        let place = Arc::clone(&self.own.jobs).try_acquire_owned();
        place.map_err(|_| ShareError::Jobs)
    }

    /// A place for an animation.
    pub(crate) fn movie(&self) -> Result<OwnedSemaphorePermit, ShareError> {
        let place = Arc::clone(&self.own.movies).try_acquire_owned();
        place.map_err(|_| ShareError::Movies)
    }

    /// Fails where [`Share::session`] would for a session that is yet to begin.
    pub(crate) fn may_begin_session(&self) -> Result<(), ShareError> {
        match self.own.lock().len() >= MAX_SESSIONS {
            true => Err(ShareError::Sessions),
            false => Ok(()),
        }
    }

    /// Counts a session of a socket, or one that has just begun.
    pub(crate) fn session(&self, id: &str) -> Result<CountedSession, ShareError> {
        let mut sessions = self.own.lock();
        let session = match sessions.get_key_value(id) {
            Some((session, _)) => Arc::clone(session),
            None if sessions.len() >= MAX_SESSIONS => return Err(ShareError::Sessions),
            None => Arc::from(id),
        };
        *sessions.entry(Arc::clone(&session)).or_default() += 1;
        Ok(CountedSession { own: Arc::clone(&self.own), session })
    }
}

impl OfAddress {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Arc<str>, usize>> {
        // A panic cannot leave the counts inconsistent, so a poisoned lock is safe to use.
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CountedSession {
    fn drop(&mut self) {
        let mut sessions = self.own.lock();
        if let Some(count) = sessions.get_mut(&self.session) {
            *count -= 1;
            if *count == 0 {
                sessions.remove(&self.session);
            }
        }
    }
}

impl Room {
    /// Takes enough for `bytes` in all.
    pub(crate) fn grow_to(&mut self, bytes: usize) -> Result<(), ShareError> {
        let held = self.taken.as_ref().map_or(0, |[permits, _]| permits.num_permits());
        let missing = (bytes / UNIT).saturating_sub(held);
        if missing == 0 {
            return Ok(());
        }
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        let take = |from: &Arc<Semaphore>| {
            let permits = Arc::clone(from).try_acquire_many_owned(missing);
            permits.map_err(|_| ShareError::Arriving)
        };
        let more = [take(&self.share.arriving)?, take(&self.share.own.arriving)?];
        match &mut self.taken {
            Some(taken) => taken.iter_mut().zip(more).for_each(|(taken, more)| taken.merge(more)),
            None => self.taken = Some(more),
        }
        Ok(())
    }

    /// Frees all of it.
    pub(crate) fn clear(&mut self) {
        self.taken = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn all_addresses_together_take_no_more_than_the_room_and_one_leaves_some_to_others() {
        let shares = Shares::of(8);
        let one = shares.of_address(address("10.0.0.1"));
        let other = shares.of_address(address("10.0.0.2"));
        let (mut greedy, mut more) = (one.room(), one.room());
        greedy.grow_to(5 * UNIT).unwrap();
        more.grow_to(UNIT + 1).unwrap();
        assert_eq!(more.grow_to(2 * UNIT), Err(ShareError::Arriving), "six of eight");
        assert_eq!(shares.bound().used, 6 * UNIT as u64);
        let mut others = other.room();
        others.grow_to(2 * UNIT).unwrap();
        assert_eq!(others.grow_to(3 * UNIT), Err(ShareError::Arriving));
        // What is small arrives all the same.
        other.room().grow_to(UNIT - 1).unwrap();
        drop((greedy, more));
        others.grow_to(6 * UNIT).unwrap();
        drop(others);
        assert_eq!(shares.bound().used, 0, "given back");
    }

    #[test]
    fn an_address_leaves_pictures_jobs_and_sessions_to_others() {
        let shares = Shares::default();
        let (greedy, polite) =
            (shares.of_address(address("10.0.0.8")), shares.of_address(address("10.0.0.9")));
        let jobs: Vec<_> = (0..MAX_JOBS).map(|_| greedy.job().unwrap()).collect();
        let movies: Vec<_> = (0..MAX_MOVIES).map(|_| greedy.movie().unwrap()).collect();
        assert_eq!(greedy.job().map(drop), Err(ShareError::Jobs));
        assert_eq!(greedy.movie().map(drop), Err(ShareError::Movies));
        assert!(polite.job().is_ok() && polite.movie().is_ok());
        drop((jobs, movies));
        assert!(greedy.job().is_ok() && greedy.movie().is_ok());
        let one = shares.of_address(address("10.0.0.1"));
        let pictures: Vec<_> = (0..MAX_PICTURES).map(|_| one.picture().unwrap()).collect();
        assert_eq!(one.picture().map(drop), Err(ShareError::Pictures));
        let again = shares.of_address(address("10.0.0.1"));
        assert_eq!(again.picture().map(drop), Err(ShareError::Pictures), "the same share");
        let other = shares.of_address(address("10.0.0.2"));
        assert!(other.picture().is_ok());
        drop(pictures);
        assert!(one.picture().is_ok());

        let name = |number: usize| number.to_string();
        let open: Vec<_> =
            (0..MAX_SESSIONS).map(|number| one.session(&name(number)).unwrap()).collect();
        assert_eq!(one.session(&name(MAX_SESSIONS)).map(drop), Err(ShareError::Sessions));
        let twice = one.session(&name(0)).unwrap();
        assert!(other.session(&name(MAX_SESSIONS)).is_ok());
        drop(open);
        assert!(one.session(&name(MAX_SESSIONS)).is_ok());
        assert_eq!(one.own.lock().len(), 1, "the one that has another socket");
        drop(twice);
        assert!(one.own.lock().is_empty());
    }

    #[test]
    fn addresses_that_left_are_forgotten() {
        let shares = Shares::default();
        drop(shares.of_address(address("10.0.0.1")));
        let _held = shares.of_address(address("10.0.0.2"));
        assert_eq!(shares.by_address.lock().unwrap().len(), 1);
    }
}
