//! The harness of the end-to-end tests: a real server, a real client, a fake model provider.

pub mod bad_scenes;
pub mod calls;
pub mod client;
pub mod dumps;
pub mod fake_chat;
pub mod fake_gemini;
pub mod llama_cpp;
#[cfg(target_os = "linux")]
pub mod machine;
pub mod prefix;
pub mod process;
pub mod providers;
pub mod recorded;
pub mod replica;
pub mod server;
pub mod stage;
