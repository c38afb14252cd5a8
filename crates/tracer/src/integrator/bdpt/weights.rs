//! MIS weights of bidirectional strategies.
//!
//! The weight of a path that is connected between two vertices is 1 / (1 + L + C): L sums the
//! squared ratios of the pdfs of the strategies with fewer light vertices to that of the current
//! one, C those with more. Each subpath carries its sum in two numbers, so that a weight costs the
//! same for any length. Van Antwerpen 2011, "Recursive MIS Computation for Streaming BDPT on the
//! GPU"; Georgiev 2012, "Implementing Vertex Connection and Merging". The numbers are squared
//! densities, which double precision can represent for any scene.

/// The squared ratio of densities, for the power heuristic with exponent 2.
#[inline]
pub(super) fn power(ratio: f32) -> f64 {
    let ratio = f64::from(ratio);
    ratio * ratio
}

/// Partial sums over the strategies that sample fewer vertices of a path from its own end.
///
/// In Georgiev's terms, `next` is dVCM and `before` is dVC. Both lack the pdfs that depend on the
/// continuation of the path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums {
    /// For the strategy that samples all vertices but the last from this end.
    pub(super) next: f64,
    /// For all strategies that sample even fewer.
    pub(super) before: f64,
}

impl Sums {
    /// After an edge of length `distance` to a vertex with the cosine `cos`.
    #[inline]
    pub(super) fn arriving(self, distance: f32, cos: f32) -> Self {
        let squared = power(distance);
        Self { next: self.next * squared * squared, before: self.before }.turned(cos)
    }

    /// Converts pdfs per steradian to pdfs per area, without the distance.
    #[inline]
    pub(super) fn turned(self, cos: f32) -> Self {
        let cos = power(cos);
        Self { next: self.next / cos, before: self.before / cos }
    }

    /// The sum over all strategies that sample fewer vertices from this end, where the other side
    /// samples the last vertex with `pdf` per area and the one before it with `reverse_pdf` per
    /// steradian.
    #[inline]
    pub(super) fn total(self, pdf: f32, reverse_pdf: f32) -> f64 {
        power(pdf) * (self.next + self.before * power(reverse_pdf))
    }

    /// After scattering into a direction with `pdf` and the cosine `cos`; `reverse_pdf` is the pdf
    /// of the reverse direction.
    #[inline]
    pub(super) fn scattered(self, cos: f32, pdf: f32, reverse_pdf: f32) -> Self {
        Self {
            next: power(1.0 / pdf),
            before: power(cos / pdf) * (self.before * power(reverse_pdf) + self.next),
        }
    }

    /// After specular scattering at the cosine `cos`, where no strategy can connect. The ratio of
    /// both pdfs is the squared ratio of the refractive indices.
    #[inline]
    pub(super) fn mirrored(self, cos: f32, eta_squared: f32) -> Self {
        Self { next: 0.0, before: self.before * power(cos / eta_squared) }
    }
}
