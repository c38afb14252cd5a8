//! Shared HTTP machinery of all providers: connections, keys, event streams, errors, retries and repairs.
//! Each provider implements [`Provider`] in a folder of its own.

mod answer;
mod bounds;
mod builder;
pub(crate) mod call_ids;
mod client;
mod config;
pub(crate) mod errors;
mod lines;
mod names;
pub(crate) mod pieces;
mod reader;
mod repair;
mod sse;

pub(crate) use answer::stream;
pub(crate) use bounds::Held;
pub use builder::{http_client_builder, redirects_within_a_server};
pub(crate) use client::{Client, Provider, as_error};
pub use config::ClientConfig;
pub(crate) use errors::ApiError;
pub(crate) use names::{Names, ProviderNames};
pub(crate) use reader::{AnswerEvent, End, EventReader};
#[cfg(test)]
pub(crate) use repair::Cause;
pub use repair::Learned;
pub(crate) use repair::{Rejection, plain_name};

#[cfg(test)]
mod http_tests;
