//! Where the models come from, for all commands that ask one.

use std::path::PathBuf;

use clap::Args;
use server::{ModelsConfig, default_config_file};

#[derive(Debug, Args)]
pub(super) struct ModelArguments {
    /// A file that names providers of models, several of one kind as well; without it, config.toml in
    /// the user's configuration directory (on Linux ~/.config/scene-llm), if it is there. Each provider
    /// is a [[providers]] with name, kind ("openai", "openai-responses", "anthropic", "gemini" or
    /// "ollama"), base_url, api_key_env or api_key, and if wanted models, headers, default, max_context
    /// (Ollama). Its models are called NAME/MODEL. Keys of the environment come first.
    #[arg(long, env = "SCENE_LLM_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

impl ModelArguments {
    /// The models of the environment, then those of the configuration file.
    pub(super) fn read(&self) -> anyhow::Result<ModelsConfig> {
        let variable = |name: &str| std::env::var(name).ok();
        let models = ModelsConfig::from_environment(variable);
        let named = self.config.clone().filter(|path| !path.as_os_str().is_empty());
        Ok(match named.or_else(default_config_file) {
            Some(path) => models.with_file(&path, variable)?,
            None => models,
        })
    }
}
