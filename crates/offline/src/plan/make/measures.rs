//! What measures make of an object: as a whole, or stretched along one side.

use catalogue::{Object, catalogue};

use crate::frames::{Amount, Dimension, Quality};

use crate::plan::planner::{Done, Planner};

/// How much longer or shorter than usual something gets before it grows in height, too.
const STRETCHED: std::ops::RangeInclusive<f64> = 0.35..=4.0;
/// What is that much longer than wide is a fence or the like.
const SLENDER: f64 = 6.0;

impl Planner<'_> {
    /// Gives an object the measures that its height alone does not give it.
    pub(super) fn take_measures(
        &mut self,
        object: &Object,
        id: &str,
        qualities: &[Quality],
    ) -> Done {
        let ids = [id.to_owned()];
        let edges = qualities.iter().find_map(|quality| match quality {
            Quality::Measures(edges) => Some(*edges),
            _ => None,
        });
        if let Some([x, y, z]) = edges {
            let sides = [(Dimension::Width, x), (Dimension::Height, y), (Dimension::Depth, z)];
            for (dimension, metres) in sides.into_iter().filter(|(_, metres)| *metres > 0.0) {
                let amount = Amount::Metres(metres);
                self.resize(&ids, &Quality::Measured { dimension, amount })?;
            }
            return Ok(());
        }
        let is_told = |quality: &&Quality| match quality {
            Quality::Measured { dimension, .. } => {
                is_across(*dimension) || *dimension == Dimension::Height
            }
            _ => false,
        };
        let told: Vec<&Quality> = qualities.iter().filter(is_told).collect();
        let is_several = told.len() > 1;
        for quality in qualities {
            let is_own = match quality {
                Quality::Measured { .. } if is_several => is_told(&quality),
                other => stretch_of(object, other).is_some(),
            };
            if is_own {
                self.resize(&ids, &across_length(object, quality, &told))?;
            }
        }
        Ok(())
    }
}

/// Where a length is told, too, the width is that across it: "180 long by 90 wide".
fn across_length(object: &Object, quality: &Quality, told: &[&Quality]) -> Quality {
    let has = |wanted: Dimension| {
        told.iter().any(|quality| match quality {
            Quality::Measured { dimension, .. } => *dimension == wanted,
            _ => false,
        })
    };
    let [width, _, depth] = object.natural().size;
    match quality {
        Quality::Measured { dimension: Dimension::Width, amount }
            if has(Dimension::Length) && !has(Dimension::Depth) && width >= depth =>
        {
            Quality::Measured { dimension: Dimension::Depth, amount: *amount }
        }
        other => other.clone(),
    }
}

/// Whether a dimension is one on the ground.
fn is_across(dimension: Dimension) -> bool {
    matches!(dimension, Dimension::Width | Dimension::Depth | Dimension::Length)
}

/// By how much something is only longer or wider, not higher: a table, a fence, a road.
fn stretch_of(object: &Object, quality: &Quality) -> Option<f64> {
    let [width, _, depth] = object.natural().size;
    let (long, short) = (width.max(depth), width.min(depth));
    let is_of = |kind: &str| {
        let kind = catalogue().category_named(kind).ok();
        kind.is_some_and(|kind| kind.objects().iter().any(|name| name == object.name()))
    };
    let keeps_height = object.carries().is_some()
        || is_of("furniture")
        || long > SLENDER * short && !is_of("vehicles") && !is_of("animals");
    let factor = match quality {
        Quality::Measured { dimension, amount } if is_across(*dimension) => {
            let own = match dimension {
                Dimension::Length => long,
                Dimension::Depth => depth,
                _ if long > SLENDER * short => short,
                _ => width,
            };
            amount.metres()? / own.max(1e-6)
        }
        Quality::Size { dimension, factor } if is_across(*dimension) => *factor,
        _ => return None,
    };
    (keeps_height && STRETCHED.contains(&factor)).then_some(factor)
}

/// The height that words of size and measures come to; `None` where nothing was said.
pub(super) fn height(object: &Object, qualities: &[Quality]) -> Option<f64> {
    let [width, tall, depth] = object.natural().size;
    let longest = width.max(tall).max(depth);
    let rest = || qualities.iter().filter(|quality| stretch_of(object, quality).is_none());
    let factors = rest().filter_map(|quality| match quality {
        Quality::Size { factor, .. } if *factor != 1.0 => Some(*factor),
        _ => None,
    });
    let said = factors.reduce(|all, factor| all * factor).map(|factor| tall * factor);
    // What is measured counts more than words.
    let mut height = None;
    for quality in rest() {
        match quality {
            Quality::Measured { dimension, amount } => {
                let Some(metres) = amount.metres().filter(|metres| *metres > 0.0) else { continue };
                let own = match dimension {
                    Dimension::Height => tall,
                    Dimension::Width | Dimension::Diameter => width,
                    Dimension::Depth => depth,
                    Dimension::Radius => 0.5 * width,
                    Dimension::Thickness => continue,
                    Dimension::Length => width.max(depth),
                    _ => longest,
                };
                // What is said of the height counts most.
                if height.is_none() || *dimension == Dimension::Height {
                    height = Some(tall * metres / own.max(1e-6));
                }
            }
            Quality::Measures([_, y, _]) if *y > 0.0 => height = Some(*y),
            // Told how long and how wide it is, it is as high as ever, unless it is a toy or a giant.
            Quality::Measures([x, _, z]) => {
                let factor = (x * z / (width * depth).max(1e-9)).sqrt();
                height = (!STRETCHED.contains(&factor)).then_some(tall * factor).or(height);
            }
            _ => {}
        }
    }
    height.or(said).map(|height| height.clamp(1e-3, 5e3))
}
