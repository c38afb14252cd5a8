//! Servers, each behind a network and on a machine of its own.

use std::path::{Path, PathBuf};

use end_to_end::machine::Machine;
use end_to_end::process::ServerProcess;

use super::network::Network;
use super::{PROGRAM, renders};

/// A server, its machine and the way to it.
pub(super) struct Place {
    pub(super) network: Network,
    pub(super) machine: Machine,
    pub(super) server: Option<ServerProcess>,
}

/// What servers are started with.
pub(super) struct Setting {
    pub(super) database: String,
    pub(super) directory: PathBuf,
    pub(super) model: String,
}

impl Setting {
    pub(super) async fn start(&self, place: &mut Place) {
        let address = place.network.address();
        let machine = place.machine.environment();
        let machine = machine.each_ref().map(|(name, path)| (*name, path.to_str().unwrap()));
        let mut environment = vec![
            ("SCENE_LLM_CLUSTER_ADDRESS", &*address),
            ("SCENE_LLM_WORKER_TOKEN", renders::WORKER_TOKEN),
        ];
        environment.extend(machine);
        let (program, url, model) = (Path::new(PROGRAM), Some(&*self.database), Some(&*self.model));
        let server =
            ServerProcess::start_with(program, &self.directory, url, model, &environment).await;
        place.network.leads_to(&server);
        place.server = Some(server);
    }
}

impl Place {
    pub(super) async fn new() -> Self {
        Self { network: Network::new().await, machine: Machine::new(), server: None }
    }

    pub(super) fn server(&self) -> &ServerProcess {
        self.server.as_ref().unwrap()
    }

    pub(super) fn url(&self, path: &str) -> String {
        self.network.url() + path
    }

    /// A number of its metrics.
    pub(super) async fn metric(&self, name: &str) -> u64 {
        let server = self.server();
        let metrics = server.http().get(server.url("/metrics")).send().await.unwrap();
        let metrics = metrics.text().await.unwrap();
        let named = format!("scene_llm_{name} ");
        let number = metrics.lines().find_map(|line| line.strip_prefix(&named));
        number.unwrap_or_else(|| panic!("there is no {name} in {metrics}")).parse().unwrap()
    }
}
