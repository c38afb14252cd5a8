//! What has happened and is not in the store yet. Nobody outside hears of it before it is.

use std::collections::BTreeSet;

use assets::Library;
use store::{Append, Record, StoreError};

use crate::entry::Entry;
use crate::event::SessionEvent;

/// Records that may wait for the store; past that the session takes no more work.
const MAX_RECORDS: usize = 1_024;
/// Bytes of them.
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// What to do when everything before it is in the store, or could not be put there.
pub(crate) type Answer = Box<dyn FnOnce(Result<(), &StoreError>) + Send + Sync>;

/// One thing that waits.
pub(crate) enum Item {
    /// An entry, and the bytes of its record.
    Entry(Box<Entry>, usize),
    /// Somebody who waits for an answer.
    Answer(Answer),
}

/// Things that go into the store together, in order.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) items: Vec<Item>,
    records: Vec<Record>,
    bytes: usize,
    messages: u64,
    name: Option<String>,
    epoch: Option<String>,
    /// What its scenes name.
    assets: BTreeSet<String>,
}

impl Batch {
    /// Adds an entry.
    pub(crate) fn push(&mut self, entry: Entry) {
        let record = entry.to_record();
        self.bytes += record.body.len();
        self.messages += u64::from(matches!(entry, Entry::Said { .. }));
        if let Entry::Event(
            SessionEvent::SessionNamed { name, .. }
            | SessionEvent::UserMessage { session_name: Some(name), .. },
        ) = &entry
        {
            self.name = Some(name.clone());
        }
        self.assets.extend(entry.assets().into_iter().map(ToString::to_string));
        self.items.push(Item::Entry(Box::new(entry), record.body.len()));
        self.records.push(record);
    }

    /// Adds somebody who waits.
    pub(crate) fn answer(&mut self, answer: Answer) {
        self.items.push(Item::Answer(answer));
    }

    /// The numbering of events starts a new life.
    pub(crate) fn renew_epoch(&mut self, epoch: String) {
        self.epoch = Some(epoch);
    }

    /// The new epoch, if there is one.
    pub(crate) fn epoch(&self) -> Option<&str> {
        self.epoch.as_deref()
    }

    /// Whether nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.epoch.is_none()
    }

    /// Whether nothing has to be written.
    pub(crate) fn needs_no_store(&self) -> bool {
        self.records.is_empty() && self.epoch.is_none()
    }

    /// Whether the history grows by it.
    pub(crate) fn touches_history(&self) -> bool {
        self.items.iter().any(|item| match item {
            Item::Entry(entry, _) => {
                matches!(**entry, Entry::Content(_) | Entry::Read { .. } | Entry::Said { .. })
            }
            Item::Answer(_) => false,
        })
    }

    /// Whether it tells that a message entered the history.
    pub(crate) fn reads(&self, id: &str) -> bool {
        self.items.iter().any(|item| match item {
            Item::Entry(entry, _) => {
                matches!(&**entry, Entry::Read { message_id, .. } if message_id == id)
            }
            Item::Answer(_) => false,
        })
    }

    /// Whether more may be added.
    pub(crate) fn has_room(&self) -> bool {
        self.records.len() < MAX_RECORDS && self.bytes < MAX_BYTES
    }

    /// What the store is to write; taken out, since it is large. Of the assets its scenes name, those
    /// that `library` has are the session's from then on: a scene may also name what is lost.
    pub(crate) fn take_append(
        &mut self,
        session: &str,
        after: u64,
        now_ms: u64,
        library: &Library,
    ) -> Append {
        let assets = std::mem::take(&mut self.assets);
        Append {
            session: session.to_owned(),
            after,
            records: std::mem::take(&mut self.records),
            now_ms,
            messages: self.messages,
            name: self.name.clone(),
            epoch: self.epoch.clone(),
            assets: assets.into_iter().filter(|name| library.asset(name).is_some()).collect(),
        }
    }

    /// Tells all who wait that it could not be written.
    pub(crate) fn refuse(self, error: &StoreError) {
        for item in self.items {
            if let Item::Answer(answer) = item {
                answer(Err(error));
            }
        }
    }
}
