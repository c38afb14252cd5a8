//! A connection to a process or an HTTP session: it is initialised, and its tools are listed.

use std::collections::HashMap;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use process_wrap::tokio::CommandWrap;
use rmcp::ServiceExt;
use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotificationParam, ClientCapabilities,
    ClientConfig, ClientRequest, Implementation, ListToolsRequest, PaginatedRequestParams,
    ProgressNotificationParam, RequestId, ServerResult,
};
use rmcp::service::{
    ClientInitializeError, NotificationContext, Peer, PeerRequestOptions, RoleClient,
    RunningService, ServiceError,
};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransportConfig, StreamableHttpError,
};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use serde_json::{Map, Value};
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, Command};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::config::Transport;
use crate::environment::{Secrets, base, expand, expand_all, ours};
use crate::http_client::HttpClient;
use crate::progress::ProgressListeners;
use agent::Notes;
use agent::untrusted::clean;

/// The most pages of a list of tools.
const MAX_PAGES: usize = 50;
/// The most listed tools to read.
const MAX_LISTED: usize = 5_000;
/// The kept end of stderr, in bytes.
const MAX_STDERR_BYTES: usize = 2_048;
/// The timeout for sending a cancellation.
const CANCEL_WITHIN: Duration = Duration::from_secs(5);

/// A failed connection.
#[derive(Debug)]
pub(crate) struct ConnectError {
    pub(crate) why: String,
    /// Whether a retry would fail the same way.
    pub(crate) is_final: bool,
}

impl ConnectError {
    fn final_one(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_final: true }
    }

    fn passing(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_final: false }
    }
}

/// An initialised connection. Dropping it closes it and stops the process.
pub(crate) struct Connection {
    pub(crate) service: RunningService<RoleClient, Listener>,
    pub(crate) peer: Peer<RoleClient>,
    /// Who listens to the progress of calls.
    pub(crate) progress: ProgressListeners,
    /// Counts how often the list of tools changed.
    pub(crate) list_changes: watch::Receiver<u64>,
    pub(crate) stderr_tail: StderrTail,
}

/// Handles notifications of the server.
pub(crate) struct Listener {
    list_changes: watch::Sender<u64>,
    progress: ProgressListeners,
}

impl ClientHandler for Listener {
    async fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.progress.tell(&progress);
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.list_changes.send_modify(|count| *count += 1);
    }

    fn get_info(&self) -> ClientConfig {
        let us = Implementation::new("scene-llm", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), us)
    }
}

/// Connects; secrets of the entry are added to `secrets` before any error can occur.
pub(crate) async fn connect(
    transport: &Transport,
    secrets: &mut Secrets,
) -> Result<Connection, ConnectError> {
    let (sender, list_changes) = watch::channel(0);
    let progress = ProgressListeners::default();
    let listener = Listener { list_changes: sender, progress: progress.clone() };
    let stderr_tail = StderrTail::default();
    let service = match transport {
        Transport::Process { command, args, env, cwd } => {
            let (transport, stderr) = spawn(command, args, env, cwd.as_deref(), secrets)?;
            if let Some(stderr) = stderr {
                // The task ends with the process, which ends with the connection.
                tokio::spawn(stderr_tail.clone().listen(stderr));
            }
            listener.serve(transport).await
        }
        Transport::Http { url, headers } => {
            listener.serve(http_transport(url, headers, secrets)?).await
        }
    };
    let service = service.map_err(|error| {
        let words = stderr_tail.text();
        let said = if words.is_empty() { String::new() } else { format!("; it said: {words}") };
        // The outer transport error names types, not causes.
        let why = match &error {
            ClientInitializeError::TransportError { error, .. } => transport_words(&*error.error),
            error => with_sources(error),
        };
        ConnectError::passing(format!("{}{said}", clean(&why, 300)))
    })?;
    let peer = service.peer().clone();
    Ok(Connection { service, peer, progress, list_changes, stderr_tail })
}

/// An error of a transport with its causes; that of HTTP does not name those of its client.
fn transport_words(error: &(dyn std::error::Error + Send + Sync + 'static)) -> String {
    match error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
        Some(StreamableHttpError::Client(error)) => with_sources(error),
        _ => with_sources(error),
    }
}

fn spawn(
    command: &str,
    args: &[String],
    env: &std::collections::BTreeMap<String, String>,
    cwd: Option<&std::path::Path>,
    secrets: &mut Secrets,
) -> Result<(TokioChildProcess, Option<ChildStderr>), ConnectError> {
    let env = expand_all(env, &ours, secrets).map_err(ConnectError::final_one)?;
    let mut expanded = |text: &str| expand(text, &ours, secrets).map_err(ConnectError::final_one);
    let program = expanded(command)?;
    let args = args.iter().map(|arg| expanded(arg)).collect::<Result<Vec<_>, _>>()?;
    let mut process = Command::new(&program);
    // A process gets only the base of our environment, since the rest may contain keys.
    process.env_clear().envs(base()).envs(env).args(args).kill_on_drop(true);
    if let Some(cwd) = cwd {
        let directory = expanded(&cwd.to_string_lossy())?;
        if !std::path::Path::new(&directory).is_dir() {
            return Err(ConnectError::passing(format!(
                "its 'cwd' '{directory}' is not a directory"
            )));
        }
        process.current_dir(directory);
    }
    let mut process = CommandWrap::from(process);
    // A process group of its own: its children are killed with it, and Ctrl-C does not reach it.
    #[cfg(unix)]
    process.wrap(process_wrap::tokio::ProcessGroup::leader());
    #[cfg(windows)]
    process.wrap(process_wrap::tokio::JobObject);
    TokioChildProcess::builder(process).stderr(Stdio::piped()).spawn().map_err(|error| {
        let hint = if program.contains(' ') && error.kind() == std::io::ErrorKind::NotFound {
            " (arguments belong into 'args')"
        } else {
            ""
        };
        ConnectError::passing(format!("'{program}' does not start: {error}{hint}"))
    })
}

fn http_transport(
    url: &str,
    headers: &std::collections::BTreeMap<String, String>,
    secrets: &mut Secrets,
) -> Result<StreamableHttpClientTransport<HttpClient>, ConnectError> {
    let headers = expand_all(headers, &ours, secrets).map_err(ConnectError::final_one)?;
    let url = expand(url, &ours, secrets).map_err(ConnectError::final_one)?;
    // The address may contain a token, too.
    if let Some((_, query)) = url.split_once('?') {
        query.split('&').filter_map(|pair| pair.split_once('=')).for_each(|(_, value)| {
            secrets.add(value);
        });
    }
    if let Some((user, _)) = url.split_once("://").and_then(|(_, rest)| rest.split_once('@')) {
        user.split(':').for_each(|part| secrets.add(part));
    }
    let mut custom = HashMap::new();
    for (name, value) in headers {
        let unusable = |what: &str| ConnectError::final_one(format!("the header '{name}' {what}"));
        let key = name.parse().map_err(|_| unusable("has no usable name"))?;
        let mut value: http::HeaderValue =
            value.parse().map_err(|_| unusable("has no usable value"))?;
        value.set_sensitive(true);
        custom.insert(key, value);
    }
    // We open new sessions ourselves, since the tools must be listed again.
    let config = StreamableHttpClientTransportConfig::with_uri(url)
        .custom_headers(custom)
        .reinit_on_expired_session(false);
    let client = HttpClient::new().map_err(|error| {
        ConnectError::final_one(format!("no HTTP client could be made: {error}"))
    })?;
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

/// All tools the server lists, as JSON, up to a limit.
pub(crate) async fn list_tools(peer: &Peer<RoleClient>) -> Result<Vec<Value>, ServiceError> {
    let mut tools: Vec<Value> = Vec::new();
    let mut cursor = None;
    for _ in 0..MAX_PAGES {
        let params = PaginatedRequestParams::default().with_cursor(cursor);
        let request = ListToolsRequest::with_param(params);
        let page = json(peer.send_request(ClientRequest::ListToolsRequest(request)).await?);
        let Value::Object(mut page) = page else { break };
        if let Some(Value::Array(more)) = page.shift_remove("tools") {
            tools.extend(more);
        }
        cursor = page.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
        if cursor.is_none() || tools.len() >= MAX_LISTED {
            break;
        }
    }
    tools.truncate(MAX_LISTED);
    Ok(tools)
}

/// Calls a tool; what the server tells of its progress becomes notes. Dropping the future sends a cancellation
/// to the server.
pub(crate) async fn call(
    peer: &Peer<RoleClient>,
    progress: &ProgressListeners,
    tool: &str,
    args: Map<String, Value>,
    notes: &Notes,
) -> Result<Value, ServiceError> {
    let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(args);
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let handle = peer.send_request_with_option(request, PeerRequestOptions::no_options()).await?;
    let _listening = progress.listen(handle.progress_token.clone(), notes.clone());
    let mut abandoned = Abandoned { peer, request: Some(handle.id.clone()) };
    let answer = handle.await_response().await;
    abandoned.request = None;
    answer.map(json)
}

/// Sends `notifications/cancelled` for a dropped request.
struct Abandoned<'a> {
    peer: &'a Peer<RoleClient>,
    request: Option<RequestId>,
}

impl Drop for Abandoned<'_> {
    fn drop(&mut self) {
        let Some(request) = self.request.take() else { return };
        let peer = self.peer.clone();
        tokio::spawn(async move {
            let why = Some("the user stopped the run, or the call took too long".to_owned());
            let cancelled = CancelledNotificationParam::new(Some(request), why);
            // If the server is gone, no cancellation is needed.
            let _ = tokio::time::timeout(CANCEL_WITHIN, peer.notify_cancelled(cancelled)).await;
        });
    }
}

/// A result as JSON. The reader skips what it does not know.
fn json(result: ServerResult) -> Value {
    match result {
        ServerResult::CustomResult(result) => result.0,
        // A value parsed from JSON can be serialised again.
        result => serde_json::to_value(result).unwrap_or_default(),
    }
}

/// Whether this error means that the connection is broken.
pub(crate) fn breaks(error: &ServiceError) -> bool {
    matches!(error, ServiceError::TransportSend(_) | ServiceError::TransportClosed)
        || is_unknown_session(error)
}

/// Whether the server cannot have received the request.
pub(crate) fn was_not_delivered(error: &ServiceError) -> bool {
    let ServiceError::TransportSend(sending) = error else { return is_unknown_session(error) };
    let source = &*sending.error;
    if let Some(error) = source.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
        return match error {
            StreamableHttpError::SessionExpired => true,
            StreamableHttpError::Client(error) => error.is_connect(),
            _ => false,
        };
    }
    // A broken pipe: the process has ended.
    source.is::<std::io::Error>()
}

/// A restarted server does not know the old session; not every server answers 404 then.
fn is_unknown_session(error: &ServiceError) -> bool {
    match error {
        ServiceError::McpError(error) => {
            matches!(error.code.0, -32_000 | -32_001)
                && error.message.to_ascii_lowercase().contains("session")
        }
        _ => false,
    }
}

/// An error with its sources, since the outermost one often has no details.
pub(crate) fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

/// The end of a process's stderr, which usually tells why it ended.
#[derive(Clone, Default)]
pub(crate) struct StderrTail {
    /// The output. The lock is held only to copy.
    tail: Arc<Mutex<Vec<u8>>>,
    /// Cancelled when the process has closed stderr.
    ended: CancellationToken,
}

impl StderrTail {
    async fn listen(self, mut stderr: ChildStderr) {
        let mut piece = [0; 1_024];
        while let Ok(length @ 1..) = stderr.read(&mut piece).await {
            let mut tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
            tail.extend_from_slice(&piece[..length]);
            let excess = tail.len().saturating_sub(MAX_STDERR_BYTES);
            tail.drain(..excess);
        }
        self.ended.cancel();
    }

    /// The output; waits a moment for the end of the process.
    pub(crate) async fn complete(&self) -> String {
        let _ = tokio::time::timeout(Duration::from_millis(200), self.ended.cancelled()).await;
        self.text()
    }

    /// The last line.
    fn text(&self) -> String {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&tail).into_owned();
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        clean(last.unwrap_or_default(), 300)
    }
}
