//! Flags of `serve` for what all clients share.

use clap::Args;
use server::{RenderLimits, SharedLimits};

const MIB: u64 = 1 << 20;

/// Limits that all clients share; the defaults are those of [`SharedLimits`].
#[derive(Debug, Args)]
pub(super) struct LimitArguments {
    /// The most sessions in memory.
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u32).range(4..=1_000_000))]
    max_sessions: u32,
    /// The most megabytes of all sessions in memory, by estimate: beyond it unused ones are closed, and then no
    /// more are opened.
    #[arg(long, value_name = "MB", default_value_t = 2_048,
          value_parser = clap::value_parser!(u64).range(16..=1_048_576))]
    max_session_mb: u64,
    /// The most megabytes of requests and messages that are arriving; what is larger than three quarters of it
    /// cannot arrive.
    #[arg(long, value_name = "MB", default_value_t = 512,
          value_parser = clap::value_parser!(u64).range(16..=65_536))]
    max_arriving_mb: u64,
    /// The most megabytes of answers that are cached or on their way to clients.
    #[arg(long, value_name = "MB", default_value_t = 512,
          value_parser = clap::value_parser!(u64).range(16..=65_536))]
    max_answer_mb: u64,
    /// The most exports and imports at the same time: each keeps a core busy.
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    max_jobs: u16,
    /// The most exports and imports that wait.
    #[arg(long, value_name = "N", default_value_t = 16,
          value_parser = clap::value_parser!(u16).range(1..=10_000))]
    max_jobs_waiting: u16,
    /// The most megabytes of memory of exports and imports.
    #[arg(long, value_name = "MB", default_value_t = 1_024,
          value_parser = clap::value_parser!(u64).range(64..=65_536))]
    max_job_mb: u64,
    /// The most megabytes of films of previews between their passes.
    #[arg(long, value_name = "MB", default_value_t = 128,
          value_parser = clap::value_parser!(u64).range(16..=65_536))]
    max_film_mb: u64,
    /// The most pictures on request, rendering or waiting.
    #[arg(long, value_name = "N", default_value_t = 64,
          value_parser = clap::value_parser!(u16).range(8..=10_000))]
    max_pictures: u16,
    /// The most animations in memory, in progress or on their way to a client.
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    max_animations: u16,
}

impl LimitArguments {
    pub(super) fn limits(&self) -> SharedLimits {
        let bytes = |megabytes: u64| usize::try_from(megabytes * MIB).unwrap_or(usize::MAX);
        SharedLimits {
            sessions: self.max_sessions as usize,
            session_bytes: self.max_session_mb * MIB,
            arriving_bytes: bytes(self.max_arriving_mb),
            answer_bytes: self.max_answer_mb * MIB,
            jobs: usize::from(self.max_jobs),
            jobs_waiting: usize::from(self.max_jobs_waiting),
            job_bytes: self.max_job_mb * MIB,
            render: RenderLimits {
                film_bytes: bytes(self.max_film_mb),
                pictures: usize::from(self.max_pictures),
                movies: usize::from(self.max_animations),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, FromArgMatches as _};

    use super::*;

    fn read(line: &[&str]) -> Result<SharedLimits, clap::Error> {
        let command = LimitArguments::augment_args(Command::new("serve"));
        let matches = command.try_get_matches_from([&["serve"], line].concat())?;
        Ok(LimitArguments::from_arg_matches(&matches)?.limits())
    }

    #[test]
    fn limits_are_the_servers_own_unless_said_and_within_their_ranges() {
        assert_eq!(read(&[]).unwrap(), SharedLimits::default());
        let said =
            read(&["--max-sessions", "40", "--max-film-mb", "64", "--max-jobs", "8"]).unwrap();
        assert_eq!((said.sessions, said.render.film_bytes, said.jobs), (40, 64 << 20, 8));
        for (flag, value) in
            [("--max-sessions", "3"), ("--max-jobs", "0"), ("--max-answer-mb", "1")]
        {
            let refused = read(&[flag, value]).unwrap_err().to_string();
            assert!(refused.contains(flag) && refused.contains("is not in"), "{refused}");
        }
    }
}
