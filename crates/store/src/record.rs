//! The data types of a store.

/// The kind of a record, as far as a store distinguishes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// Something clients see, with a number.
    Event,
    /// A piece of the conversation.
    History,
    /// A change of the scene.
    Scene,
}

impl RecordKind {
    pub(crate) fn number(self) -> i64 {
        match self {
            Self::Event => 0,
            Self::History => 1,
            Self::Scene => 2,
        }
    }

    pub(crate) fn from_number(number: i64) -> Option<Self> {
        [Self::Event, Self::History, Self::Scene].into_iter().find(|kind| kind.number() == number)
    }
}

/// One entry of a session's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its kind.
    pub kind: RecordKind,
    /// Number of the event; only events have one, each one higher than the one before.
    pub seq: Option<u64>,
    /// Its body.
    pub body: String,
    /// Text for the full-text search. Used only when appending; loaded records have none.
    pub passage: Option<String>,
}

/// A new session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// Its id: unique and unguessable.
    pub id: String,
    /// The epoch of its event numbers.
    pub epoch: String,
    /// Its display name; may be empty.
    pub name: String,
    /// Milliseconds since 1970.
    pub now_ms: u64,
}

/// An append of records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Append {
    /// The session.
    pub session: String,
    /// The term of the session's owner; `None` for a session without one.
    pub term: Option<u64>,
    /// The expected newest position; 0 for an empty log.
    pub after: u64,
    /// The records, in order; the first takes position `after + 1`.
    pub records: Vec<Record>,
    /// Milliseconds since 1970.
    pub now_ms: u64,
    /// Messages of the user among the records.
    pub messages: u64,
    /// The session's new name.
    pub name: Option<String>,
    /// The new epoch, if event numbers could be used twice.
    pub epoch: Option<String>,
    /// Hashes of the assets the records refer to; each must be known.
    pub assets: Vec<String>,
    /// The number of the session's newest event afterwards.
    pub newest: Newest,
}

/// What becomes of the number of a session's newest event in an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Newest {
    /// That of its last record that has one.
    #[default]
    OfRecords,
    /// It stays, since more appends belong to this one. While it is 0 the session is not listed, and deleted as an unused
    /// one if they never come.
    Unchanged,
    /// This one, at the last of several such appends.
    Is(u64),
}

/// The metadata of an asset. Its content is stored elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// The hash of its content, which identifies it.
    pub hash: String,
    /// Its display name; may be empty.
    pub name: String,
    /// Such as `image/png`.
    pub media_type: String,
    /// Its size.
    pub bytes: u64,
    /// Facts about its content, opaque to the store.
    pub facts: String,
    /// When it was last uploaded, in milliseconds since 1970.
    pub uploaded_ms: u64,
}

/// The metadata of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// The epoch of its event numbers.
    pub epoch: String,
    /// Its display name; may be empty.
    pub name: String,
    /// Milliseconds since 1970.
    pub created_ms: u64,
    /// The time of the last change.
    pub updated_ms: u64,
    /// Position of the newest record.
    pub head: u64,
    /// Number of the newest event.
    pub seq: u64,
    /// Messages of the user.
    pub messages: u64,
}

/// A snapshot of the state at a position, so that older records need not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The newest record it includes.
    pub position: u64,
    /// What it holds.
    pub body: String,
}

/// The data for opening a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its metadata.
    pub session: Session,
    /// The newest snapshot.
    pub snapshot: Option<Snapshot>,
    /// All records after it, with their positions, in order.
    pub records: Vec<(u64, Record)>,
}

/// Some events of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventPage {
    /// Number and body, in order.
    pub events: Vec<(u64, String)>,
    /// Whether there are more.
    pub more: bool,
}

/// A query for a list of sessions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    /// Only sessions whose name or whose messages hold all these words.
    pub words: Option<String>,
    /// At most this many.
    pub limit: usize,
    /// The number of newest sessions to skip.
    pub offset: usize,
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its metadata.
    pub session: Session,
    /// The passage with the words, if they are not in its name.
    pub excerpt: Option<String>,
}

/// A search result in a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The session.
    pub session: String,
    /// Its name.
    pub name: String,
    /// The record.
    pub position: u64,
    /// An excerpt of its text.
    pub excerpt: String,
}

/// The access that a capability grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everything.
    Edit,
    /// Looking.
    View,
}

impl Access {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::View => "view",
        }
    }

    /// The access of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Edit, Self::View].into_iter().find(|access| access.name() == name)
    }
}

/// A token that grants access to a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capability {
    /// The unguessable token.
    pub token: String,
    /// The session it opens.
    pub session: String,
    /// The access it grants.
    pub access: Access,
    /// Milliseconds since 1970.
    pub created_ms: u64,
}
