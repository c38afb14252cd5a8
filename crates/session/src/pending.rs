//! Staged entries: they have happened and are not in the store yet. Clients see them only afterwards.

use std::collections::BTreeSet;

use assets::Library;
use store::{Append, Newest, Record, StoreError};

use crate::entry::Entry;
use crate::event::SessionEvent;

/// The most records that may wait for the store; beyond it the session accepts no commands.
const MAX_RECORDS: usize = 1_024;
/// Bytes of them.
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// A callback for when everything before it is in the store, or the store failed.
pub(crate) type Answer = Box<dyn FnOnce(Result<(), &StoreError>) + Send + Sync>;

/// One staged item.
pub(crate) enum Item {
    /// An entry, and the bytes of its record.
    Entry(Box<Entry>, usize),
    /// A reply that waits for the entries before it.
    Answer(Answer),
}

/// Items that are written together, in order.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) items: Vec<Item>,
    records: Vec<Record>,
    bytes: usize,
    messages: u64,
    name: Option<String>,
    epoch: Option<String>,
    /// The assets its scenes use.
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

    /// Adds a waiting reply.
    pub(crate) fn answer(&mut self, answer: Answer) {
        self.items.push(Item::Answer(answer));
    }

    /// Starts a new epoch of the event numbers.
    pub(crate) fn renew_epoch(&mut self, epoch: String) {
        self.epoch = Some(epoch);
    }

    /// The new epoch, if there is one.
    pub(crate) fn epoch(&self) -> Option<&str> {
        self.epoch.as_deref()
    }

    /// Whether nothing is staged.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.epoch.is_none()
    }

    /// Whether there is nothing to write.
    pub(crate) fn needs_no_store(&self) -> bool {
        self.records.is_empty() && self.epoch.is_none()
    }

    /// Whether the batch extends the history.
    pub(crate) fn touches_history(&self) -> bool {
        self.items.iter().any(|item| match item {
            Item::Entry(entry, _) => {
                matches!(**entry, Entry::Content(_) | Entry::Read { .. } | Entry::Said { .. })
            }
            Item::Answer(_) => false,
        })
    }

    /// Whether the batch enters a message into the history.
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

    /// Takes the data to write out of the batch. The session refers to those assets of its scenes that
    /// `library` has; a scene may also name lost ones.
    pub(crate) fn take_append(
        &mut self,
        session: &str,
        term: u64,
        after: u64,
        now_ms: u64,
        library: &Library,
    ) -> Append {
        let assets = std::mem::take(&mut self.assets);
        Append {
            session: session.to_owned(),
            term: Some(term),
            after,
            records: std::mem::take(&mut self.records),
            now_ms,
            messages: self.messages,
            name: self.name.clone(),
            epoch: self.epoch.clone(),
            assets: assets.into_iter().filter(|name| library.asset(name).is_some()).collect(),
            newest: Newest::OfRecords,
        }
    }

    /// Fails all waiting replies.
    pub(crate) fn refuse(self, error: &StoreError) {
        for item in self.items {
            if let Item::Answer(answer) = item {
                answer(Err(error));
            }
        }
    }
}
