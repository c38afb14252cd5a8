//! Events that clients missed, read from the log page by page. Those who come back at the same place share pages.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use bytes::Bytes;
use session::{PageSize, SessionHandle};
use tokio::sync::{OnceCell, Semaphore};

use super::scene_texts::SceneTexts;
use crate::wire;

/// A page is at most this large, unless a single event is larger.
const PAGE: PageSize = PageSize { events: 1_000, bytes: 128 * 1024 };
/// Pages that are read at the same time.
const MAX_READING: usize = 4;

/// What a client is to be told.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::http) struct Gap {
    /// The epoch of the numbers.
    pub(in crate::http) epoch: String,
    /// The last event it knows.
    pub(in crate::http) after: u64,
    /// The last one it is to know; `None` for all there are.
    pub(in crate::http) until: Option<u64>,
}

/// Some events as texts.
#[derive(Debug)]
pub(in crate::http) struct Page {
    text: Bytes,
    events: Vec<(u64, Range<usize>)>,
    /// Whether there are more.
    pub(in crate::http) more: bool,
}

impl Page {
    /// The events, each with its number.
    pub(in crate::http) fn events(&self) -> impl Iterator<Item = (u64, Bytes)> {
        self.events.iter().map(|(seq, range)| (*seq, self.text.slice(range.clone())))
    }
}

/// Where a page is once it is read.
type Place = OnceCell<Arc<Page>>;
type Shared = Arc<Place>;

/// The pages that somebody is being sent.
#[derive(Debug)]
pub(crate) struct MissedEvents {
    /// Only those up to a number: further events do not change them.
    pages: Mutex<HashMap<(String, Gap), Weak<Place>>>,
    reading: Semaphore,
}

impl Default for MissedEvents {
    fn default() -> Self {
        Self { pages: Mutex::default(), reading: Semaphore::new(MAX_READING) }
    }
}

impl MissedEvents {
    /// The first page of a gap; `None` where the log cannot be read.
    pub(in crate::http) async fn page(
        &self,
        session: &SessionHandle,
        gap: &Gap,
        texts: &SceneTexts,
    ) -> Option<Held> {
        let shared = self.place(session.id(), gap);
        let page = shared.get_or_try_init(|| self.read(session, gap.after, texts)).await.ok()?;
        Some(Held { page: Arc::clone(page), _shared: shared })
    }

    async fn read(
        &self,
        session: &SessionHandle,
        after: u64,
        texts: &SceneTexts,
    ) -> Result<Arc<Page>, ()> {
        // The semaphore is never closed.
        let _permit = self.reading.acquire().await;
        let page = session.events(after, PAGE).await.map_err(drop)?.ok_or(())?;
        let more = page.more;
        let (told, tell) = std::sync::mpsc::channel();
        let write = move || {
            let (mut text, mut events) = (Vec::new(), Vec::with_capacity(page.events.len()));
            for event in page.events {
                let (seq, start) = (event.seq(), text.len());
                serde_json::to_writer(&mut text, &wire::event_message(event))?;
                events.push((seq, start..text.len()));
            }
            // Received right after the text is.
            let _ = told.send(events);
            Ok(text)
        };
        let text = texts.written(write).await.map_err(drop)?;
        Ok(Arc::new(Page { text, events: tell.try_recv().map_err(drop)?, more }))
    }

    fn place(&self, session: &str, gap: &Gap) -> Shared {
        if gap.until.is_none() {
            return Shared::default();
        }
        // A panic cannot leave the map inconsistent, so a poisoned lock is safe to use.
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (session.to_owned(), gap.clone());
        if let Some(shared) = pages.get(&key).and_then(Weak::upgrade) {
            return shared;
        }
        pages.retain(|_, shared| shared.strong_count() > 0);
        let shared = Shared::default();
        pages.insert(key, Arc::downgrade(&shared));
        shared
    }
}

/// A page that others at the same place share for as long as it is held.
#[derive(Debug)]
pub(in crate::http) struct Held {
    page: Arc<Page>,
    _shared: Shared,
}

impl std::ops::Deref for Held {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.page
    }
}
