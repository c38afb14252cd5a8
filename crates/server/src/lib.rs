//! The server: configuration, models, and access to sessions by WebSocket and HTTP.

mod admission;
mod backup;
mod choices;
mod config;
mod config_file;
mod connections;
mod goal_wire;
mod http;
mod in_memory;
mod listen;
mod local_model;
mod metrics;
mod model_table;
mod models;
mod own_files;
mod own_objects;
mod queue;
mod run_host;
mod serve;
mod shares;
mod spending;
mod start_error;
mod storage;
mod take_over;
mod wire;
mod working_goals;

pub use a2a_client::RemoteAgent;
pub use admission::ConnectionLimits;
pub use backup::{BackupError, CopyReport, back_up, restore};
pub use choices::{Choice, Denoise, Filter, Integrator, ToneMap, default_samples, time_limit};
pub use config::{
    AgentConfig, AssetsConfig, Config, KeysConfig, ModelsConfig, ProviderAccess, ProviderConfig,
    Storage, Tier, ToolSetting,
};
pub use config_file::{
    ConfigFile, ConfigFileError, FileSetting, default_path as default_config_file,
};
pub use goals::{Workflow, Workflows};
pub use in_memory::{InMemoryError, InMemorySessions};
pub use llm::ProviderKind;
pub use models::{
    ModelOverview, ModelsError, Prices, ProviderInfo, configured_providers, model_overview,
};
pub use own_files::{sub_agents, workflows};
pub use protocol::ModelInfo;
pub use serve::Server;
pub use shares::SharedLimits;
pub use spending::SpendingLimits;
pub use start_error::StartError;
pub use studio::RenderLimits;
