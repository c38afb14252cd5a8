//! The choice of instruction sets.

use fearless_simd::Level;

/// The instruction set for intersections. Images differ only by rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InstructionSet {
    /// The best one of this processor, up to AVX-512; detected once.
    #[default]
    Best,
    /// The baseline of the architecture: SSE2 on x86-64, NEON on 64-bit ARM.
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
