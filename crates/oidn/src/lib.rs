//! Intel's Open Image Denoise, loaded at run time when its library is there.
//!
//! Nothing needs it: without the library [`Oidn::load`] says where it has looked. Version 2 of the
//! C interface.

mod library;
mod pictures;

use library::Library;
pub use pictures::Pictures;

/// The environment variable that names the library's file.
pub const LIBRARY_VARIABLE: &str = "OIDN_LIBRARY";

/// Names the library goes by where it is installed.
const USUAL_NAMES: [&str; 5] = [
    "libOpenImageDenoise.so.2",
    "libOpenImageDenoise.so",
    "libOpenImageDenoise.2.dylib",
    "libOpenImageDenoise.dylib",
    "OpenImageDenoise.dll",
];

/// Why there is no denoised picture.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OidnError {
    /// The library cannot be loaded.
    #[error(
        "Open Image Denoise is not there: {reason}; install it, or name its library in {LIBRARY_VARIABLE}"
    )]
    Absent {
        /// What was tried first and how it went.
        reason: String,
    },
    /// The library has refused.
    #[error("Open Image Denoise has failed: {0}")]
    Failed(String),
    /// The pictures are not of one size.
    #[error("the pictures to denoise must all have {expected} numbers, one has {got}")]
    Size {
        /// Three a pixel.
        expected: usize,
        /// What there is.
        got: usize,
    },
}

/// The loaded library.
#[derive(Debug)]
pub struct Oidn {
    library: Library,
}

impl Oidn {
    /// Loads the library that `OIDN_LIBRARY` names, or else one of the usual names.
    pub fn load() -> Result<Self, OidnError> {
        let named = std::env::var_os(LIBRARY_VARIABLE).filter(|name| !name.is_empty());
        let names = match named {
            Some(name) => vec![name],
            None => USUAL_NAMES.map(Into::into).to_vec(),
        };
        let mut reasons = Vec::with_capacity(names.len());
        for name in &names {
            match Library::open(name) {
                Ok(library) => return Ok(Self { library }),
                Err(error) => reasons.push(error),
            }
        }
        // The other names fail likewise; the first is the one to expect.
        let reason = reasons.into_iter().next().unwrap_or_default();
        Err(OidnError::Absent { reason })
    }

    /// The picture without its noise, in the same form. Computes on `threads` threads of the
    /// library's own; 0 takes one for each core.
    pub fn denoise(&self, pictures: &Pictures<'_>, threads: usize) -> Result<Vec<f32>, OidnError> {
        let expected = 3 * pictures.width * pictures.height;
        for picture in [pictures.color, pictures.albedo, pictures.normal] {
            if picture.len() != expected {
                return Err(OidnError::Size { expected, got: picture.len() });
            }
        }
        let mut output = vec![0.0; expected];
        if expected > 0 {
            self.library.denoise(pictures, &mut output, threads).map_err(OidnError::Failed)?;
        }
        Ok(output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_library_is_refused_with_its_name() {
        let error = Library::open("/no/such/libOpenImageDenoise.so".as_ref()).unwrap_err();
        assert!(error.contains("/no/such/libOpenImageDenoise.so"), "{error}");
    }
}
