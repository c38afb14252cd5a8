//! The whole way: real servers, real sockets, fake model providers.

mod any_model;
mod assets;
mod attachments;
mod attacks;
mod bad_input;
mod catalogue;
mod chat_clients;
mod equal_clients;
mod gemini_client;
mod goals;
mod lasting_sessions;
mod local_server;
mod loop_over_gemini;
mod operations;
mod outside_tools;
mod previews;
mod provider_clients;
mod provider_limits;
mod provider_sessions;
mod provider_switches;
mod providers;
mod recorded_streams;
mod scene_files;
mod scripted_scenes;
mod shapes;
mod usage;
