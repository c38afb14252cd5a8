//! A store in memory: for tests, and for a server that stores nothing on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::Store;
use crate::error::StoreError;
use crate::record::{
    Append, Asset, Capability, EventPage, Listed, Listing, NewSession, Passage, Record, RecordKind,
    Session, Snapshot, Stored,
};
use crate::tenure::{LocalOwners, Tenure};
use crate::writer::follow;

#[derive(Debug, Clone)]
struct Entry {
    session: Session,
    /// The record at position `i + 1`.
    records: Vec<Record>,
    snapshot: Option<Snapshot>,
    assets: BTreeSet<String>,
}

#[derive(Debug, Default)]
struct State {
    sessions: BTreeMap<String, Entry>,
    /// By token.
    capabilities: BTreeMap<String, Capability>,
    /// By hash.
    assets: BTreeMap<String, Asset>,
}

/// Sessions in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    /// Locked during one method, never across an await.
    state: Mutex<State>,
    owners: LocalOwners,
}

impl MemoryStore {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Each method validates before it changes, so a poisoned lock is safe to use.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn known(&mut self, id: &str) -> Result<&mut Entry, StoreError> {
        self.sessions.get_mut(id).ok_or_else(|| StoreError::UnknownSession(id.to_owned()))
    }

    fn insert(&mut self, session: &NewSession) -> Result<&mut Entry, StoreError> {
        if self.sessions.contains_key(&session.id) {
            return Err(StoreError::Exists(session.id.clone()));
        }
        let entry = Entry {
            session: Session {
                id: session.id.clone(),
                epoch: session.epoch.clone(),
                name: session.name.clone(),
                created_ms: session.now_ms,
                updated_ms: session.now_ms,
                head: 0,
                seq: 0,
                messages: 0,
            },
            records: Vec::new(),
            snapshot: None,
            assets: BTreeSet::new(),
        };
        Ok(self.sessions.entry(session.id.clone()).or_insert(entry))
    }

    fn check_assets(&self, hashes: &[String]) -> Result<(), StoreError> {
        match hashes.iter().find(|hash| !self.assets.contains_key(*hash)) {
            Some(unknown) => Err(StoreError::UnknownAsset(unknown.clone())),
            None => Ok(()),
        }
    }

    /// Whether no session refers to it and it was not uploaded since.
    fn is_unused(&self, asset: &Asset, before_ms: u64) -> bool {
        let refers = |entry: &Entry| entry.assets.contains(&asset.hash);
        asset.uploaded_ms < before_ms && !self.sessions.values().any(refers)
    }

    /// Sessions that are not empty, newest first.
    fn newest_first(&self) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> =
            self.sessions.values().filter(|entry| entry.session.seq > 0).collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.session.updated_ms));
        entries
    }
}

impl Entry {
    /// The first passage that contains all words.
    fn passage(&self, words: &[String]) -> Option<(u64, &str)> {
        (1..).zip(&self.records).find_map(|(position, record)| {
            let passage = record.passage.as_deref()?;
            let text = passage.to_lowercase();
            words.iter().all(|word| text.contains(word)).then_some((position, passage))
        })
    }
}

fn words_of(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The record without its search text, as a store on disk returns it.
fn as_read(record: &Record) -> Record {
    Record { passage: None, ..record.clone() }
}

#[async_trait]
impl Store for MemoryStore {
    async fn create(&self, session: NewSession) -> Result<(), StoreError> {
        self.lock().insert(&session).map(drop)
    }

    async fn own(&self, id: &str) -> Result<Tenure, StoreError> {
        self.lock().known(id)?;
        Ok(self.owners.take(id).0)
    }

    async fn release(&self, id: &str, term: u64) -> Result<(), StoreError> {
        self.owners.release(id, term);
        Ok(())
    }

    async fn append(&self, append: Append) -> Result<(), StoreError> {
        let mut state = self.lock();
        let found = state.known(&append.session)?.session.head;
        self.owners.check(&append)?;
        if found != append.after {
            return Err(StoreError::Conflict { expected: append.after, found });
        }
        state.check_assets(&append.assets)?;
        let entry = state.known(&append.session)?;
        follow(&mut entry.session, &append)?;
        entry.records.extend(append.records);
        entry.assets.extend(append.assets);
        Ok(())
    }

    async fn session(&self, id: &str) -> Result<Option<Session>, StoreError> {
        Ok(self.lock().sessions.get(id).map(|entry| entry.session.clone()))
    }

    async fn load(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        Ok(self.lock().sessions.get(id).map(|entry| {
            let after = entry.snapshot.as_ref().map_or(0, |snapshot| snapshot.position);
            let records = (1..).zip(&entry.records).filter(|(position, _)| *position > after);
            Stored {
                session: entry.session.clone(),
                snapshot: entry.snapshot.clone(),
                records: records.map(|(position, record)| (position, as_read(record))).collect(),
            }
        }))
    }

    async fn records(&self, id: &str, until: u64) -> Result<Vec<(u64, Record)>, StoreError> {
        let mut state = self.lock();
        let entry = state.known(id)?;
        Ok((1..)
            .zip(&entry.records)
            .take_while(|(position, _)| *position <= until)
            .filter(|(_, record)| record.kind != RecordKind::Event)
            .map(|(position, record)| (position, as_read(record)))
            .collect())
    }

    async fn log(
        &self,
        id: &str,
        after: u64,
        limit: usize,
        max_bytes: usize,
    ) -> Result<Vec<(u64, Record)>, StoreError> {
        let mut state = self.lock();
        let entry = state.known(id)?;
        let mut bytes = 0;
        let mut records = Vec::new();
        for (position, record) in (1..).zip(&entry.records).filter(|(at, _)| *at > after) {
            if records.len() >= limit || bytes >= max_bytes {
                break;
            }
            bytes += record.body.len();
            records.push((position, as_read(record)));
        }
        Ok(records)
    }

    async fn events(
        &self,
        id: &str,
        after: u64,
        limit: usize,
        max_bytes: usize,
    ) -> Result<EventPage, StoreError> {
        let mut state = self.lock();
        let entry = state.known(id)?;
        let mut page = EventPage { events: Vec::new(), more: false };
        let mut bytes = 0;
        for record in &entry.records {
            let Some(seq) = record.seq.filter(|seq| *seq > after) else { continue };
            if page.events.len() >= limit || bytes >= max_bytes {
                page.more = true;
                break;
            }
            bytes += record.body.len();
            page.events.push((seq, record.body.clone()));
        }
        Ok(page)
    }

    async fn save_snapshot(&self, id: &str, snapshot: Snapshot) -> Result<(), StoreError> {
        self.lock().known(id)?.snapshot = Some(snapshot);
        Ok(())
    }

    async fn delete(&self, id: &str) -> Result<bool, StoreError> {
        let mut state = self.lock();
        state.capabilities.retain(|_, capability| capability.session != id);
        Ok(state.sessions.remove(id).is_some())
    }

    async fn duplicate(&self, id: &str, copy: NewSession) -> Result<(), StoreError> {
        let mut state = self.lock();
        let original = state.known(id)?.clone();
        let entry = state.insert(&copy)?;
        let Session { head, seq, messages, .. } = original.session;
        entry.session = Session { head, seq, messages, ..entry.session.clone() };
        (entry.records, entry.snapshot) = (original.records, original.snapshot);
        entry.assets = original.assets;
        Ok(())
    }

    async fn list(&self, listing: Listing) -> Result<Vec<Listed>, StoreError> {
        let state = self.lock();
        let words = listing.words.as_deref().map(words_of);
        let listed = state.newest_first().into_iter().filter_map(|entry| {
            let session = entry.session.clone();
            let Some(words) = &words else { return Some(Listed { session, excerpt: None }) };
            let name = session.name.to_lowercase();
            let in_name = !words.is_empty() && words.iter().all(|word| name.contains(word));
            let found = entry.passage(words).filter(|_| !words.is_empty());
            let excerpt = found.map(|(_, text)| text.to_owned());
            (in_name || excerpt.is_some()).then_some(Listed { session, excerpt })
        });
        Ok(listed.skip(listing.offset).take(listing.limit).collect())
    }

    async fn search(&self, query: &str, limit: usize) -> Result<Vec<Passage>, StoreError> {
        let state = self.lock();
        let words = words_of(query);
        let sessions = state.sessions.values().filter(|entry| entry.session.seq > 0);
        let found = sessions.filter(|_| !words.is_empty()).filter_map(|entry| {
            let (position, excerpt) = entry.passage(&words)?;
            let Session { id, name, .. } = entry.session.clone();
            Some(Passage { session: id, name, position, excerpt: excerpt.to_owned() })
        });
        Ok(found.take(limit).collect())
    }

    async fn grant(&self, capability: Capability) -> Result<(), StoreError> {
        let mut state = self.lock();
        state.known(&capability.session)?;
        if state.capabilities.contains_key(&capability.token) {
            return Err(StoreError::Exists("the token".into()));
        }
        state.capabilities.insert(capability.token.clone(), capability);
        Ok(())
    }

    async fn capability(&self, token: &str) -> Result<Option<Capability>, StoreError> {
        Ok(self.lock().capabilities.get(token).cloned())
    }

    async fn capabilities(&self, id: &str) -> Result<Vec<Capability>, StoreError> {
        let state = self.lock();
        let mut found: Vec<Capability> =
            state.capabilities.values().filter(|one| one.session == id).cloned().collect();
        found.sort_by_key(|capability| capability.created_ms);
        Ok(found)
    }

    async fn revoke(&self, id: &str, token: &str) -> Result<bool, StoreError> {
        let mut state = self.lock();
        state.known(id)?;
        let is_its = state.capabilities.get(token).is_some_and(|one| one.session == id);
        Ok(is_its && state.capabilities.remove(token).is_some())
    }

    async fn add_asset(&self, asset: Asset) -> Result<bool, StoreError> {
        let mut state = self.lock();
        if let Some(known) = state.assets.get_mut(&asset.hash) {
            known.uploaded_ms = known.uploaded_ms.max(asset.uploaded_ms);
            return Ok(false);
        }
        state.assets.insert(asset.hash.clone(), asset);
        Ok(true)
    }

    async fn use_asset(&self, id: &str, hash: &str) -> Result<(), StoreError> {
        let mut state = self.lock();
        state.known(id)?;
        state.check_assets(&[hash.to_owned()])?;
        state.known(id)?.assets.insert(hash.to_owned());
        Ok(())
    }

    async fn asset(&self, hash: &str) -> Result<Option<Asset>, StoreError> {
        Ok(self.lock().assets.get(hash).cloned())
    }

    async fn assets(&self, id: Option<&str>) -> Result<Vec<Asset>, StoreError> {
        let state = self.lock();
        let of_session = id.map(|id| state.sessions.get(id).map(|entry| &entry.assets));
        let is_meant = |asset: &&Asset| match of_session {
            None => true,
            Some(used) => used.is_some_and(|used| used.contains(&asset.hash)),
        };
        Ok(state.assets.values().filter(is_meant).cloned().collect())
    }

    async fn unused_assets(&self, before_ms: u64) -> Result<Vec<String>, StoreError> {
        let state = self.lock();
        let unused = state.assets.values().filter(|asset| state.is_unused(asset, before_ms));
        Ok(unused.map(|asset| asset.hash.clone()).collect())
    }

    async fn forget_asset(&self, hash: &str, before_ms: u64) -> Result<bool, StoreError> {
        let mut state = self.lock();
        let unused = state.assets.get(hash).is_some_and(|asset| state.is_unused(asset, before_ms));
        Ok(unused && state.assets.remove(hash).is_some())
    }

    async fn delete_unused(&self, before_ms: u64) -> Result<u64, StoreError> {
        let mut state = self.lock();
        let count = state.sessions.len();
        state
            .sessions
            .retain(|_, entry| entry.session.seq > 0 || entry.session.created_ms >= before_ms);
        Ok((count - state.sessions.len()) as u64)
    }

    async fn check(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn close(&self) {}
}
