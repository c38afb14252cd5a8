//! What a complaint asks for.

use crate::frames::{Dimension, Quality};
use crate::looks::rgb_of;

/// "too big" asks for smaller.
pub(crate) fn opposite(quality: &Quality) -> Option<Quality> {
    Some(match quality {
        Quality::Size { dimension, factor } => Quality::Compared {
            dimension: *dimension,
            more: *factor < 1.0,
            amount: None,
            than: None,
        },
        Quality::Tone(tone) => {
            let (dimension, more) = match *tone {
                "dim" | "dark" => (Dimension::Brightness, true),
                "bright" | "light" => (Dimension::Brightness, false),
                "warm" => (Dimension::Warmth, false),
                "cool" => (Dimension::Warmth, true),
                "hard" => (Dimension::Softness, true),
                _ => (Dimension::Softness, false),
            };
            Quality::Compared { dimension, more, amount: None, than: None }
        }
        Quality::Material { name, .. } if name == "shiny" => {
            Quality::Compared { dimension: Dimension::Shine, more: false, amount: None, than: None }
        }
        Quality::Scaled { dimension, factor, than } if *factor > 0.0 => {
            Quality::Scaled { dimension: *dimension, factor: 1.0 / factor, than: than.clone() }
        }
        // "too white" asks for darker, "too red" for less of it.
        Quality::Colour(word) => {
            let rgb = rgb_of(word)?;
            let is_grey = rgb.max_element() - rgb.min_element() < 0.05;
            let (dimension, more) = match is_grey {
                true => (Dimension::Lightness, rgb.max_element() < 0.5),
                false => (Dimension::Saturation, false),
            };
            Quality::Compared { dimension, more, amount: None, than: None }
        }
        Quality::Mood(name) => {
            let more = name == "dark";
            Quality::Compared { dimension: Dimension::Brightness, more, amount: None, than: None }
        }
        Quality::Compared { dimension, more, amount, than } => Quality::Compared {
            dimension: *dimension,
            more: !more,
            amount: *amount,
            than: than.clone(),
        },
        _ => return None,
    })
}
