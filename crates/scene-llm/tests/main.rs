//! The program as its users start it: its command line, its death and its disks.

mod any_server;
mod backup;
mod chat;
mod cluster_faults;
mod command_line;
mod configuration;
mod crash;
mod database;
mod disk_faults;
mod evaluation;
mod faults;
mod full_disks;
mod goal_crash;
mod goals;
mod judged_findings;
mod machine_faults;
mod mcp_lines;
mod owners;
mod stops;
mod upload_crash;
mod workers;
