//! Pseudo-random numbers that depend on the seed alone.

/// A pseudo-random number generator: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The generator of one part. It depends on the part's name only, so that a change elsewhere in a
    /// file does not change what this part draws.
    pub(crate) fn branch(&self, name: &str, index: usize) -> Self {
        // FNV-1a: short, and the same on every machine.
        let hash =
            name.bytes().chain(index.to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        let mut branch = Self(self.0 ^ hash);
        branch.next();
        branch
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Uniform in `low..high`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        // 53 bits are all that a double holds.
        low + (high - low) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// One of `items`; `None` if there are none.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let index = self.between(0.0, items.len() as f64) as usize;
        items.get(index.min(items.len().saturating_sub(1)))
    }
}
