//! A cache of thumbnails.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use tokio::sync::Semaphore;

/// The number of cached thumbnails, of about 5 KB each.
const MAX_THUMBNAILS: usize = 1_000;

/// The cache of thumbnails, least recently used first out.
pub(crate) struct Thumbnails {
    /// By session, ordered by last use. Locked only for a lookup or an insert.
    kept: Mutex<VecDeque<Thumbnail>>,
    /// One render at a time: a list requests many at once, and previews are more urgent.
    pub(super) turn: Semaphore,
}

struct Thumbnail {
    session: Arc<str>,
    revision: u64,
    picture: Bytes,
}

impl Default for Thumbnails {
    fn default() -> Self {
        Self { kept: Mutex::default(), turn: Semaphore::new(1) }
    }
}

impl Thumbnails {
    pub(super) fn find(&self, session: &str, revision: u64) -> Option<Bytes> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let index = kept.iter().position(|each| &*each.session == session)?;
        let found = kept.remove(index).filter(|each| each.revision == revision)?;
        let picture = found.picture.clone();
        kept.push_back(found);
        Some(picture)
    }

    pub(super) fn keep(&self, session: &str, revision: u64, picture: Bytes) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|each| &*each.session != session);
        if kept.len() >= MAX_THUMBNAILS {
            kept.pop_front();
        }
        kept.push_back(Thumbnail { session: session.into(), revision, picture });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_found_for_its_revision_only() {
        let thumbnails = Thumbnails::default();
        let picture = Bytes::from_static(b"picture");
        thumbnails.keep("a", 1, picture.clone());
        assert_eq!(thumbnails.find("b", 1), None);
        assert_eq!(thumbnails.find("a", 1), Some(picture));
        assert_eq!(thumbnails.find("a", 2), None);
        assert_eq!(thumbnails.find("a", 1), None, "an old one is not kept");
    }

    #[test]
    fn the_ones_asked_for_longest_ago_go_first() {
        let thumbnails = Thumbnails::default();
        let picture = Bytes::from_static(b"picture");
        for number in 0..MAX_THUMBNAILS {
            thumbnails.keep(&number.to_string(), 1, picture.clone());
        }
        assert!(thumbnails.find("0", 1).is_some());
        thumbnails.keep("another", 1, picture);
        assert!(thumbnails.find("0", 1).is_some());
        assert!(thumbnails.find("1", 1).is_none());
    }
}
