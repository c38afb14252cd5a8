//! What a complaint asks for.

use crate::frames::{Dimension, Quality};

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
