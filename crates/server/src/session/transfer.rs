//! A session as one file: a header line, then its log, one record a line. Nothing is stored of a file
//! that does not add up.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, stream};
use scene::MAX_SHAPES;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use store::{Append, NewSession, Record, RecordKind, Store, StoreError};

use super::entry::Entry;
use super::state::State;
use super::{now_ms, random_id};

/// What the first line says the file is.
const FORMAT: &str = "scene-llm session";
/// The form this code writes.
const VERSION: u32 = 1;
/// Records read from the store at once.
const PAGE: usize = 1_000;
/// Bytes of them.
const PAGE_BYTES: usize = 4 * 1024 * 1024;
/// The most records of a file.
const MAX_RECORDS: usize = 500_000;
/// The most objects looked at, over all revisions: bounds the time that reading a file takes.
const MAX_WORK: usize = 20_000_000;
/// Records appended at once.
const CHUNK: usize = 4_000;

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    #[serde(default)]
    name: String,
}

#[derive(Serialize, Deserialize)]
struct Line {
    kind: Kind,
    body: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Event,
    History,
    Scene,
}

/// The lines of the file, read from the store while they are sent.
pub(crate) fn export_lines(
    store: Arc<dyn Store>,
    id: String,
) -> impl Stream<Item = Result<Bytes, StoreError>> {
    // `None`: the header comes first.
    stream::try_unfold(None, move |after: Option<u64>| {
        let (store, id) = (Arc::clone(&store), id.clone());
        async move {
            let Some(after) = after else {
                let session = store.session(&id).await?;
                let name = session.map(|session| session.name).unwrap_or_default();
                let header = Header { format: FORMAT.into(), version: VERSION, name };
                return Ok(Some((line(&header), Some(0))));
            };
            let page = store.log(&id, after, PAGE, PAGE_BYTES).await?;
            let Some((last, _)) = page.last() else { return Ok(None) };
            let last = *last;
            let mut bytes = Vec::new();
            for (_, record) in page {
                let kind = match record.kind {
                    RecordKind::Event => Kind::Event,
                    RecordKind::History => Kind::History,
                    RecordKind::Scene => Kind::Scene,
                };
                let body = RawValue::from_string(record.body)
                    .map_err(|error| StoreError::Corrupt(error.to_string()))?;
                bytes.extend_from_slice(&line(&Line { kind, body }));
            }
            Ok(Some((bytes.into(), Some(last))))
        }
    })
}

fn line(value: &impl Serialize) -> Bytes {
    // Only texts, numbers and JSON: it always serialises.
    let mut bytes = serde_json::to_vec(value).unwrap_or_default();
    bytes.push(b'\n');
    bytes.into()
}

/// What was read of a file, checked.
pub(crate) struct Imported {
    name: String,
    records: Vec<Record>,
    messages: u64,
}

/// Reads a file; the fault names the line.
pub(crate) fn read(file: &[u8]) -> Result<Imported, String> {
    let text =
        std::str::from_utf8(file).map_err(|error| format!("the file is no UTF-8: {error}"))?;
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, first) = lines.next().ok_or("the file is empty")?;
    let header: Header = serde_json::from_str(first)
        .map_err(|_| format!("the file is no exported session: line 1 must say '{FORMAT}'"))?;
    if header.format != FORMAT {
        return Err(format!("the file is no exported session: line 1 must say '{FORMAT}'"));
    }
    if header.version != VERSION {
        let version = header.version;
        return Err(format!("the file has version {version}; this server reads {VERSION}"));
    }
    let mut state = State::new("import".into(), String::new());
    let mut imported = Imported { name: header.name, records: Vec::new(), messages: 0 };
    let mut work = 0;
    for (index, text) in lines {
        let fault = |fault: String| format!("line {}: {fault}", index + 1);
        if imported.records.len() == MAX_RECORDS {
            return Err(fault(format!("a session may have at most {MAX_RECORDS} records")));
        }
        let record = read_line(text).map_err(fault)?;
        let position = imported.records.len() as u64 + 1;
        let entry = Entry::from_record(position, &record).map_err(|error| fault(error.reason))?;
        if (position == 1) != matches!(entry, Entry::Base(_)) {
            return Err(fault("a session has one first scene, before everything else".into()));
        }
        state.apply(position, &entry).map_err(|error| fault(error.reason))?;
        if matches!(entry, Entry::Base(_) | Entry::Scene(_)) {
            let scene = &state.scene.current().scene;
            work += scene.shapes.len() + scene.lights.len() + scene.groups.len() + 1;
            if work > MAX_WORK || scene.shapes.len() > MAX_SHAPES {
                return Err(fault("the scenes of the session are too large".into()));
            }
            scene.check().map_err(|violations| fault(violations.to_string()))?;
        }
        imported.messages += u64::from(matches!(entry, Entry::Said { .. }));
        // Written anew: what is stored is what this version writes.
        imported.records.push(entry.to_record());
    }
    if imported.records.is_empty() {
        return Err("the file has no records".into());
    }
    Ok(imported)
}

fn read_line(text: &str) -> Result<Record, String> {
    let line: Line = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let kind = match line.kind {
        Kind::Event => RecordKind::Event,
        Kind::History => RecordKind::History,
        Kind::Scene => RecordKind::Scene,
    };
    let body = line.body.get().to_owned();
    let seq = match kind {
        RecordKind::Event => {
            #[derive(Deserialize)]
            struct Numbered {
                seq: u64,
            }
            let numbered: Numbered =
                serde_json::from_str(&body).map_err(|error| error.to_string())?;
            Some(numbered.seq)
        }
        _ => None,
    };
    Ok(Record { kind, seq, body, passage: None })
}

impl Imported {
    /// Puts it into the store as a new session; its id.
    pub(crate) async fn save(mut self, store: &dyn Store) -> Result<String, StoreError> {
        let (id, now_ms) = (random_id(), now_ms());
        let mut name: String =
            self.name.chars().filter(|letter| !letter.is_control()).take(200).collect();
        if name.trim().is_empty() {
            name = "Imported".into();
        }
        store.create(NewSession { id: id.clone(), epoch: random_id(), name, now_ms }).await?;
        let mut after = 0;
        while !self.records.is_empty() {
            let rest = self.records.split_off(self.records.len().min(CHUNK));
            let records = std::mem::replace(&mut self.records, rest);
            let count = records.len() as u64;
            let messages = std::mem::take(&mut self.messages);
            let session = id.clone();
            let append = Append { session, after, records, now_ms, messages, ..Append::default() };
            if let Err(error) = store.append(append).await {
                // A session without its end would pass for a whole one.
                let _ = store.delete(&id).await;
                return Err(error);
            }
            after += count;
        }
        Ok(id)
    }
}
