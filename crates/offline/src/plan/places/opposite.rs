//! The last step in the other direction: "no, the other way", "wrong direction".

use crate::language::{Arrangement, CameraMove, Change, Clause, Comparison, Intent, Shift, Target};
use crate::plan::acts::again::intents;

/// What the clause did to these, the other way; none where it went no way.
pub(in crate::plan) fn opposite(clause: &Clause, touched: &Target) -> Option<Vec<Intent>> {
    intents(clause)
        .iter()
        .map(|intent| match intent {
            Intent::Change { changes, .. } => {
                let changes = changes.iter().map(turned).collect::<Option<Vec<_>>>()?;
                Some(Intent::Change { target: touched.clone(), changes })
            }
            Intent::Arrange { target, how } => {
                let how = match how {
                    Arrangement::Spread(factor) => Arrangement::Spread(1.0 / factor.max(1e-3)),
                    Arrangement::Sorted { largest_first } => {
                        Arrangement::Sorted { largest_first: !largest_first }
                    }
                    _ => return None,
                };
                Some(Intent::Arrange { target: target.clone(), how })
            }
            Intent::Camera(movement) => seen_from_there(movement).map(Intent::Camera),
            Intent::Expose(factor) => Some(Intent::Expose(1.0 / factor.max(1e-3))),
            _ => None,
        })
        .collect()
}

fn turned(change: &Change) -> Option<Change> {
    Some(match change {
        Change::Shift(shift) => Change::Shift(Shift { way: shift.way.opposite(), ..*shift }),
        Change::Rotate(angle) => {
            let mut angle = *angle;
            angle.degrees = -angle.degrees;
            Change::Rotate(angle)
        }
        Change::Compare { comparison, degree, factor } => Change::Compare {
            comparison: other_end(*comparison)?,
            degree: *degree,
            factor: factor.map(|factor| 1.0 / factor.max(1e-3)),
        },
        _ => return None,
    })
}

fn seen_from_there(movement: &CameraMove) -> Option<CameraMove> {
    Some(match movement {
        CameraMove::Distance(factor) => CameraMove::Distance(1.0 / factor.max(1e-3)),
        CameraMove::Orbit(degrees) => CameraMove::Orbit(-degrees),
        CameraMove::Shift(shift) => {
            CameraMove::Shift(Shift { way: shift.way.opposite(), ..*shift })
        }
        CameraMove::Tilt(way, degrees) => CameraMove::Tilt(way.opposite(), *degrees),
        CameraMove::From(way, of) => CameraMove::From(-way.with_y(-way.y), of.clone()),
        _ => return None,
    })
}

fn other_end(comparison: Comparison) -> Option<Comparison> {
    use Comparison::{
        Bigger, Brighter, Closer, Cooler, Darker, Duller, Farther, Flatter, Higher, Lower,
        Narrower, Shinier, Shorter, Smaller, Taller, Warmer, Wider,
    };
    Some(match comparison {
        Bigger => Smaller,
        Smaller => Bigger,
        Taller => Shorter,
        Shorter | Flatter => Taller,
        Wider => Narrower,
        Narrower => Wider,
        Higher => Lower,
        Lower => Higher,
        Brighter => Darker,
        Darker => Brighter,
        Warmer => Cooler,
        Cooler => Warmer,
        Closer => Farther,
        Farther => Closer,
        Shinier => Duller,
        Duller => Shinier,
        _ => return None,
    })
}
