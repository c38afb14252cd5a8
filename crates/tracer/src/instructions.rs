//! Which instructions of the processor are used.

use fearless_simd::Level;

/// Which instructions of the processor find what rays meet. The pictures differ by rounding only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InstructionSet {
    /// The best ones this processor has, up to AVX-512; looked for once.
    #[default]
    Best,
    /// Those that every processor of the kind has: SSE2 on x86-64, NEON on 64-bit ARM.
    Baseline,
}

impl InstructionSet {
    pub(crate) fn level(self) -> Level {
        match self {
            Self::Best => Level::new(),
            Self::Baseline => Level::baseline(),
        }
    }
}
