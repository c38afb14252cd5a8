//! Requests that another server on the same database has sent on: they prove it by what only such servers know, and say
//! whose they are, so that limits count for the client and not for the server in between.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use super::super::app::{App, Peer};
use super::super::arriving::Arriving;
use super::super::problem::Problem;
use crate::admission::{AdmissionError, ConnectionPermit, network_of};

/// The header of a request that comes from another server: what servers on the same database know.
const FORWARDED: HeaderName = HeaderName::from_static("x-scene-llm-forwarded");
/// The address of the client, as the server saw it that sends the request on.
const CLIENT: HeaderName = HeaderName::from_static("x-scene-llm-client");

/// In the extensions of a request that another server has sent on: it is not sent on again.
#[derive(Debug, Clone, Copy)]
pub(super) struct SentOn;

/// Marks requests of other servers with [`SentOn`], and lets them count for their clients.
pub(in crate::http) async fn know_members(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    let given = request.headers_mut().remove(&FORWARDED);
    let client = request.headers_mut().remove(&CLIENT);
    // A server with a store of its own has no others, and the headers mean nothing to it.
    let Some((given, secret)) = given.zip(app.sessions.store().secret()) else {
        return next.run(request).await;
    };
    if Sha256::digest(given.as_bytes()) != Sha256::digest(secret) {
        let detail = "only servers on the same database may send requests on";
        return Problem::new(StatusCode::FORBIDDEN, detail).into_response();
    }
    request.extensions_mut().insert(SentOn);
    let client = client.and_then(|client| client.to_str().ok()?.parse::<IpAddr>().ok());
    if let Some(client) = client
        && let Err(refused) = count_for(&app, client, request.extensions_mut())
    {
        return Problem::new(StatusCode::TOO_MANY_REQUESTS, refused.to_string()).into_response();
    }
    next.run(request).await
}

/// Lets a request, and the connection over which it came, count for an address.
fn count_for(app: &App, client: IpAddr, extensions: &mut Extensions) -> Result<(), AdmissionError> {
    if let Some(permit) = extensions.get::<ConnectionPermit>() {
        permit.count_for(client)?;
    }
    let share = app.shares.of_address(network_of(client));
    if let Some(arriving) = extensions.get::<Arriving>() {
        arriving.count_for(&share);
    }
    extensions.insert(share);
    extensions.insert(Peer(client));
    Ok(())
}

/// Marks a request that is sent on for the client at this address.
pub(super) fn mark(headers: &mut HeaderMap, app: &App, client: Option<IpAddr>) {
    let secret = app.sessions.store().secret().unwrap_or_default();
    if let Ok(secret) = HeaderValue::from_str(secret) {
        headers.insert(FORWARDED, secret);
    }
    headers.remove(&CLIENT);
    if let Some(address) = client
        && let Ok(address) = HeaderValue::from_str(&address.to_string())
    {
        headers.insert(CLIENT, address);
    }
}
