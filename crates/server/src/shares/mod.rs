//! What one address may have of what all clients share: at most three quarters, so that it locks nobody out.

mod limits;
mod talkers;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use mcp_server::MAX_CONNECTIONS;
use studio::Bound;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub use self::limits::SharedLimits;
pub(crate) use self::talkers::{Asker, Talkers};

/// Bytes per permit. What is smaller is not counted: so much is read for each connection.
pub(crate) const UNIT: usize = 64 * 1024;
/// What one address may have where all together have so much.
pub(crate) fn of_one(all: usize) -> usize {
    (all * 3 / 4).max(1)
}

/// The shares of addresses that have connections.
pub(crate) struct Shares {
    limits: SharedLimits,
    /// Permits for what is arriving from all addresses.
    arriving: Arc<Semaphore>,
    /// Locked only for a lookup.
    by_address: Mutex<HashMap<IpAddr, Weak<OfAddress>>>,
    talkers: Arc<Talkers>,
}

#[derive(Debug)]
struct OfAddress {
    address: IpAddr,
    limits: SharedLimits,
    arriving: Arc<Semaphore>,
    pictures: Arc<Semaphore>,
    jobs: Arc<Semaphore>,
    movies: Arc<Semaphore>,
    mcp_connections: Arc<Semaphore>,
    /// Sessions of its sockets and those it began lately, with their number. Locked only to count.
    sessions: Mutex<HashMap<Arc<str>, usize>>,
}

/// The share of an address. Cheap to clone; clones are the same share.
#[derive(Debug, Clone)]
pub(crate) struct Share {
    arriving: Arc<Semaphore>,
    own: Arc<OfAddress>,
    talkers: Arc<Talkers>,
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

/// A connection of an MCP client, which is remembered between its requests: it counts also while its address has no
/// other connection.
#[derive(Debug)]
pub(crate) struct CountedConnection {
    _place: OwnedSemaphorePermit,
    _own: Arc<OfAddress>,
}

/// The share is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ShareError {
    /// That of what is arriving.
    #[error("other uploads fill the room there is; try again in a few seconds")]
    Arriving,
    /// That of pictures.
    #[error("this address has {0} pictures in the queue; wait for one of them")]
    Pictures(usize),
    /// That of exports and imports.
    #[error("this address has {0} exports and imports in the queue; wait for one of them")]
    Jobs(usize),
    /// That of animations.
    #[error("this address has {0} animations in progress; wait for one of them")]
    Movies(usize),
    /// That of connections of MCP clients.
    #[error(
        "this address has {0} MCP connections open; close some with DELETE, or speak \
         version 2026-07-28, which needs none"
    )]
    McpConnections(usize),
    /// That of sessions.
    #[error("this address has {0} sessions open; close some and try again")]
    Sessions(usize),
}

impl Shares {
    /// Shares of these limits.
    pub(crate) fn new(limits: SharedLimits) -> Self {
        let arriving = Arc::new(Semaphore::new(limits.arriving_bytes / UNIT));
        Self { limits, arriving, by_address: Mutex::default(), talkers: Arc::default() }
    }

    /// Shares of this many units of arriving bytes.
    #[cfg(test)]
    pub(crate) fn of_units(units: usize) -> Self {
        Self::new(SharedLimits { arriving_bytes: units * UNIT, ..SharedLimits::default() })
    }

    /// The share of an address, the same for all its connections.
    pub(crate) fn of_address(&self, address: IpAddr) -> Share {
        // A panic cannot leave the map inconsistent, so a poisoned lock is safe to use.
        let mut shares = self.by_address.lock().unwrap_or_else(PoisonError::into_inner);
        let known = shares.get(&address).and_then(Weak::upgrade);
        let own = known.unwrap_or_else(|| {
            shares.retain(|_, share| share.strong_count() > 0);
            let semaphore = |all| Arc::new(Semaphore::new(of_one(all)));
            let limits = self.limits;
            let share = Arc::new(OfAddress {
                address,
                limits,
                arriving: semaphore(limits.arriving_bytes / UNIT),
                pictures: semaphore(limits.render.pictures),
                jobs: semaphore(limits.jobs + limits.jobs_waiting),
                movies: semaphore(limits.render.movies),
                mcp_connections: semaphore(MAX_CONNECTIONS),
                sessions: Mutex::default(),
            });
            shares.insert(address, Arc::downgrade(&share));
            share
        });
        let (arriving, talkers) = (Arc::clone(&self.arriving), Arc::clone(&self.talkers));
        Share { arriving, own, talkers }
    }

    /// Who talks to which session.
    pub(crate) fn talkers(&self) -> &Arc<Talkers> {
        &self.talkers
    }

    /// The budget of what is arriving, for operators.
    pub(crate) fn bound(&self) -> Bound {
        let limit = (self.limits.arriving_bytes / UNIT * UNIT) as u64;
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
        place.map_err(|_| ShareError::Pictures(of_one(self.own.limits.render.pictures)))
    }

    /// A place for an export or import.
    pub(crate) fn job(&self) -> Result<OwnedSemaphorePermit, ShareError> {
        let place = Arc::clone(&self.own.jobs).try_acquire_owned();
        let all = self.own.limits.jobs + self.own.limits.jobs_waiting;
        place.map_err(|_| ShareError::Jobs(of_one(all)))
    }

    /// A place for an animation.
    pub(crate) fn movie(&self) -> Result<OwnedSemaphorePermit, ShareError> {
        let place = Arc::clone(&self.own.movies).try_acquire_owned();
        place.map_err(|_| ShareError::Movies(of_one(self.own.limits.render.movies)))
    }

    /// A place for a connection of an MCP client.
    pub(crate) fn mcp_connection(&self) -> Result<CountedConnection, ShareError> {
        let place = Arc::clone(&self.own.mcp_connections).try_acquire_owned();
        let place = place.map_err(|_| ShareError::McpConnections(of_one(MAX_CONNECTIONS)))?;
        Ok(CountedConnection { _place: place, _own: Arc::clone(&self.own) })
    }

    /// What models are asked for the session counts for this address from now on.
    pub(crate) fn talks_to(&self, session: &str) {
        self.talkers.note(session, self.own.address);
    }

    /// Fails where [`Share::session`] would for a session that is yet to begin.
    pub(crate) fn may_begin_session(&self) -> Result<(), ShareError> {
        let most = of_one(self.own.limits.sessions);
        match self.own.lock().len() >= most {
            true => Err(ShareError::Sessions(most)),
            false => Ok(()),
        }
    }

    /// Counts a session of a socket, or one that has just begun.
    pub(crate) fn session(&self, id: &str) -> Result<CountedSession, ShareError> {
        let most = of_one(self.own.limits.sessions);
        let mut sessions = self.own.lock();
        let session = match sessions.get_key_value(id) {
            Some((session, _)) => Arc::clone(session),
            None if sessions.len() >= most => return Err(ShareError::Sessions(most)),
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

    const MAX_PICTURES: usize = 48;
    const MAX_JOBS: usize = 13;
    const MAX_MOVIES: usize = 3;
    const MAX_MCP_CONNECTIONS: usize = 750;
    const MAX_SESSIONS: usize = 7_500;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn all_addresses_together_take_no_more_than_the_room_and_one_leaves_some_to_others() {
        let shares = Shares::of_units(8);
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
        let shares = Shares::new(SharedLimits::default());
        let (greedy, polite) =
            (shares.of_address(address("10.0.0.8")), shares.of_address(address("10.0.0.9")));
        let jobs: Vec<_> = (0..MAX_JOBS).map(|_| greedy.job().unwrap()).collect();
        let movies: Vec<_> = (0..MAX_MOVIES).map(|_| greedy.movie().unwrap()).collect();
        assert_eq!(greedy.job().map(drop), Err(ShareError::Jobs(MAX_JOBS)));
        assert_eq!(greedy.movie().map(drop), Err(ShareError::Movies(MAX_MOVIES)));
        assert!(polite.job().is_ok() && polite.movie().is_ok());
        let _connections: Vec<_> =
            (0..MAX_MCP_CONNECTIONS).map(|_| greedy.mcp_connection().unwrap()).collect();
        assert_eq!(
            greedy.mcp_connection().map(drop),
            Err(ShareError::McpConnections(MAX_MCP_CONNECTIONS))
        );
        assert!(polite.mcp_connection().is_ok());
        drop((jobs, movies));
        assert!(greedy.job().is_ok() && greedy.movie().is_ok());
        let one = shares.of_address(address("10.0.0.1"));
        let pictures: Vec<_> = (0..MAX_PICTURES).map(|_| one.picture().unwrap()).collect();
        assert_eq!(one.picture().map(drop), Err(ShareError::Pictures(MAX_PICTURES)));
        let again = shares.of_address(address("10.0.0.1"));
        assert_eq!(
            again.picture().map(drop),
            Err(ShareError::Pictures(MAX_PICTURES)),
            "the same share"
        );
        let other = shares.of_address(address("10.0.0.2"));
        assert!(other.picture().is_ok());
        drop(pictures);
        assert!(one.picture().is_ok());

        let name = |number: usize| number.to_string();
        let open: Vec<_> =
            (0..MAX_SESSIONS).map(|number| one.session(&name(number)).unwrap()).collect();
        assert_eq!(
            one.session(&name(MAX_SESSIONS)).map(drop),
            Err(ShareError::Sessions(MAX_SESSIONS))
        );
        let twice = one.session(&name(0)).unwrap();
        assert!(other.session(&name(MAX_SESSIONS)).is_ok());
        drop(open);
        assert!(one.session(&name(MAX_SESSIONS)).is_ok());
        assert_eq!(one.own.lock().len(), 1, "the one that has another socket");
        drop(twice);
        assert!(one.own.lock().is_empty());
    }

    #[test]
    fn a_session_counts_for_who_talked_to_it_last_while_it_is_in_memory() {
        let shares = Shares::new(SharedLimits::default());
        let (one, other) = (address("10.0.0.1"), address("10.0.0.2"));
        shares.of_address(one).talks_to("a");
        shares.of_address(one).talks_to("b");
        shares.of_address(other).talks_to("a");
        let talkers = shares.talkers();
        assert_eq!(
            (talkers.of("a"), talkers.of("b"), talkers.of("c")),
            (Some(other), Some(one), None)
        );
        talkers.keep(|session| session == "a");
        assert_eq!((talkers.of("a"), talkers.of("b")), (Some(other), None));
    }

    #[test]
    fn addresses_that_left_are_forgotten() {
        let shares = Shares::new(SharedLimits::default());
        drop(shares.of_address(address("10.0.0.1")));
        let _held = shares.of_address(address("10.0.0.2"));
        assert_eq!(shares.by_address.lock().unwrap().len(), 1);
    }
}
