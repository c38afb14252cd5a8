//! The server as a process of its own, which can be killed.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{ExitStatus, Stdio};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::client::Client;

/// A running process. Dropping it kills it.
pub struct ServerProcess {
    child: Child,
    addr: SocketAddr,
    http: reqwest::Client,
}

impl ServerProcess {
    /// Starts `program serve` on a free port with sessions in `directory`, and waits until it answers.
    /// `gemini` is the base URL of a Gemini; without it the offline model serves.
    ///
    /// # Panics
    /// When it does not come up.
    pub async fn start(program: &Path, directory: &Path, gemini: Option<&str>) -> Self {
        Self::start_on(program, directory, None, gemini).await
    }

    /// The same with sessions in the PostgreSQL database of a URL, if there is one.
    ///
    /// # Panics
    /// When it does not come up.
    pub async fn start_on(
        program: &Path,
        directory: &Path,
        database: Option<&str>,
        gemini: Option<&str>,
    ) -> Self {
        Self::start_with(program, directory, database, gemini, &[]).await
    }

    /// The same with these variables in its environment.
    ///
    /// # Panics
    /// When it does not come up.
    pub async fn start_with(
        program: &Path,
        directory: &Path,
        database: Option<&str>,
        gemini: Option<&str>,
        environment: &[(&str, &str)],
    ) -> Self {
        let mut command = Command::new(program);
        command.args([
            "serve",
            "--addr",
            "127.0.0.1:0",
            "--threads",
            "1",
            "--no-stage",
            "--data-dir",
        ]);
        command.arg(directory).stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true);
        for name in [
            "GEMINI_API_KEY",
            "GOOGLE_API_KEY",
            "SCENE_LLM_MODEL",
            "SCENE_LLM_DATABASE_URL",
            "SCENE_LLM_TOKEN",
            "SCENE_LLM_WORKER_TOKEN",
            "DEBUG_MOCK_RESPONSES",
        ] {
            command.env_remove(name);
        }
        if let Some(url) = database {
            command.args(["--database-url", url]);
        }
        // Faults of the store are provoked here, and told to clients.
        command.env("SCENE_LLM_LOG", "off").envs(environment.iter().copied());
        if let Some(gemini) = gemini {
            command.env("GEMINI_API_KEY", "test-key").env("GEMINI_BASE_URL", gemini);
        }
        let mut child = command.spawn().expect("the program runs");
        let output = child.stdout.take().expect("its output");
        let mut lines = BufReader::new(output).lines();
        let line = lines.next_line().await.expect("a line").expect("the line with the address");
        let addr = line.rsplit("http://").next().expect("an address").parse().expect("an address");
        let http = llm::http_client_builder().no_proxy().build().expect("an HTTP client");
        Self { child, addr, http }
    }

    /// Its number.
    ///
    /// # Panics
    /// When it has ended.
    pub fn id(&self) -> u32 {
        self.child.id().expect("a running process")
    }

    /// Ends it at once, as a crash does.
    ///
    /// # Panics
    /// When it cannot be killed.
    pub async fn kill(mut self) {
        self.child.kill().await.expect("the process ends");
    }

    /// Waits until it has ended.
    ///
    /// # Panics
    /// When it cannot be waited for.
    pub async fn ended(mut self) -> ExitStatus {
        self.child.wait().await.expect("the process ends")
    }

    /// The URL of `path`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    /// An HTTP client.
    pub fn http(&self) -> &reqwest::Client {
        &self.http
    }

    /// GETs JSON.
    ///
    /// # Panics
    /// When there is no answer, or no JSON in it.
    pub async fn get(&self, path: &str) -> Value {
        let response = self.http.get(self.url(path)).send().await.expect("an answer");
        response.json().await.expect("JSON")
    }

    /// All events of a session.
    ///
    /// # Panics
    /// When they cannot be read.
    pub async fn events(&self, session: &str) -> Vec<Value> {
        let mut events: Vec<Value> = Vec::new();
        loop {
            let path = format!("/api/sessions/{session}/events?after={}", events.len());
            let page = self.get(&path).await;
            events.extend(page["events"].as_array().expect("events").iter().cloned());
            if page["more"] != true {
                return events;
            }
        }
    }

    /// A client with a query, e.g. `session=...&epoch=...&after=7`.
    pub async fn attach(&self, query: &str) -> Client {
        Client::connect(self.addr, query).await
    }
}
