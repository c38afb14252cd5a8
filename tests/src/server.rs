//! A real server on port 0, for tests.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use mcp_client::McpServers;
use secrecy::SecretString;
use server::{
    AgentConfig, AssetsConfig, Config, ConnectionLimits, ModelsConfig, ProviderAccess, Server,
    SharedLimits, SpendingLimits, Storage,
};

use crate::client::Client;
use crate::fake_gemini::FakeGemini;

/// A server that runs in this process, reached over real sockets.
pub struct TestServer {
    server: Server,
    http: reqwest::Client,
}

impl TestServer {
    /// A server whose only models are these.
    ///
    /// # Panics
    /// When it cannot start.
    pub async fn start(models: ModelsConfig) -> Self {
        Self::start_all(models, Storage::InMemory, AgentConfig::default(), AssetsConfig::default())
            .await
    }

    /// A server that keeps its sessions in `directory`.
    ///
    /// # Panics
    /// When it cannot start.
    pub async fn start_in(models: ModelsConfig, directory: &Path) -> Self {
        Self::start_with_assets(models, directory, AssetsConfig::default()).await
    }

    /// A server that keeps its sessions in `directory`, and uploaded files beside them.
    ///
    /// # Panics
    /// When it cannot start.
    pub async fn start_with_assets(
        models: ModelsConfig,
        directory: &Path,
        assets: AssetsConfig,
    ) -> Self {
        let storage = Storage::InDirectory { path: directory.to_owned(), max_bytes: None };
        Self::start_all(models, storage, AgentConfig::default(), assets).await
    }

    /// A server with a loop of these settings.
    ///
    /// # Panics
    /// When it cannot start.
    pub async fn start_with(models: ModelsConfig, agent: AgentConfig) -> Self {
        Self::start_all(models, Storage::InMemory, agent, AssetsConfig::default()).await
    }

    /// A server with a loop of these settings that keeps its sessions in `directory`.
    ///
    /// # Panics
    /// When it cannot start.
    pub async fn start_agent_in(
        models: ModelsConfig,
        agent: AgentConfig,
        directory: &Path,
    ) -> Self {
        let storage = Storage::InDirectory { path: directory.to_owned(), max_bytes: None };
        Self::start_all(models, storage, agent, AssetsConfig::default()).await
    }

    async fn start_all(
        models: ModelsConfig,
        storage: Storage,
        agent: AgentConfig,
        assets: AssetsConfig,
    ) -> Self {
        Self::of(Config { storage, agent, assets, ..Self::config(models) }).await
    }

    /// How these servers are configured where a test does not say otherwise.
    pub fn config(models: ModelsConfig) -> Config {
        Config {
            addr: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            max_turns: 10,
            render_threads: 2,
            allowed_hosts: Vec::new(),
            cluster_address: None,
            storage: Storage::InMemory,
            lists_sessions: true,
            sets_stage: false,
            models,
            agent: AgentConfig::default(),
            assets: AssetsConfig::default(),
            connections: ConnectionLimits::default(),
            limits: SharedLimits::default(),
            spending: SpendingLimits::default(),
            token: None,
            worker_token: None,
            open: false,
        }
    }

    /// A server of this configuration.
    ///
    /// # Panics
    /// When it cannot start.
    pub async fn of(config: Config) -> Self {
        let server = Server::start(config).await.expect("the server starts");
        let http = llm::http_client_builder()
            .no_proxy()
            .pool_max_idle_per_host(0)
            .build()
            .expect("an HTTP client");
        Self { server, http }
    }

    /// A server that talks to a fake Gemini.
    pub async fn with_gemini(gemini: &FakeGemini) -> Self {
        Self::start(Self::models_of(gemini)).await
    }

    /// What makes a server ask `gemini`.
    pub fn models_of(gemini: &FakeGemini) -> ModelsConfig {
        ModelsConfig {
            gemini: Some(ProviderAccess {
                api_key: SecretString::from("test-key"),
                base_url: gemini.base_url(),
            }),
            ..ModelsConfig::default()
        }
    }

    /// A server whose model answers from a `DEBUG_MOCK_RESPONSES` list.
    pub async fn with_mock(responses: &serde_json::Value) -> Self {
        let mock_responses = Some(responses.to_string());
        Self::start(ModelsConfig { mock_responses, ..ModelsConfig::default() }).await
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.server.addr()
    }

    /// The URL of `path`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr())
    }

    /// The MCP servers it uses.
    pub fn mcp(&self) -> &McpServers {
        self.server.mcp()
    }

    /// An HTTP client.
    pub fn http(&self) -> &reqwest::Client {
        &self.http
    }

    /// GETs JSON.
    ///
    /// # Panics
    /// When there is no answer, or no JSON in it.
    pub async fn get(&self, path: &str) -> serde_json::Value {
        let response = self.http.get(self.url(path)).send().await.expect("an answer");
        response.json().await.expect("JSON")
    }

    /// A client on a new session.
    pub async fn client(&self) -> Client {
        self.attach("").await
    }

    /// A client with a query, e.g. `session=...&epoch=...&after=7`.
    pub async fn attach(&self, query: &str) -> Client {
        Client::connect(self.addr(), query).await
    }

    /// Stops the server.
    pub async fn stop(self) {
        self.server.stop().await;
    }
}
