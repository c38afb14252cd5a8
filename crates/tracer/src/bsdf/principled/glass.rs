//! Transmission through the interface of a solid or through a thin wall.

use glam::Vec3A;

use super::fresnel::Border;

/// The transmitting part of a surface.
#[derive(Debug, Clone)]
pub(super) enum Glass {
    /// The interface of a solid.
    Solid(Border),
    /// A thin wall: light is reflected between its near and far interface and leaves on either side
    /// without a change of direction. OpenPBR 1.1, section "Thin-walled mode".
    Wall { near: Border, far: Border },
}

/// Reflectance and transmittance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shares {
    pub(super) reflected: Vec3A,
    pub(super) through: Vec3A,
}

impl Glass {
    /// The glass behind `border`; `bare` is the same interface without a film, which is on the
    /// outside only.
    pub(super) fn new(border: &Border, bare: &Border, thin: bool, outside: bool) -> Self {
        match (thin, outside) {
            (false, _) => Self::Solid(border.clone()),
            (true, true) => Self::Wall { near: border.clone(), far: bare.clone() },
            (true, false) => Self::Wall { near: bare.clone(), far: border.clone() },
        }
    }

    pub(super) fn is_thin(&self) -> bool {
        matches!(self, Self::Wall { .. })
    }

    /// The refractive index behind the interface over that before it.
    pub(super) fn bend(&self) -> f32 {
        match self {
            Self::Solid(border) => border.eta,
            Self::Wall { .. } => 1.0,
        }
    }

    /// The numbers that the shares depend on.
    pub(super) fn signature(&self) -> Vec<u32> {
        match self {
            Self::Solid(border) => border.signature(),
            Self::Wall { near, far } => {
                [near.signature(), far.signature(), vec![u32::MAX]].concat()
            }
        }
    }

    /// The shares for light at `cos`. `tint` is the transmitted colour of white light through the
    /// interface of a solid, or through a wall at normal incidence.
    pub(super) fn shares(&self, cos: f32, tint: Vec3A) -> Shares {
        match self {
            Self::Solid(border) => {
                let reflected = border.at(cos).0;
                Shares { reflected, through: (Vec3A::ONE - reflected) * tint }
            }
            Self::Wall { near, far } => {
                let ((near, inside), (far, _)) = (near.at(cos), far.at(cos));
                // The path through the wall is longer at oblique angles.
                let left = if tint == Vec3A::ONE { tint } else { tint.powf(1.0 / inside) };
                // At grazing angles both interfaces reflect everything.
                let again = (Vec3A::ONE - left * left * near * far).max(Vec3A::splat(1e-6)).recip();
                let entering = Vec3A::ONE - near;
                Shares {
                    reflected: near + entering * entering * left * left * far * again,
                    through: entering * (Vec3A::ONE - far) * left * again,
                }
            }
        }
    }

    /// The direction of light from `wo` transmitted by a facet; `None` for total internal
    /// reflection.
    pub(super) fn through(&self, wo: Vec3A, facet: Vec3A) -> Option<Vec3A> {
        let cos = wo.dot(facet);
        let through = match self {
            Self::Solid(border) => {
                let behind = border.at(cos).1;
                if behind <= 0.0 {
                    return None;
                }
                facet * (cos / border.eta - behind) - wo / border.eta
            }
            // The reflected direction, mirrored at the wall, so that rough walls blur transmission
            // and reflection alike.
            Self::Wall { .. } => (2.0 * cos * facet - wo) * Vec3A::new(1.0, 1.0, -1.0),
        };
        (through.z < 0.0).then_some(through)
    }

    /// The facet that transmits light from `wi`, on the other side, to `wo`, with the Jacobian of
    /// directions over facet normals; `None` if there is none.
    pub(super) fn facet_between(&self, wo: Vec3A, wi: Vec3A) -> Option<(Vec3A, f32)> {
        match self {
            Self::Solid(border) => {
                let eta = border.eta;
                let facet = (wi * eta + wo).try_normalize()?;
                let facet = if facet.z < 0.0 { -facet } else { facet };
                let (cos, cos_behind) = (wo.dot(facet), -wi.dot(facet));
                let spread = eta * cos_behind - cos;
                (cos > 0.0 && cos_behind > 0.0)
                    .then_some((facet, cos_behind * eta * eta / (spread * spread)))
            }
            Self::Wall { .. } => {
                let facet = (wo + wi * Vec3A::new(1.0, 1.0, -1.0)).try_normalize()?;
                let cos = wo.dot(facet);
                (cos > 0.0).then_some((facet, 0.25 / cos))
            }
        }
    }

    /// The cosine on the outer side of light that meets a smooth interface at `cos` from inside.
    pub(super) fn outer_cosine(&self, cos: f32) -> f32 {
        match self {
            Self::Solid(border) => border.at(cos).1,
            Self::Wall { .. } => cos,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bsdf::principled::film::Film;

    fn wall(outside: bool, film: Option<Film>) -> Glass {
        let bare = Border::new(1.5, 1.0, None);
        Glass::new(&Border::new(1.5, 1.0, film), &bare, true, outside)
    }

    #[test]
    fn a_wall_sums_all_reflections_between_its_borders() {
        for (cos, tint) in [(1.0_f32, 1.0_f32), (0.7, 1.0), (0.4, 0.6), (0.15, 0.3)] {
            let (once, inside) = Border::new(1.5, 1.0, None).at(cos);
            let left = tint.powf(1.0 / inside);
            let (mut reflected, mut through) = (once.x, 0.0);
            // The entering light, and what is left of it after each crossing.
            let mut going = (1.0 - once.x) * left;
            for way in 0..200 {
                let out = going * (1.0 - once.x);
                if way % 2 == 0 {
                    through += out
                } else {
                    reflected += out
                }
                going *= once.x * left;
            }
            let shares = wall(true, None).shares(cos, Vec3A::splat(tint));
            assert!((shares.reflected.x - reflected).abs() < 1e-5, "{cos}: {shares:?} {reflected}");
            assert!((shares.through.x - through).abs() < 1e-5, "{cos}: {shares:?} {through}");
        }
    }

    #[test]
    fn a_clear_wall_takes_nothing_and_lets_as_much_through_either_way() {
        let film = Film { weight: 0.8, thickness: 380.0, ior: 1.33 };
        for film in [None, Some(film)] {
            for cos in [1.0, 0.6, 0.2, 0.02, 1e-4, 1e-8, 0.0] {
                let [here, there] =
                    [true, false].map(|outside| wall(outside, film).shares(cos, Vec3A::ONE));
                for shares in [here, there] {
                    let sum = shares.reflected + shares.through;
                    assert!((sum - 1.0).abs().max_element() < 1e-5, "{cos}: {sum}");
                }
                assert!((here.through - there.through).abs().max_element() < 1e-5);
            }
        }
    }
}
