//! Which session a call is about.

use std::sync::{Arc, Mutex, PoisonError};

use session::{OpenError, Permission, SessionHandle, SharedClient};

use crate::host::Host;

/// The session of a connection: calls without a session are about it. It is created by the first call that
/// needs one.
pub(crate) struct Current {
    host: Arc<Host>,
    /// Locked for a look or a write, never across an await.
    id: Mutex<Option<String>>,
    /// Held while a session is created, so that concurrent first calls share one.
    creating: tokio::sync::Mutex<()>,
}

/// Why there is no session for a call.
#[derive(Debug)]
pub(crate) enum NoSession {
    Unknown(String),
    LookOnly,
    /// The client has as many as it may have.
    TooMany(String),
    Failed(OpenError),
}

impl std::fmt::Display for NoSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown(id) => {
                write!(
                    f,
                    "there is no session '{id}'; leave out 'session' for the current one, or call new_session"
                )
            }
            Self::LookOnly => f.write_str(
                "this session's token is for looking only; ask its owner for one to edit with",
            ),
            Self::TooMany(why) => f.write_str(why),
            Self::Failed(error) => error.fmt(f),
        }
    }
}

impl Current {
    pub(crate) fn new(host: Arc<Host>) -> Self {
        let kept = host.keeps_session_in.as_deref();
        let id = kept.and_then(|file| std::fs::read_to_string(file).ok());
        let id = id.map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
        Self { host, id: Mutex::new(id), creating: tokio::sync::Mutex::new(()) }
    }

    /// The id of the current session, if there is one.
    pub(crate) fn id(&self) -> Option<String> {
        self.id.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The session that a call of `client` names, or the current one.
    pub(crate) async fn find(
        &self,
        named: Option<&str>,
        needed: Permission,
        client: Option<&SharedClient>,
    ) -> Result<SessionHandle, NoSession> {
        if let Some(key) = named {
            return self.get(key, needed).await?.ok_or_else(|| NoSession::Unknown(key.to_owned()));
        }
        let _creating = self.creating.lock().await;
        if let Some(id) = self.id()
            && let Some(session) = self.get(&id, needed).await?
        {
            return Ok(session);
        }
        self.create(client).await
    }

    /// Creates a session, which becomes the current one.
    pub(crate) async fn begin(
        &self,
        client: Option<&SharedClient>,
    ) -> Result<SessionHandle, NoSession> {
        let _creating = self.creating.lock().await;
        self.create(client).await
    }

    async fn create(&self, client: Option<&SharedClient>) -> Result<SessionHandle, NoSession> {
        client.map_or(Ok(()), |client| client.may_begin_session()).map_err(NoSession::TooMany)?;
        let session = self.host.sessions.create().await.map_err(NoSession::Failed)?;
        let id = session.id().to_owned();
        client.map_or(Ok(()), |client| client.began_session(&id)).map_err(NoSession::TooMany)?;
        self.host.recent.note(&id, session.clone());
        if let Some(file) = &self.host.keeps_session_in
            && let Err(error) = tokio::fs::write(file, &id).await
        {
            tracing::warn!(%error, file = %file.display(), "the current session cannot be kept for the next start");
        }
        *self.id.lock().unwrap_or_else(PoisonError::into_inner) = Some(id);
        Ok(session)
    }

    /// The session of an id or token; `None` when there is none.
    pub(crate) async fn get(
        &self,
        key: &str,
        needed: Permission,
    ) -> Result<Option<SessionHandle>, NoSession> {
        match self.host.sessions.get(key).await.map_err(NoSession::Failed)? {
            Some((_, permission)) if permission < needed => Err(NoSession::LookOnly),
            found => Ok(found.map(|(session, _)| {
                self.host.recent.note(session.id(), session.clone());
                session
            })),
        }
    }
}
