//! The sessions of a server: each one in use is an actor; others are opened from the store by id.

use std::collections::HashMap;
use std::sync::Arc;

use agent::{Tool, Toolbox};
use assets::SessionAssets;
use scene::{Scene, SceneManager};
use store::{Append, NewSession, Store, StoreError, Tenure};
use studio::{Attention, Author, Bound, Previews, Renderer, SharedScene, toolbox};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc};
use tokio_util::sync::CancellationToken;

use crate::actor::{Actor, Environment, Shared};
use crate::command::{Command, EventPage, PageSize};
use crate::entry::Entry;
use crate::error::SessionError;
use crate::handle::{SessionHandle, events_of};
use crate::ids::{now_ms, random_id};
use crate::in_use::Uses;
use crate::loaded::{Awake, Loaded, Slot, memory_of};
use crate::memory::SearchMemory;
use crate::state::{OpenError, State};
use crate::too_many::TooManySessions;
use crate::transfer::{ImportError, ImportedSession};

/// Capacity of a session's command channel.
const COMMANDS: usize = 64;
/// Events a client may lag behind before it has to read the log.
const LIVE_EVENTS: usize = 128;
/// Revoked tokens a socket may lag behind before it checks its own token in the store.
const REVOKED: usize = 64;

/// All sessions of the server.
pub struct Sessions {
    loaded: Arc<Loaded>,
    environment: Arc<Environment>,
    renderer: Renderer,
    cancel: CancellationToken,
    /// Revoked share tokens, for the sockets that use them. A socket that lags checks the store.
    revoked: broadcast::Sender<Arc<str>>,
}

/// What a client may do with a session; each level includes the ones before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permission {
    /// Look.
    View,
    /// Change it.
    Edit,
    /// Share and delete it.
    Own,
}

impl Sessions {
    /// The sessions of a store. `renderer` draws their pictures.
    pub fn new(environment: Environment, renderer: Renderer) -> Self {
        let cancel = environment.stopping.clone();
        let revoked = broadcast::Sender::new(REVOKED);
        let environment = Arc::new(environment);
        Self { loaded: Arc::default(), environment, renderer, cancel, revoked }
    }

    /// The limits of sessions in memory, for operators.
    pub fn bounds(&self) -> [Bound; 2] {
        let Environment { max_sessions, max_bytes, .. } = *self.environment;
        let (number, memory) = self.loaded.size();
        let number = number as u64;
        [
            Bound { name: "sessions", used: number, limit: max_sessions as u64 },
            // A session that is awake goes on beyond it.
            Bound { name: "session_bytes", used: memory.min(max_bytes), limit: max_bytes },
        ]
    }

    /// Whether a session is in memory.
    pub fn is_in_memory(&self, id: &str) -> bool {
        self.loaded.lock().contains_key(id)
    }

    /// Where sessions are kept.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.environment.store
    }

    /// The session of an id or a share token, with the permission it grants; `None` when there is none.
    pub async fn get(&self, key: &str) -> Result<Option<(SessionHandle, Permission)>, OpenError> {
        if let Some(session) = self.open(key).await? {
            return Ok(Some((session, Permission::Own)));
        }
        let Some(capability) = self.store().capability(key).await? else { return Ok(None) };
        let permission = match capability.access {
            store::Access::Edit => Permission::Edit,
            store::Access::View => Permission::View,
        };
        let session = self.open(&capability.session).await?;
        Ok(session.map(|session| (session, permission)))
    }

    /// The events of a session by its id, as [`SessionHandle::events`] gives them, also while another server has it open.
    pub async fn events(
        &self,
        id: &str,
        after: u64,
        size: PageSize,
    ) -> Result<Option<EventPage>, SessionError> {
        events_of(&**self.store(), id, after, size).await
    }

    /// Creates a session with an empty scene; it is in the store when this returns.
    pub async fn create(&self) -> Result<SessionHandle, OpenError> {
        self.create_in_tier(None).await
    }

    /// Creates a session of a tier, whose limits it has from then on.
    pub async fn create_in_tier(&self, tier: Option<&str>) -> Result<SessionHandle, OpenError> {
        // Nothing is stored that could not be opened.
        self.check_room(&self.loaded.lock())?;
        let id = random_id();
        self.create_in_store(&id, "", &Scene::default(), tier).await?;
        let session = self.open(&id).await?;
        session.ok_or_else(|| StoreError::UnknownSession(id).into())
    }

    async fn create_in_store(
        &self,
        id: &str,
        name: &str,
        base: &Scene,
        tier: Option<&str>,
    ) -> Result<(), StoreError> {
        let (id, epoch, name) = (id.to_owned(), random_id(), name.to_owned());
        let now_ms = now_ms();
        let base = Entry::Base(Arc::new(base.clone()));
        let tier = tier.map(|tier| Entry::Tier { epoch: epoch.clone(), name: tier.to_owned() });
        let append = Append {
            session: id.clone(),
            records: [base].into_iter().chain(tier).map(|entry| entry.to_record()).collect(),
            now_ms,
            ..Append::default()
        };
        self.store().create(NewSession { id, epoch, name, now_ms }).await?;
        self.store().append(append).await
    }

    /// Copies a session with its whole log.
    pub async fn duplicate(&self, session: &SessionHandle) -> Result<SessionHandle, OpenError> {
        self.check_room(&self.loaded.lock())?;
        let (id, epoch, now_ms) = (random_id(), random_id(), now_ms());
        let original = self.store().session(session.id()).await?;
        let name = original.map(|session| session.name).filter(|name| !name.is_empty());
        let name = format!("{} (copy)", name.as_deref().unwrap_or("Session"));
        let copy = NewSession { id: id.clone(), epoch, name: name.clone(), now_ms };
        self.store().duplicate(session.id(), copy).await?;
        let copy = self.open(&id).await?.ok_or(StoreError::UnknownSession(id))?;
        // Cannot fail: the name was valid before, and the session is new.
        let _ = copy.rename(name).await;
        Ok(copy)
    }

    /// Stores an exported session as a new one. Its assets are checked before anything is stored. If the
    /// library is full, the assets that were already added are collected later.
    pub async fn import(
        &self,
        mut imported: ImportedSession,
    ) -> Result<SessionHandle, ImportError> {
        self.check_room(&self.loaded.lock()).map_err(OpenError::from)?;
        let library = &self.environment.library;
        let mut checked = Vec::new();
        for file in imported.take_files() {
            checked.push(library.check(file.bytes, &file.name, Some(file.media_type)).await?);
        }
        for checked in checked {
            library.add(checked, now_ms()).await?;
        }
        let id = imported.save(&**self.store(), library).await.map_err(OpenError::from)?;
        let session = self.open(&id).await?;
        Ok(session.ok_or_else(|| OpenError::from(StoreError::UnknownSession(id)))?)
    }

    /// Revokes a share token and disconnects its clients; returns whether the token existed.
    pub async fn revoke(&self, session: &str, token: &str) -> Result<bool, StoreError> {
        let was_there = self.store().revoke(session, token).await?;
        if was_there {
            // Without a receiver no client is attached.
            let _ = self.revoked.send(token.into());
        }
        Ok(was_there)
    }

    /// Waits until the share token is revoked.
    pub fn until_revoked(&self, token: String) -> impl Future<Output = ()> + use<> {
        let (mut revoked, store) = (self.revoked.subscribe(), Arc::clone(self.store()));
        async move {
            loop {
                match revoked.recv().await {
                    Ok(taken) if *taken == *token => return,
                    Ok(_) => {}
                    Err(RecvError::Lagged(_)) => {
                        if matches!(store.capability(&token).await, Ok(None)) {
                            return;
                        }
                    }
                    Err(RecvError::Closed) => std::future::pending().await,
                }
            }
        }
    }

    /// Stops a session's actor, disconnects its clients and deletes the session from the store; returns
    /// whether it existed.
    pub async fn delete(&self, id: &str) -> Result<bool, OpenError> {
        self.put_to_rest(id).await;
        Ok(self.store().delete(id).await?)
    }

    /// Stops a session's actor, if it is in memory. Everything it did is in the store when this returns. Whoever
    /// asks for the session next opens it again.
    pub async fn put_to_rest(&self, id: &str) {
        let slot = self.loaded.lock().get(id).cloned();
        if let Some(Awake { session, .. }) = slot.as_ref().and_then(|slot| slot.get()) {
            session.cancel.cancel();
            session.ended.cancelled().await;
        }
    }

    /// The session `id`, from memory or from the store.
    async fn open(&self, id: &str) -> Result<Option<SessionHandle>, OpenError> {
        loop {
            let slot = self.slot(id)?;
            let opened = slot.get_or_try_init(|| self.load(id)).await;
            match opened {
                Ok(awake) => {
                    if let Some(handle) = awake.handle() {
                        if self.store().holds(id, awake.tenure.term).await? {
                            return Ok(Some(handle));
                        }
                        // Another server took it over while this one had no connection to the database.
                        awake.tenure.lost.cancel();
                    }
                    // The actor is stopping: its last changes must be in the store before it is read.
                    awake.session.ended.cancelled().await;
                    self.forget(id, &slot);
                }
                Err(error) => {
                    self.forget(id, &slot);
                    return match error {
                        OpenError::Store(StoreError::UnknownSession(_)) => Ok(None),
                        other => Err(other),
                    };
                }
            }
        }
    }

    async fn load(&self, id: &str) -> Result<Awake, OpenError> {
        let tenure = self.store().own(id).await?;
        self.environment.host.on_owned();
        let term = tenure.term;
        let loaded = self.load_owned(id, tenure).await;
        if loaded.is_err()
            && let Err(error) = self.store().release(id, term).await
        {
            tracing::warn!(session = id, %error, "a session that cannot be read keeps its owner");
        }
        loaded
    }

    async fn load_owned(&self, id: &str, tenure: Tenure) -> Result<Awake, OpenError> {
        let state = State::load(&**self.store(), id).await?;
        let state = state.ok_or_else(|| StoreError::UnknownSession(id.to_owned()))?;
        let records = self.store().assets(Some(id)).await?;
        let own: Vec<String> = records.iter().map(|asset| asset.hash.clone()).collect();
        let Environment { library, searches_sessions, .. } = &*self.environment;
        // The session may come from another server.
        library.learn(records).await;
        let assets = SessionAssets::new(Arc::clone(library), *searches_sessions, own);
        Ok(self.start(state, tenure, Arc::new(assets)))
    }

    /// Fails where there is no room for another session; unused ones are closed to make some.
    fn check_room(&self, loaded: &HashMap<Arc<str>, Slot>) -> Result<(), TooManySessions> {
        let Environment { max_sessions, max_bytes, .. } = *self.environment;
        let memory = memory_of(loaded);
        // Before there is no room at all.
        if loaded.len() >= max_sessions || memory >= max_bytes / 8 * 7 {
            // Unused sessions are closed to make room.
            for Awake { session, .. } in loaded.values().filter_map(|slot| slot.get()) {
                // A full queue means that the session is in use.
                let _ = session.commands.try_send(Command::EndIfIdle);
            }
        }
        if loaded.len() >= max_sessions {
            return Err(TooManySessions::Number(max_sessions));
        }
        if memory >= max_bytes {
            return Err(TooManySessions::Memory(max_bytes));
        }
        Ok(())
    }

    /// The cell of a session in memory.
    fn slot(&self, id: &str) -> Result<Slot, OpenError> {
        let mut loaded = self.loaded.lock();
        if let Some(slot) = loaded.get(id) {
            return Ok(Arc::clone(slot));
        }
        self.check_room(&loaded)?;
        let slot = Slot::default();
        loaded.insert(id.into(), Arc::clone(&slot));
        Ok(slot)
    }

    fn forget(&self, id: &str, slot: &Slot) {
        let mut loaded = self.loaded.lock();
        if loaded.get(id).is_some_and(|current| Arc::ptr_eq(current, slot)) {
            loaded.remove(id);
        }
    }

    /// The scene's tools over an empty scene, for their descriptions.
    pub fn tools(&self) -> Toolbox {
        let scene = SharedScene::new(SceneManager::new(Scene::default()), Attention::default());
        toolbox(&Arc::new(scene), &self.renderer, Author::User)
    }

    /// The tools besides those of the scene; tools of MCP servers are added to each run.
    fn more_tools(&self, id: &Arc<str>) -> Vec<Arc<dyn Tool>> {
        let memory = self.environment.searches_sessions.then(|| {
            let (store, session) = (Arc::clone(self.store()), Arc::clone(id));
            Arc::new(SearchMemory { store, session }) as Arc<dyn Tool>
        });
        memory.into_iter().collect()
    }

    /// Starts the actor of a session.
    fn start(&self, state: State, tenure: Tenure, assets: Arc<SessionAssets>) -> Awake {
        let id = Arc::clone(&state.id);
        let manager = state.scene.clone().with_assets(Arc::clone(&assets) as _);
        let scene = SharedScene::new(manager, state.attention.clone());
        let scene = scene
            .with_stage(self.environment.sets_stage)
            .with_own_objects(Arc::clone(&self.environment.own_objects));
        let scene = Arc::new(scene);
        let (cancel, ended) = (self.cancel.child_token(), CancellationToken::new());
        let (commands, received) = mpsc::channel(COMMANDS);
        let uses = Arc::new(Uses::default());
        uses.set_memory(state.memory());
        let (lost, stop) = (tenure.lost.clone(), cancel.clone());
        let shared = Shared {
            commands: received,
            live: broadcast::Sender::new(LIVE_EVENTS),
            scene: Arc::clone(&scene),
            assets: Arc::clone(&assets),
            renderer: self.renderer.clone(),
            tools: toolbox(&scene, &self.renderer, Author::Model).with(self.more_tools(&id)),
            cancel: cancel.clone(),
            tenure: tenure.clone(),
            uses: Arc::clone(&uses),
        };
        let tools = toolbox(&scene, &self.renderer, Author::User);
        let actor = Actor::new(Arc::clone(&self.environment), state, shared);
        let tracker = &self.environment.tracker;
        let at_end = ended.clone().drop_guard();
        let (loaded, its_id) = (Arc::clone(&self.loaded), Arc::clone(&id));
        tracker.spawn(async move {
            // Also while the actor waits for the store: a server without a lease stops its models at once.
            let stop_at_loss = async {
                lost.cancelled().await;
                stop.cancel();
                std::future::pending().await
            };
            tokio::select! {
                () = actor.serve() => {}
                () = stop_at_loss => {}
            }
            drop(at_end);
            loaded.forget_ended(&its_id);
        });
        let previews = Previews::new(
            Arc::clone(&scene),
            self.renderer.clone(),
            tracker.clone(),
            cancel.clone(),
        );
        let (previews, store) = (Arc::new(previews), Arc::clone(self.store()));
        let in_use = None;
        let session = SessionHandle {
            id,
            commands,
            scene,
            assets,
            previews,
            presence: Arc::default(),
            tools,
            store,
            cancel,
            ended,
            in_use,
        };
        Awake { session, uses, tenure }
    }
}

#[cfg(test)]
mod tests;
