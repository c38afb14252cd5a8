//! What clients of MCP may have: connections that are remembered, and room for answers until they are sent.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::http::HeaderName;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::StreamExt;
use mcp_server::{Client, Connections};

use super::super::address_share::AddressShare;
use super::super::app::App;
use super::super::problem::Problem;
use crate::shares::{CountedConnection, Share};

/// The header that names a connection.
const CONNECTION_ID: HeaderName = HeaderName::from_static("mcp-session-id");

/// The connections that are remembered, each with its place in the share of its address.
#[derive(Clone)]
pub(in crate::http) struct CountedConnections {
    app: Arc<App>,
    remembered: Connections,
    /// Locked only to add and remove some.
    places: Arc<Mutex<HashMap<String, CountedConnection>>>,
}

impl CountedConnections {
    pub(in crate::http) fn new(app: Arc<App>, remembered: Connections) -> Self {
        Self { app, remembered, places: Arc::default() }
    }

    /// Counts a connection that has begun, or closes it where its address has as many as it may have.
    async fn count(&self, id: &str, share: &Share) -> Result<(), Problem> {
        let place = {
            let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
            places.retain(|id, _| self.remembered.has(id));
            share.mcp_connection().map(|place| drop(places.insert(id.to_owned(), place)))
        };
        if let Err(error) = place {
            self.remembered.close(id).await;
            return Err(error.into());
        }
        Ok(())
    }
}

/// What holds room for as long as the bytes are there.
struct Held(Bytes, #[expect(dead_code, reason = "held for its drop")] Arc<AddressShare>);

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Lets the MCP server know what the client may have, and counts the connection that a request begins.
pub(in crate::http) async fn within_share(
    State(connections): State<CountedConnections>,
    Extension(share): Extension<Share>,
    mut request: Request,
    next: Next,
) -> Response {
    let begins = !request.headers().contains_key(&CONNECTION_ID);
    let client = Arc::new(AddressShare::new(Arc::clone(&connections.app), share.clone()));
    request.extensions_mut().insert(Client(Arc::clone(&client) as _));
    let response = next.run(request).await;
    let begun = response.headers().get(&CONNECTION_ID).filter(|_| begins);
    if let Some(id) = begun.and_then(|id| id.to_str().ok())
        && let Err(problem) = connections.count(id, &share).await
    {
        return problem.into_response();
    }
    // What waits to be sent keeps the room that it took.
    response.map(|body| {
        Body::from_stream(body.into_data_stream().map(move |piece| {
            piece.map(|piece| Bytes::from_owner(Held(piece, Arc::clone(&client))))
        }))
    })
}
