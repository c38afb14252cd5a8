//! Export and import of a session as one file: a header line, its assets, then its log with one record
//! per line. A malformed file stores nothing.

mod carried;
mod line;

use std::collections::BTreeSet;
use std::sync::Arc;

use assets::{Library, LibraryError};
use async_stream::try_stream;
use bytes::Bytes;
use futures_util::{Stream, StreamExt, pin_mut};
use scene::MAX_SHAPES;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use store::{Append, NewSession, Newest, Record, RecordKind, Store, StoreError};

use self::carried::{AssetFile, AssetFiles, asset_lines};
use self::line::{Kind, Line, line};
use crate::entry::Entry;
use crate::ids::{now_ms, random_id};
use crate::state::{OpenError, State};

/// The format name in the first line.
const FORMAT: &str = "scene-llm session";
/// The format version of a session without assets.
const VERSION: u32 = 1;
/// The format version of a session with assets.
const VERSION_WITH_ASSETS: u32 = 2;
/// Records read from the store at once.
const PAGE: usize = 1_000;
/// Bytes of them.
const PAGE_BYTES: usize = 4 * 1024 * 1024;
/// The most records of a file.
const MAX_RECORDS: usize = 500_000;
/// The most objects over all revisions: bounds the time of an import.
const MAX_WORK: usize = 20_000_000;
/// Records appended at once.
const CHUNK: usize = 4_000;
/// The longest error message about a line, in characters.
const MAX_ERROR_CHARS: usize = 1_000;

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    #[serde(default)]
    name: String,
}

impl Header {
    fn read(line: &str) -> Result<Self, String> {
        let foreign = || format!("the file is not an exported session: line 1 must say '{FORMAT}'");
        let header: Self = serde_json::from_str(line).map_err(|_| foreign())?;
        if header.format != FORMAT {
            return Err(foreign());
        }
        let version = header.version;
        if !(VERSION..=VERSION_WITH_ASSETS).contains(&version) {
            return Err(format!(
                "the file has version {version}; this server reads {VERSION} and {VERSION_WITH_ASSETS}"
            ));
        }
        Ok(header)
    }
}

/// The lines of the file, read from the store and the library while they are sent.
pub fn export_lines(
    store: Arc<dyn Store>,
    library: Arc<Library>,
    id: String,
) -> impl Stream<Item = Result<Bytes, StoreError>> {
    try_stream! {
        let name = store.session(&id).await?.map(|session| session.name).unwrap_or_default();
        let used = store.assets(Some(&id)).await?;
        let used: Vec<_> = used.iter().filter_map(|used| library.asset(&used.hash)).collect();
        let version = if used.is_empty() { VERSION } else { VERSION_WITH_ASSETS };
        yield line(&Header { format: FORMAT.into(), version, name });
        for asset in used {
            let content = match library.content(&asset.hash).await {
                Ok(content) => content,
                Err(error) => {
                    tracing::warn!(%error, session = %id, "a session is exported without an asset");
                    continue;
                }
            };
            let lines = asset_lines(&asset, content);
            pin_mut!(lines);
            while let Some(lines) = lines.next().await {
                yield lines?;
            }
        }
        let mut after = 0;
        loop {
            let page = store.log(&id, after, PAGE, PAGE_BYTES).await?;
            let Some((last, _)) = page.last() else { break };
            after = *last;
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
            yield bytes.into();
        }
    }
}

/// Bytes of a session's file.
pub struct FileSize {
    /// Of its meshes and pictures.
    pub assets: u64,
    /// Of all that happened.
    log: u64,
}

impl FileSize {
    /// Of all of it.
    pub fn total(&self) -> u64 {
        self.assets + self.log
    }
}

/// An upper bound of the size of a session's file.
pub async fn exported_size(
    store: &dyn Store,
    library: &Library,
    id: &str,
) -> Result<FileSize, StoreError> {
    /// Overhead of a line in bytes.
    const LINE: u64 = 64;
    let mut size = FileSize { assets: 0, log: 4 * LINE };
    for used in store.assets(Some(id)).await? {
        if let Some(asset) = library.asset(&used.hash) {
            size.assets += carried::size(&asset);
        }
    }
    let mut after = 0;
    loop {
        let page = store.log(id, after, PAGE, PAGE_BYTES).await?;
        let Some((last, _)) = page.last() else { return Ok(size) };
        after = *last;
        size.log += page.iter().map(|(_, record)| record.body.len() as u64 + LINE).sum::<u64>();
    }
}

/// Why a file could not become a session.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file is malformed.
    #[error("{0}")]
    Invalid(String),
    /// Nobody waits for it any more.
    #[error("the import was cancelled")]
    Cancelled,
    /// One of its assets cannot be stored.
    #[error(transparent)]
    Asset(#[from] LibraryError),
    /// The store failed.
    #[error(transparent)]
    Open(#[from] OpenError),
}

impl From<String> for ImportError {
    fn from(why: String) -> Self {
        Self::Invalid(why)
    }
}

/// An imported file, validated except for the contents of its assets.
pub struct ImportedSession {
    name: String,
    records: Vec<Record>,
    messages: u64,
    /// The assets in the file, and those its scenes use in any revision.
    named: BTreeSet<String>,
    files: Vec<AssetFile>,
}

/// Replays the log of a file to validate it.
struct Log {
    state: State,
    records: Vec<Record>,
    messages: u64,
    named: BTreeSet<String>,
    work: usize,
}

impl Log {
    fn new() -> Self {
        Self {
            state: State::new("import".into(), String::new()),
            records: Vec::new(),
            messages: 0,
            named: BTreeSet::new(),
            work: 0,
        }
    }

    fn add(&mut self, line: &Line) -> Result<(), String> {
        if self.records.len() == MAX_RECORDS {
            return Err(format!("a session may have at most {MAX_RECORDS} records"));
        }
        let record = record_of(line)?;
        let position = self.records.len() as u64 + 1;
        let entry = Entry::from_record(position, &record).map_err(|error| error.reason)?;
        if (position == 1) != matches!(entry, Entry::Base(_)) {
            return Err("a session has one first scene, before everything else".into());
        }
        self.state.apply(position, &entry).map_err(|error| error.reason)?;
        if matches!(entry, Entry::Base(_) | Entry::Scene(_)) {
            let scene = &self.state.scene.current().scene;
            self.work += scene.shapes.len() + scene.lights.len() + scene.groups.len() + 1;
            if self.work > MAX_WORK || scene.shapes.len() > MAX_SHAPES {
                return Err("the scenes of the session are too large".into());
            }
            scene.check().map_err(|violations| violations.to_string())?;
        }
        self.messages += u64::from(matches!(entry, Entry::Said { .. }));
        self.named.extend(entry.assets().into_iter().map(ToString::to_string));
        // Written again, so that the store holds the form of this version.
        self.records.push(entry.to_record());
        Ok(())
    }
}

fn record_of(line: &Line) -> Result<Record, String> {
    let kind = match line.kind {
        Kind::Event => RecordKind::Event,
        Kind::History => RecordKind::History,
        Kind::Scene => RecordKind::Scene,
        Kind::Asset | Kind::Data => return Err("this line is not a record".into()),
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

impl ImportedSession {
    /// Reads a file whose assets have at most `max_asset_bytes` each; the error names the line. It ends at the
    /// next line once it is `cancelled`.
    pub fn read(
        file: &[u8],
        max_asset_bytes: usize,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Self, ImportError> {
        let text =
            std::str::from_utf8(file).map_err(|error| format!("the file is not UTF-8: {error}"))?;
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, first) = lines.next().ok_or_else(|| "the file is empty".to_owned())?;
        let header = Header::read(first)?;
        let mut files = AssetFiles::new(max_asset_bytes);
        let mut log = Log::new();
        for (index, text) in lines {
            if cancelled() {
                return Err(ImportError::Cancelled);
            }
            // The error may quote the line, which may be long.
            let at_line = |error: String| {
                let error: String = error.chars().take(MAX_ERROR_CHARS).collect();
                format!("line {}: {error}", index + 1)
            };
            let line: Line =
                serde_json::from_str(text).map_err(|error| at_line(error.to_string()))?;
            match line.kind {
                Kind::Asset | Kind::Data if !log.records.is_empty() => {
                    return Err(at_line("assets come before everything else".into()).into());
                }
                Kind::Asset => files.begin(line.body.get()).map_err(at_line)?,
                Kind::Data => files.add(line.body.get()).map_err(at_line)?,
                Kind::Event | Kind::History | Kind::Scene => log.add(&line).map_err(at_line)?,
            }
        }
        if log.records.is_empty() {
            return Err("the file has no records".to_owned().into());
        }
        let (Log { records, messages, mut named, .. }, files) = (log, files.finish()?);
        named.extend(files.iter().map(|file| file.hash.to_string()));
        Ok(Self { name: header.name, records, messages, named, files })
    }

    /// The assets in the file.
    pub(crate) fn take_files(&mut self) -> Vec<AssetFile> {
        std::mem::take(&mut self.files)
    }

    /// Stores it as a new session and returns its id. The session refers to those of its assets that
    /// `library` has.
    pub(crate) async fn save(
        mut self,
        store: &dyn Store,
        library: &Library,
    ) -> Result<String, StoreError> {
        let (id, now_ms) = (random_id(), now_ms());
        let mut name: String = scene::shown(&self.name).chars().take(200).collect();
        if name.trim().is_empty() {
            name = "Imported".into();
        }
        store.create(NewSession { id: id.clone(), epoch: random_id(), name, now_ms }).await?;
        let is_kept = |name: &String| library.asset(name).is_some();
        let mut assets: Vec<String> =
            std::mem::take(&mut self.named).into_iter().filter(is_kept).collect();
        let newest = self.records.iter().rev().find_map(|record| record.seq).unwrap_or(0);
        let mut after = 0;
        while !self.records.is_empty() {
            let rest = self.records.split_off(self.records.len().min(CHUNK));
            let records = std::mem::replace(&mut self.records, rest);
            let count = records.len() as u64;
            let messages = std::mem::take(&mut self.messages);
            let session = id.clone();
            let assets = std::mem::take(&mut assets);
            // A server that ends in between leaves a session that counts as unused.
            let newest =
                if self.records.is_empty() { Newest::Is(newest) } else { Newest::Unchanged };
            let append = Append {
                session,
                after,
                records,
                now_ms,
                messages,
                assets,
                newest,
                ..Append::default()
            };
            if let Err(error) = store.append(append).await {
                let _ = store.delete(&id).await;
                return Err(error);
            }
            after += count;
        }
        Ok(id)
    }
}

#[cfg(test)]
mod tests;
