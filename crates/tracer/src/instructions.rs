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
    /// SSE4.2, or the baseline where the processor has no such instructions.
    Sse42,
    /// AVX2 and fused multiply-add, or the baseline.
    Avx2,
    /// AVX-512 as of Ice Lake, or the baseline.
    Avx512,
}

impl InstructionSet {
    /// All that this processor has, the baseline first.
    pub fn available() -> Vec<Self> {
        let mut all = vec![Self::Baseline];
        #[cfg(target_arch = "x86_64")]
        {
            let best = Level::new();
            all.extend(best.as_sse4_2().map(|_| Self::Sse42));
            all.extend(best.as_avx2().map(|_| Self::Avx2));
            all.extend(best.as_avx512().map(|_| Self::Avx512));
        }
        all
    }

    pub(crate) fn level(self) -> Level {
        match self {
            Self::Best => Level::new(),
            Self::Baseline => Level::baseline(),
            Self::Sse42 | Self::Avx2 | Self::Avx512 => self.forced().unwrap_or(Level::baseline()),
        }
    }

    /// A set of x86-64, if this processor has it.
    #[cfg(target_arch = "x86_64")]
    fn forced(self) -> Option<Level> {
        let best = Level::new();
        match self {
            Self::Best | Self::Baseline => None,
            Self::Sse42 => best.as_sse4_2().map(Level::Sse4_2),
            Self::Avx2 => best.as_avx2().map(Level::Avx2),
            Self::Avx512 => best.as_avx512().map(Level::Avx512),
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn forced(self) -> Option<Level> {
        None
    }
}
