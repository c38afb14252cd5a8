//! What the documents name in inline code: paths, tests and metrics. Each module finds the names of one
//! kind in a document and compares them with what exists.

mod code;
mod metrics;
mod paths;
mod test_names;
mod tree;

pub use code::{Code, inline_code};
pub use metrics::{Metric, named_metric, registered_metrics};
pub use paths::named_paths;
pub use test_names::{NamedTest, TestFile, named_tests};
pub use tree::Tree;
