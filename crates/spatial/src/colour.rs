//! Colours by name, as a user would name them.

use scene::Material;

use crate::args::choice;

choice! {
    /// What a surface looks like.
    pub enum Colour {
        /// Light, without a hue.
        White = "white",
        /// Between.
        Grey = "grey",
        /// Dark.
        Black = "black",
        /// Hue about 0 degrees.
        Red = "red",
        /// About 30, and not dark.
        Orange = "orange",
        /// About 30, dark.
        Brown = "brown",
        /// About 60.
        Yellow = "yellow",
        /// About 120.
        Green = "green",
        /// About 180.
        Cyan = "cyan",
        /// About 230.
        Blue = "blue",
        /// About 280.
        Purple = "purple",
        /// About 330, or a light red.
        Pink = "pink",
        /// Glass.
        Clear = "clear",
    }
}

impl Colour {
    /// The name that fits a material best.
    pub fn of(material: &Material) -> Self {
        match material.main_part() {
            clear if clear.is_clear() => Self::Clear,
            Material::Lambertian(matte) => Self::of_linear(matte.albedo.typical().get()),
            Material::Metal(metal) => Self::of_linear(metal.albedo.typical().get()),
            Material::Emissive(glow) => {
                let emission = glow.emission.typical().get();
                let most = emission.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
                Self::of_linear(emission.map(|channel| channel / most))
            }
            Material::Principled(principled) => {
                Self::of_linear(principled.base_color.typical().get())
            }
            // A preset and a mix stand for one of the others.
            Material::Dielectric(_) | Material::Mix(_) | Material::Preset(_) => Self::Clear,
        }
    }

    /// The name of a reflectance in linear sRGB, by hue, saturation and value of its display form.
    pub fn of_linear(albedo: [f64; 3]) -> Self {
        let [red, green, blue] = albedo.map(display);
        let (value, least) = (red.max(green).max(blue), red.min(green).min(blue));
        let chroma = value - least;
        if value < 0.16 {
            return Self::Black;
        }
        if chroma < 0.12 * value.max(0.4) {
            return if value > 0.88 { Self::White } else { Self::Grey };
        }
        let sixth = match value {
            _ if value == red => (green - blue) / chroma,
            _ if value == green => 2.0 + (blue - red) / chroma,
            _ => 4.0 + (red - green) / chroma,
        };
        let hue = (60.0 * sixth).rem_euclid(360.0);
        let is_pale = chroma / value < 0.5 && value > 0.8;
        match hue {
            hue if !(15.0..345.0).contains(&hue) && is_pale => Self::Pink,
            hue if !(15.0..345.0).contains(&hue) => Self::Red,
            hue if hue < 45.0 && value < 0.72 => Self::Brown,
            hue if hue < 45.0 => Self::Orange,
            hue if hue < 70.0 => Self::Yellow,
            hue if hue < 165.0 => Self::Green,
            hue if hue < 195.0 => Self::Cyan,
            hue if hue < 258.0 => Self::Blue,
            hue if hue < 300.0 => Self::Purple,
            _ => Self::Pink,
        }
    }
}

/// Linear to display sRGB, both 0 to 1. IEC 61966-2-1.
fn display(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_called_what_people_call_them() {
        for (albedo, name) in [
            ([0.8, 0.1, 0.1], "red"),
            ([0.9, 0.9, 0.9], "white"),
            ([0.5, 0.5, 0.5], "grey"),
            ([0.01, 0.01, 0.01], "black"),
            ([0.1, 0.6, 0.1], "green"),
            ([0.1, 0.2, 0.8], "blue"),
            ([0.9, 0.8, 0.1], "yellow"),
            ([0.9, 0.4, 0.05], "orange"),
            ([0.25, 0.1, 0.03], "brown"),
            ([0.3, 0.05, 0.6], "purple"),
            ([0.9, 0.4, 0.5], "pink"),
            ([0.1, 0.7, 0.7], "cyan"),
        ] {
            assert_eq!(Colour::of_linear(albedo).name(), name, "{albedo:?}");
        }
    }
}
