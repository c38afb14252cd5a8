//! Rendering animations for clients of the renderer.

use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;

use crate::client::RenderClient;
use crate::error::RenderError;
use crate::job::{Job, Rendered};
use crate::picture::Format;
use crate::render::Renderer;

use super::Movie;

/// A frame that is in the file.
#[derive(Debug, Clone)]
pub struct FrameDone {
    /// How many there are now.
    pub done: u32,
    /// How many there will be.
    pub frames: u32,
    /// The picture as JPEG.
    pub jpeg: Vec<u8>,
}

/// An animation as a file. It counts among the files in memory until it is dropped.
#[derive(Debug)]
pub struct MovieFile {
    /// The file.
    pub bytes: Vec<u8>,
    /// Held until the file is sent.
    pub place: OwnedSemaphorePermit,
}

impl Renderer {
    /// Validates the limits of an animation before it is begun.
    pub fn check_movie(&self, movie: &Movie) -> Result<(), RenderError> {
        movie.check_request()
    }

    /// Renders an animation for `client`, frame by frame, each with the priority that any picture of its
    /// size has. `progress` gets each frame. Dropping the future stops the work within a tile.
    pub async fn movie(
        &self,
        client: &RenderClient,
        mut movie: Movie,
        mut progress: impl FnMut(FrameDone) + Send,
    ) -> Result<MovieFile, RenderError> {
        movie.check_request()?;
        let place = self.movie_place()?;
        let accepted = self.accept(client)?;
        let frames = movie.frames();
        let mut encoder = movie.encoder()?;
        let mut integrator = None;
        movie.job.meshes = self.meshes(&movie.job.scene, client).await;
        let movie = Arc::new(movie);
        for frame in 0..frames {
            let of_frame = Arc::clone(&movie);
            let job = self.brief(client, move |_| of_frame.job(frame, integrator)).await?;
            let show = |job: &Job, rendered: Rendered| {
                Ok((rendered.shown(job.display), rendered.statistics.integrator))
            };
            let (picture, chosen) = self.make_accepted(client, job, &accepted, show).await?;
            integrator = Some(chosen);
            let size = [movie.job.width, movie.job.height];
            let encoded = self.brief(client, move |_| {
                encoder.push(&picture).map_err(RenderError::Movie)?;
                Ok::<_, RenderError>((encoder, Format::Jpeg.encode_shown(&picture, size)?))
            });
            let jpeg;
            (encoder, jpeg) = encoded.await??;
            progress(FrameDone { done: frame + 1, frames, jpeg });
        }
        let finished = self.brief(client, move |_| encoder.finish()).await?;
        Ok(MovieFile { bytes: finished.map_err(RenderError::Movie)?, place })
    }
}
