//! `scene-llm render --animation`.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, anyhow};
use rayon::ThreadPool;
use studio::{Movie, MovieFormat};

/// Where an animation goes, and its format by the ending of that name.
#[derive(Debug, Clone)]
pub(super) struct Output {
    path: PathBuf,
    pub(super) format: MovieFormat,
}

pub(super) fn output(name: &str) -> Result<Output, String> {
    let path = PathBuf::from(name);
    let ending = path.extension().and_then(|ending| ending.to_str());
    match ending.and_then(MovieFormat::from_extension) {
        Some(format) => Ok(Output { path, format }),
        None => {
            let known = MovieFormat::ALL.map(|format| format!(".{}", format.extension()));
            Err(format!("the name must end in {}", known.join(", ")))
        }
    }
}

/// Renders the frames of an animation one after another and writes them as one file.
pub(super) fn write(movie: &Movie, output: &Output, pool: &ThreadPool) -> anyhow::Result<()> {
    let frames = movie.frames();
    let mut encoder = movie.encoder()?;
    let progress = Progress { started: Instant::now(), is_shown: std::io::stderr().is_terminal() };
    let mut integrator = None;
    for frame in 0..frames {
        let pushed = pool.install(|| {
            let job = movie.job(frame, integrator);
            let rendered = job.render(&AtomicBool::new(false), |_, _| ())?;
            integrator = Some(rendered.statistics.integrator);
            encoder.push(&rendered.shown(job.display)).map_err(|error| anyhow!(error))
        });
        pushed?;
        progress.show(frame + 1, frames);
    }
    progress.end();
    let bytes = encoder.finish().map_err(|error| anyhow!(error))?;
    std::fs::write(&output.path, bytes)
        .with_context(|| format!("cannot write '{}'", output.path.display()))
}

/// A line on a terminal that says how far the animation is.
struct Progress {
    started: Instant,
    is_shown: bool,
}

impl Progress {
    fn show(&self, done: u32, frames: u32) {
        if self.is_shown {
            let each = self.started.elapsed().as_secs_f64() / f64::from(done);
            let left = each * f64::from(frames - done);
            eprint!("\rframe {done} of {frames}, {left:.0} s left\x1b[K");
        }
    }

    /// Leaves the line for what comes next.
    fn end(&self) {
        if self.is_shown {
            eprintln!();
        }
    }
}
