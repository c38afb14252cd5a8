//! The scene-llm server: sessions as actors, WebSocket, HTTP, and the command line.

mod admission;
mod agent_settings;
mod choices;
pub mod cli;
mod config;
mod config_file;
mod evaluate;
mod http;
mod memory;
mod metrics;
mod models;
mod serve;
mod session;
mod spending;
mod standing_approvals;

pub use admission::ConnectionLimits;
pub use config::{
    AgentConfig, AssetsConfig, Config, Keep, KeysConfig, ModelsConfig, ProviderConfig,
    ProviderKind, ServiceAccess, ToolSetting,
};
pub use config_file::ConfigFileError;
pub use evaluate::{Evaluation, EvaluationFault};
pub use models::{ModelsError, Prices};
pub use serve::{Server, StartError};
pub use spending::SpendingLimits;
