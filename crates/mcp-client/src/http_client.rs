//! The HTTP client of a connection: reqwest, with a fix for errors without a request id.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::{Error as SseError, Sse};

type Result<T> = std::result::Result<T, StreamableHttpError<reqwest::Error>>;
type Headers = HashMap<HeaderName, HeaderValue>;

/// A restarted server answers a request of an old session with an error without an id, since it never
/// parsed the request. The error is assigned to that request; otherwise the call would wait for its
/// timeout.
#[derive(Clone)]
pub(crate) struct HttpClient(reqwest::Client);

impl HttpClient {
    pub(crate) fn new() -> std::result::Result<Self, reqwest::Error> {
        // Custom headers are often keys, which reqwest itself would send on to another host.
        let redirects = llm::redirects_within_a_server();
        llm::http_client_builder().redirect(redirects).build().map(Self)
    }
}

impl StreamableHttpClient for HttpClient {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        auth: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse> {
        let request = id_of(&message);
        let answer = self.0.post_message(uri, message, session, auth, headers).await?;
        Ok(addressed(answer, request))
    }

    async fn post_message_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        auth: Option<String>,
        headers: Headers,
        max_size: usize,
    ) -> Result<StreamableHttpPostResponse> {
        let request = id_of(&message);
        let posted = self
            .0
            .post_message_with_max_sse_event_size(uri, message, session, auth, headers, max_size);
        Ok(addressed(posted.await?, request))
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        auth: Option<String>,
        headers: Headers,
    ) -> Result<()> {
        self.0.delete_session(uri, session, auth, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        auth: Option<String>,
        headers: Headers,
    ) -> Result<BoxStream<'static, std::result::Result<Sse, SseError>>> {
        self.0.get_stream(uri, session, last_event, auth, headers).await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        auth: Option<String>,
        headers: Headers,
        max_size: usize,
    ) -> Result<BoxStream<'static, std::result::Result<Sse, SseError>>> {
        let opened = self
            .0
            .get_stream_with_max_sse_event_size(uri, session, last_event, auth, headers, max_size);
        opened.await
    }
}

type RequestId = rmcp::model::RequestId;

fn id_of(message: &ClientJsonRpcMessage) -> Option<RequestId> {
    match message {
        JsonRpcMessage::Request(request) => Some(request.id.clone()),
        _ => None,
    }
}

fn addressed(
    mut answer: StreamableHttpPostResponse,
    request: Option<RequestId>,
) -> StreamableHttpPostResponse {
    if let StreamableHttpPostResponse::Json(JsonRpcMessage::Error(error), _) = &mut answer {
        error.id = error.id.take().or(request);
    }
    answer
}
