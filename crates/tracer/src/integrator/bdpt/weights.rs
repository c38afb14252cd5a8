//! MIS weights of bidirectional strategies.
//!
//! For a path that is joined between two points, the weight is 1 / (1 + L + C): L sums, over the
//! strategies that find fewer points from the light, the squared ratio of their density to that of
//! the strategy in hand, C does so for those that find more. Each side is carried along its path in
//! two numbers, so that a weight costs the same at any length. Van Antwerpen 2011, "Recursive MIS
//! Computation for Streaming BDPT on the GPU"; Georgiev 2012, "Implementing Vertex Connection and
//! Merging". The numbers are squared densities: double precision holds those of any scene.

/// The square of a ratio of densities, for the power heuristic with exponent 2.
#[inline]
pub(super) fn power(ratio: f32) -> f64 {
    let ratio = f64::from(ratio);
    ratio * ratio
}

/// Sums over the strategies that find fewer points of a path from its own end.
///
/// In the terms of Georgiev: `next` is dVCM, `before` is dVC. Both lack the densities that depend
/// on where the path goes on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums {
    /// For the strategy that finds all points but the last from this end.
    pub(super) next: f64,
    /// For all strategies that find still fewer.
    pub(super) before: f64,
}

impl Sums {
    /// After the way to a point `distance` away that is met at `cos` to its normal.
    #[inline]
    pub(super) fn arriving(self, distance: f32, cos: f32) -> Self {
        let squared = power(distance);
        Self { next: self.next * squared * squared, before: self.before }.turned(cos)
    }

    /// From densities per steradian to densities per area, without the distance.
    #[inline]
    pub(super) fn turned(self, cos: f32) -> Self {
        let cos = power(cos);
        Self { next: self.next / cos, before: self.before / cos }
    }

    /// The sum over all strategies that find fewer points from this end, when the other side finds
    /// the last point with density `pdf` per area and the one before it with `reverse_pdf` per
    /// steradian.
    #[inline]
    pub(super) fn total(self, pdf: f32, reverse_pdf: f32) -> f64 {
        power(pdf) * (self.next + self.before * power(reverse_pdf))
    }

    /// After a bounce into a direction of density `pdf` at `cos` to the normal; `reverse_pdf` is
    /// that of the same bounce backwards.
    #[inline]
    pub(super) fn scattered(self, cos: f32, pdf: f32, reverse_pdf: f32) -> Self {
        Self {
            next: power(1.0 / pdf),
            before: power(cos / pdf) * (self.before * power(reverse_pdf) + self.next),
        }
    }

    /// After a mirror or glass, met at `cos`: there are no strategies that join paths there. The
    /// ratio of the densities of both ways is that of the squared refractive indices.
    #[inline]
    pub(super) fn mirrored(self, cos: f32, eta_squared: f32) -> Self {
        Self { next: 0.0, before: self.before * power(cos / eta_squared) }
    }
}
