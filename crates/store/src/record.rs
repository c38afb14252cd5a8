//! What a store keeps.

/// What a record is about, so far as a store needs to tell records apart.
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
    /// What it is about.
    pub kind: RecordKind,
    /// Number of the event; only events have one, each one higher than the one before.
    pub seq: Option<u64>,
    /// What it says.
    pub body: String,
    /// Text that search finds it by. Only read when appended; records that are loaded have none.
    pub passage: Option<String>,
}

/// A session to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// Its id: unique and not to be guessed.
    pub id: String,
    /// Names the numbering of its events.
    pub epoch: String,
    /// Its display name; may be empty.
    pub name: String,
    /// Milliseconds since 1970.
    pub now_ms: u64,
}

/// Records to be appended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Append {
    /// The session.
    pub session: String,
    /// The newest position the writer knows of; 0 for an empty log.
    pub after: u64,
    /// The records, in order; the first takes position `after + 1`.
    pub records: Vec<Record>,
    /// Milliseconds since 1970.
    pub now_ms: u64,
    /// Messages of the user among the records.
    pub messages: u64,
    /// The session's new name.
    pub name: Option<String>,
    /// The new epoch, when the numbering is known to be broken.
    pub epoch: Option<String>,
    /// Hashes of the assets the records refer to; each must be known.
    pub assets: Vec<String>,
}

/// What is known of an uploaded file. Its bytes are kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// Of its content; its name in here.
    pub hash: String,
    /// Its display name; may be empty.
    pub name: String,
    /// Such as `image/png`.
    pub media_type: String,
    /// Its size.
    pub bytes: u64,
    /// What it holds, in the words of whoever checked it; not read here.
    pub facts: String,
    /// When it was last uploaded, in milliseconds since 1970.
    pub uploaded_ms: u64,
}

/// What is known of a session without opening it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// Names the numbering of its events.
    pub epoch: String,
    /// Its display name; may be empty.
    pub name: String,
    /// Milliseconds since 1970.
    pub created_ms: u64,
    /// When something last happened.
    pub updated_ms: u64,
    /// Position of the newest record.
    pub head: u64,
    /// Number of the newest event.
    pub seq: u64,
    /// Messages of the user.
    pub messages: u64,
}

/// The state at a position, so that older records need not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The newest record it includes.
    pub position: u64,
    /// What it holds.
    pub body: String,
}

/// What opening a session needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// What is known of it.
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

/// Which sessions to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    /// Only sessions whose name or whose messages hold all these words.
    pub words: Option<String>,
    /// At most this many.
    pub limit: usize,
    /// Leaves out as many of the newest.
    pub offset: usize,
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// What is known of it.
    pub session: Session,
    /// Where the words were found, if not in its name.
    pub excerpt: Option<String>,
}

/// A place in a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The session.
    pub session: String,
    /// Its name.
    pub name: String,
    /// The record.
    pub position: u64,
    /// What was said, in part.
    pub excerpt: String,
}

/// What a capability allows.
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

/// A token that stands for a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capability {
    /// Not to be guessed.
    pub token: String,
    /// The session it opens.
    pub session: String,
    /// What it allows.
    pub access: Access,
    /// Milliseconds since 1970.
    pub created_ms: u64,
}
