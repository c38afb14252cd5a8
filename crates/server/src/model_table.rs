//! Tables of models in files.

use std::path::Path;
use std::sync::Arc;

use llm::Table;

/// Reads a table of models in the form of `crates/llm/data/models.txt`.
pub(crate) fn read_table(path: &Path) -> Result<Arc<Table>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    Table::parse(&text).map(Arc::new).map_err(|error| error.to_string())
}
