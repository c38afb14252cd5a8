//! Entries of a configuration file: providers of models, agents of others.

use std::collections::BTreeMap;
use std::time::Duration;

use a2a_client::RemoteAgent;
use llm::ProviderKind;
use secrecy::SecretString;
use serde::Deserialize;
use toml::Spanned;

use super::errors::ErrorAt;
use crate::config::{ProviderConfig, Tier};

/// An agent of others.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Agent {
    pub(super) name: Spanned<String>,
    url: Spanned<String>,
    token_env: Option<Spanned<String>>,
    /// Seconds.
    time_limit: Option<Spanned<u64>>,
    ask: Option<bool>,
}

/// A class of sessions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenTier {
    pub(super) name: Spanned<String>,
    token_env: Spanned<String>,
    max_turns: Spanned<u32>,
}

/// The most model calls of a run in a tier.
const MAX_TURNS: u32 = 1_000;

/// Reads a tier; `variable` reads the environment.
pub(super) fn tier(
    written: &WrittenTier,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Tier, ErrorAt> {
    let WrittenTier { name, token_env, max_turns } = written;
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    if name.get_ref().is_empty() || !name.get_ref().chars().all(fits) {
        let what = "'name' must be of letters, digits, '-' and '_'";
        return Err(ErrorAt::at(name, what));
    }
    if !(1..=MAX_TURNS).contains(max_turns.get_ref()) {
        return Err(ErrorAt::at(max_turns, format!("'max_turns' must be 1 to {MAX_TURNS}")));
    }
    let token = variable(token_env.get_ref()).filter(|token| !token.trim().is_empty());
    let token = token.ok_or_else(|| {
        let what = format!(
            "'token_env' names the variable {}, which is not set: set it to the token of tier '{}', or take the \
             tier out",
            token_env.get_ref(),
            name.get_ref()
        );
        ErrorAt::at(token_env, what)
    })?;
    Ok(Tier {
        name: name.get_ref().clone(),
        token: SecretString::from(token.trim().to_owned()),
        max_turns: *max_turns.get_ref(),
    })
}

/// The longest time limit of an agent: a day.
const MAX_TIME_LIMIT: u64 = 24 * 3_600;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Provider {
    pub(super) name: Spanned<String>,
    kind: Spanned<String>,
    base_url: Option<Spanned<String>>,
    api_key: Option<SecretString>,
    api_key_env: Option<Spanned<String>>,
    #[serde(default)]
    models: Vec<String>,
    #[serde(default)]
    headers: BTreeMap<String, SecretString>,
    #[serde(default)]
    default: bool,
    max_context: Option<Spanned<u64>>,
}

/// Reads an agent; `variable` reads the environment.
pub(super) fn remote_agent(
    written: &Agent,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<RemoteAgent, ErrorAt> {
    let Agent { name, url, token_env, time_limit, ask } = written;
    let mut agent = RemoteAgent::new(name.get_ref(), url.get_ref())
        .map_err(|what| ErrorAt::at(if what.starts_with("'name'") { name } else { url }, what))?;
    if let Some(place) = token_env {
        let token = variable(place.get_ref()).filter(|token| !token.trim().is_empty());
        let token = token.ok_or_else(|| {
            let what = format!(
                "'token_env' names the variable {}, which is not set: set it to the token of agent '{}', \
                 or take the agent out",
                place.get_ref(),
                agent.name
            );
            ErrorAt::at(place, what)
        })?;
        agent.token = Some(SecretString::from(token.trim().to_owned()));
    }
    if let Some(seconds) = time_limit {
        if !(1..=MAX_TIME_LIMIT).contains(seconds.get_ref()) {
            let what = format!("'time_limit' must be 1 to {MAX_TIME_LIMIT} seconds");
            return Err(ErrorAt::at(seconds, what));
        }
        agent.time_limit = Duration::from_secs(*seconds.get_ref());
    }
    agent.ask = ask.unwrap_or(agent.ask);
    Ok(agent)
}

/// Reads a provider; `variable` reads the environment.
pub(super) fn provider(
    written: &Provider,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<ProviderConfig, ErrorAt> {
    let name = written.name.get_ref();
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if name.is_empty() || !name.chars().all(fits) {
        let what =
            "'name' must be of letters, digits, '-', '_' and '.': it begins the ids of its models";
        return Err(ErrorAt::at(&written.name, what));
    }
    let kind = ProviderKind::named(written.kind.get_ref()).ok_or_else(|| {
        let what = format!(
            "'kind' is '{}'; it must be one of {}",
            written.kind.get_ref(),
            ProviderKind::NAMES.join(", ")
        );
        ErrorAt::at(&written.kind, what)
    })?;
    let base_url = match &written.base_url {
        None => kind.maker().base_url.to_owned(),
        Some(url)
            if url.get_ref().starts_with("http://") || url.get_ref().starts_with("https://") =>
        {
            url.get_ref().clone()
        }
        Some(url) => {
            let what = format!(
                "'base_url' is '{}'; it must begin with http:// or https://",
                url.get_ref()
            );
            return Err(ErrorAt::at(url, what));
        }
    };
    let api_key = match (&written.api_key, &written.api_key_env) {
        (Some(_), Some(place)) => {
            let what =
                format!("provider '{name}' has both 'api_key' and 'api_key_env': leave one out");
            return Err(ErrorAt::at(place, what));
        }
        (Some(key), None) => key.clone(),
        (None, Some(place)) => {
            let key = variable(place.get_ref()).filter(|key| !key.trim().is_empty());
            SecretString::from(key.ok_or_else(|| {
                let what = format!(
                    "'api_key_env' names the variable {}, which is not set: set it to the key of \
                     provider '{name}', or take the provider out",
                    place.get_ref()
                );
                ErrorAt::at(place, what)
            })?)
        }
        (None, None) if written.base_url.is_some() || kind == ProviderKind::Ollama => {
            SecretString::from("")
        }
        (None, None) => {
            let what = format!(
                "provider '{name}' needs 'api_key_env' (the name of a variable) or 'api_key'"
            );
            return Err(ErrorAt::at(&written.name, what));
        }
    };
    if let Some(max_context) = &written.max_context
        && (kind != ProviderKind::Ollama || *max_context.get_ref() < 4_096)
    {
        let what = "'max_context' is for kind 'ollama', and at least 4096 tokens";
        return Err(ErrorAt::at(max_context, what));
    }
    Ok(ProviderConfig {
        name: name.clone(),
        kind,
        base_url,
        api_key,
        models: written.models.clone(),
        headers: written.headers.clone().into_iter().collect(),
        is_default: written.default,
        max_context: written.max_context.as_ref().map(|tokens| *tokens.get_ref()),
    })
}
