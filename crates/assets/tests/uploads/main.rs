//! Uploads: kept, used, collected; and those that lie.

#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod damaged;
mod files;
mod lies;
mod retention;
mod session_assets;
