//! The progress of a preview, which is carried from pass to pass.

use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::OwnedSemaphorePermit;
use tracer::{
    Film, LinearImage, PassOutcome, RenderSettings, World, denoise_noisy_parts, render_pass,
};

use crate::error::RenderError;
use crate::films::RetainedFilm;
use crate::passes::next_pass;
use crate::picture::Display;
use crate::schedule::Turn;
use crate::view::{FIRST_PIXELS, pixels};
use crate::workers::Posted;

use super::frame::PREVIEW_FORMAT;
use super::sharing::Sharing;

/// What has more noise is denoised. With less, the denoiser would cost more detail than it removes noise.
const QUIET: f32 = 0.03;
/// Samples per pixel after which a preview frees its film for a waiting one; doubled each time it
/// restarts. A large one has fewer, so that others wait no longer for it.
const FIRST_GOAL: u32 = 32;
const MIN_GOAL: u32 = 4;

/// The progress of a preview.
pub(super) struct Progress {
    pub(super) revision: u64,
    pub(super) world: World,
    pub(super) settings: RenderSettings,
    /// The size of the film: that of the view, or a smaller one for the first pass of a large view.
    pub(super) size: [u32; 2],
    /// How its frames are shown.
    display: Display,
    /// The time the revision was seen.
    pub(super) started: Instant,
    /// Created in the first turn, and again if it could not be retained.
    film: Option<Film>,
    sharing: Sharing,
    /// The current pass, if it is shared with workers; then it has the film.
    posted: Option<Posted>,
    /// The reserved room; `None` until the film is retained.
    room: Option<OwnedSemaphorePermit>,
    /// The number of the newest frame; 0 for the draft.
    pub(super) pass: u32,
    /// Samples per pixel of the newest frame of the film's size; those of the film may be fewer.
    pub(super) shown: u32,
    /// Samples per pixel at the end, by the pace until now; what restarts keeps it.
    pub(super) target: u32,
    /// Samples per pixel of the film.
    samples: u32,
    /// Samples per pixel after the current pass; equal to `samples` between passes.
    aim: u32,
    /// Time spent in passes of the film.
    computing: Duration,
    /// Samples per pixel after which the film is freed for waiting previews.
    goal: u32,
    /// Whether the first pass lost its film once: then it runs without a pause.
    hurried: bool,
}

/// A picture to show.
pub(super) struct Shown {
    pub(super) size: [u32; 2],
    pub(super) image: Bytes,
    pub(super) noise: f64,
}

impl Progress {
    pub(super) fn new(
        revision: u64,
        world: World,
        sharing: Sharing,
        settings: RenderSettings,
        size: [u32; 2],
        display: Display,
        started: Instant,
    ) -> Self {
        Self {
            revision,
            world,
            settings,
            size,
            display,
            started,
            film: None,
            sharing,
            posted: None,
            room: None,
            pass: 0,
            shown: 0,
            target: 1,
            samples: 0,
            aim: 0,
            computing: Duration::ZERO,
            goal: first_goal(size),
            hurried: false,
        }
    }

    pub(super) fn pixels(&self) -> u64 {
        pixels(self.size)
    }

    /// The seconds per sample of each pixel.
    pub(super) fn pace(&self) -> f64 {
        self.computing.as_secs_f64() / f64::from(self.samples.max(1))
    }

    /// Whether it has to restart and has no room for it yet.
    pub(super) fn lacks_room(&self) -> bool {
        !self.has_film() && self.room.is_none() && self.pass > 0
    }

    /// Whether there is a film without reserved room.
    pub(super) fn wants_room(&self) -> bool {
        self.has_film() && self.room.is_none()
    }

    fn has_film(&self) -> bool {
        self.film.is_some() || self.posted.is_some()
    }

    /// Goes on with a film of the view's size, once it was smaller.
    pub(super) fn grow(&mut self, size: [u32; 2]) {
        if self.size != size {
            self.size = size;
            self.shown = 0;
            self.free_film();
            self.goal = first_goal(size);
        }
    }

    /// Gives it room for its film.
    pub(super) fn give_room(&mut self, room: Option<OwnedSemaphorePermit>) {
        self.room = room;
    }

    /// Whether it should free its film if others wait for room.
    pub(super) fn is_at_its_goal(&self) -> bool {
        self.room.is_some() && self.samples >= self.goal
    }

    /// Frees the film; the shown picture stays.
    pub(super) fn free_film(&mut self) {
        (self.film, self.posted, self.room) = (None, None, None);
        self.hurried = self.pass == 0;
        if self.samples >= self.goal {
            self.goal = self.samples.saturating_mul(2);
        }
        (self.samples, self.aim, self.computing) = (0, 0, Duration::ZERO);
    }

    /// Takes the film, if it has room.
    pub(super) fn take_film(&mut self) -> Option<RetainedFilm> {
        // A pass in the middle goes on from there, as after a cancel.
        let shared = self.posted.take().map(|posted| posted.board().take().0);
        let film = shared.or_else(|| self.film.take())?;
        self.room.take().map(|room| RetainedFilm { film, room })
    }

    /// Puts a taken film back; without one, the preview restarts.
    pub(super) fn put_film(&mut self, kept: Option<RetainedFilm>) {
        match kept {
            Some(RetainedFilm { film, room }) => (self.film, self.room) = (Some(film), Some(room)),
            None => self.free_film(),
        }
    }

    /// Continues a pass to at most its target. Returns the picture if the pass is complete and has more samples
    /// than shown before.
    pub(super) fn go_on(&mut self, turn: &Turn) -> Result<Option<Shown>, RenderError> {
        let begun = Instant::now();
        if self.aim <= self.samples {
            let more = next_pass(self.samples, self.target, self.pace(), f64::INFINITY);
            self.aim = self.samples + more;
            self.share();
        }
        let hurried = self.hurried && self.pass == 0;
        let stop = || if hurried { turn.is_cancelled() } else { turn.should_end() };
        let [width, height] = self.size;
        let is_complete = match &self.posted {
            Some(posted) => posted.board().work(&self.world, &stop),
            None => {
                let film = self.film.get_or_insert_with(|| Film::with_features(width, height));
                let outcome = render_pass(&self.world, &self.settings, film, self.aim, &stop);
                outcome != PassOutcome::Cancelled
            }
        };
        self.computing += begun.elapsed();
        if !is_complete {
            return if turn.is_cancelled() { Err(RenderError::Cancelled) } else { Ok(None) };
        }
        if let Some(posted) = self.posted.take() {
            self.film = Some(posted.board().take().0);
        }
        let film = self.film.as_ref().ok_or(RenderError::Internal)?;
        self.samples = self.aim;
        if self.samples <= self.shown {
            return Ok(None);
        }
        let shown = picture(film, self.display, turn)?;
        self.shown = self.samples;
        self.pass += 1;
        Ok(Some(shown))
    }
}

impl Progress {
    /// Shares the next pass with workers, if there are any and it takes long.
    fn share(&mut self) {
        let Some(film) = self.film.take() else { return };
        let seconds = f64::from(self.aim - self.samples) * self.pace();
        match self.sharing.post(&self.settings, film, self.aim, seconds) {
            Ok(posted) => self.posted = Some(posted),
            Err(film) => self.film = Some(film),
        }
    }
}

/// As many camera samples as of a picture of [`FIRST_PIXELS`].
fn first_goal(size: [u32; 2]) -> u32 {
    let share = u64::from(FIRST_GOAL) * FIRST_PIXELS / pixels(size).max(1);
    u32::try_from(share).unwrap_or(FIRST_GOAL).clamp(MIN_GOAL, FIRST_GOAL)
}

/// The picture to show. Long steps stop when the turn is cancelled.
fn picture(film: &Film, display: Display, turn: &Turn) -> Result<Shown, RenderError> {
    let check = || if turn.is_cancelled() { Err(RenderError::Cancelled) } else { Ok(()) };
    check()?;
    let noise = film.noise().map_or(1.0, f64::from);
    check()?;
    let cancelled = || turn.is_cancelled();
    let denoised = denoise_noisy_parts(film, QUIET, &cancelled);
    check()?;
    let image = denoised.unwrap_or_else(|| film.linear());
    check()?;
    let size = [film.width(), film.height()];
    Ok(Shown { size, image: encode(&image, display)?, noise })
}

/// A frame as it is sent.
pub(super) fn encode(image: &LinearImage, display: Display) -> Result<Bytes, RenderError> {
    Ok(Bytes::from(PREVIEW_FORMAT.encode(image, display)?))
}
