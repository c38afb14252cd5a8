//! `scene-llm models`.

use std::io::Write as _;

use clap::Args;
use serde_json::json;
use server::{ConfigFile, ModelOverview, ProviderInfo, model_overview};

use super::model_arguments::ModelArguments;

/// List the models: what they can do, and which providers have a key.
///
/// Asks each provider for its list, and looks for models on this machine. A provider that does not answer
/// is told on standard error; what is known of its models without it is listed.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Print JSON: `models` as of GET /api/models, `default`, and `providers` with `has_key`.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    models: ModelArguments,
}

pub(super) fn run(arguments: &Arguments, file: Option<&ConfigFile>) -> anyhow::Result<()> {
    let config = arguments.models.read(file)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let overview = runtime.block_on(model_overview(config))?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let ModelOverview { default, models, providers } = &overview;
        let printed = json!({ "default": default, "models": models, "providers": providers });
        writeln!(out, "{printed:#}")?;
        return Ok(());
    }
    write!(out, "{}", table(&overview))?;
    Ok(())
}

fn table(overview: &ModelOverview) -> String {
    let head =
        ["", "model", "provider", "tools", "pictures", "thinks", "context"].map(String::from);
    let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
    let row = |model: &server::ModelInfo| {
        let mark = if model.id == overview.default { "*" } else { "" };
        [
            mark.to_owned(),
            model.id.clone(),
            model.provider.clone().unwrap_or_else(|| "built in".to_owned()),
            if model.native_tools { "native" } else { "in text" }.to_owned(),
            yes(model.sees_images),
            yes(model.thinks),
            model.context_window.map_or("-".to_owned(), |tokens| tokens.to_string()),
        ]
    };
    let rows: Vec<_> = std::iter::once(head).chain(overview.models.iter().map(row)).collect();
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..7).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text.push_str("\n* the model of new sessions\n");
    let keys = |has: bool| {
        let which = overview.providers.iter().filter(|provider| provider.has_key == has);
        which.map(named).collect::<Vec<_>>().join(", ")
    };
    for (what, which) in [("with a key", keys(true)), ("without a key", keys(false))] {
        if !which.is_empty() {
            text.push_str(&format!("{what}: {which}\n"));
        }
    }
    text
}

/// A provider with the variable that takes its key, where it has none.
fn named(provider: &ProviderInfo) -> String {
    match provider.key_variable.filter(|_| !provider.has_key) {
        Some(variable) => format!("{} ({variable})", provider.label),
        None => provider.label.clone(),
    }
}
