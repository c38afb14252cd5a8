//! The one material for everything else.

use crate::read::properties;
use crate::values::{
    Albedo, Brightness, Emission, FilmThickness, Fraction, Height, LengthOrZero, RefractiveIndex,
};

use crate::asset_name::AssetName;
use crate::document::texture::{NormalMap, Textured};

/// White.
const WHITE: Albedo = Albedo::known([1.0; 3]);
const NONE: Fraction = Fraction::known(0.0);
const ALL: Fraction = Fraction::known(1.0);

properties! {
    /// Layers over a mixture of metal, glass and a matte ground, by the names and meanings of OpenPBR
    /// 1.1: fuzz over a clear coat over the base. What is left out is a grey plastic's.
    pub struct Principled {
        /// Brightness of the ground and of the metal.
        pub base_weight: Textured<Fraction> = Textured::Even(ALL),
        /// Reflectance of the ground, or of the metal seen straight on.
        pub base_color: Textured<Albedo> = Textured::Even(Albedo::known([0.8; 3])),
        /// 0 is a dielectric (plastic, wood, glass), 1 a metal.
        pub base_metalness: Textured<Fraction> = Textured::Even(NONE),
        /// Strength of the reflection of the base.
        pub specular_weight: Textured<Fraction> = Textured::Even(ALL),
        /// Tint of that reflection; of a metal the tint at about 82 degrees.
        pub specular_color: Textured<Albedo> = Textured::Even(WHITE),
        /// 0 is a mirror.
        pub specular_roughness: Textured<Fraction> = Textured::Even(Fraction::known(0.3)),
        /// How much longer highlights are across the grooves of a brushed surface.
        pub specular_roughness_anisotropy: Textured<Fraction> = Textured::Even(NONE),
        /// Refractive index of a dielectric base.
        pub specular_ior: RefractiveIndex = RefractiveIndex::known(1.5),
        /// How much of the light a dielectric lets through instead of scattering it on its ground.
        pub transmission_weight: Textured<Fraction> = Textured::Even(NONE),
        /// Colour of white light after transmission_depth, or, when that is 0, after each surface.
        pub transmission_color: Textured<Albedo> = Textured::Even(WHITE),
        /// In metres.
        pub transmission_depth: LengthOrZero = LengthOrZero::known(0.0),
        /// How much of the surface is under a clear coat.
        pub coat_weight: Textured<Fraction> = Textured::Even(NONE),
        /// Colour that the coat gives what lies under it.
        pub coat_color: Textured<Albedo> = Textured::Even(WHITE),
        /// 0 is a mirror.
        pub coat_roughness: Textured<Fraction> = Textured::Even(NONE),
        /// Refractive index of the coat.
        pub coat_ior: RefractiveIndex = RefractiveIndex::known(1.6),
        /// How much a coat darkens what lies under it, as light goes to and fro below it.
        pub coat_darkening: Fraction = ALL,
        /// How much of the surface is under fibres or dust.
        pub fuzz_weight: Textured<Fraction> = Textured::Even(NONE),
        /// Colour of the fibres.
        pub fuzz_color: Textured<Albedo> = Textured::Even(WHITE),
        /// How ruffled the fibres are: near 0 they shine at rims only.
        pub fuzz_roughness: Textured<Fraction> = Textured::Even(Fraction::known(0.5)),
        /// Emitted radiance is this times emission_color.
        pub emission_luminance: Brightness = Brightness::known(0.0),
        /// Colour of what is emitted.
        pub emission_color: Textured<Albedo> = Textured::Even(WHITE),
        /// How much of the base is under a film as thin as light is long.
        pub thin_film_weight: Textured<Fraction> = Textured::Even(NONE),
        /// In micrometres.
        pub thin_film_thickness: Textured<FilmThickness> = Textured::Even(FilmThickness::known(0.5)),
        /// Refractive index of the film.
        pub thin_film_ior: RefractiveIndex = RefractiveIndex::known(1.4),
        /// The share of the surface that is there at all.
        pub geometry_opacity: Textured<Fraction> = Textured::Even(ALL),
        /// Whether the surface is a whole pane or bubble by itself: what it lets through goes straight on.
        pub geometry_thin_walled: bool = false,
        /// Relief that shading follows, outlines do not: its height over the surface, up to 10 m.
        pub bump: Textured<Height> = super::flat::FLAT,
        /// An image of normals that shading follows.
        pub normal_map: Option<NormalMap> = None,
    }
    check(self, reader) {
        let varied: Vec<_> = self.tabulated_textures().collect();
        if varied.len() > MAX_TABULATED_TEXTURES {
            reader.error(&format!(
                "at most {MAX_TABULATED_TEXTURES} of these may be textures at once: {}; make one of them a plain value",
                varied.join(", ")
            ));
        }
        if self.transmission_depth.get() > 0.0 && self.transmission_color.texture().is_some() {
            reader.error(
                "'transmission_color' must be a plain color where 'transmission_depth' is above 0: \
                 it is the color of the inside",
            );
        }
    }
}

/// The maximum number of textures on properties that renderers tabulate.
const MAX_TABULATED_TEXTURES: usize = 3;

impl Principled {
    /// The names of textured properties that change the albedo of layers, which renderers tabulate.
    fn tabulated_textures(&self) -> impl Iterator<Item = &'static str> {
        let varied = [
            ("specular_weight", self.specular_weight.texture().is_some()),
            ("specular_roughness", self.specular_roughness.texture().is_some()),
            (
                "specular_roughness_anisotropy",
                self.specular_roughness_anisotropy.texture().is_some(),
            ),
            ("transmission_weight", self.transmission_weight.texture().is_some()),
            ("coat_weight", self.coat_weight.texture().is_some()),
            ("coat_roughness", self.coat_roughness.texture().is_some()),
            ("fuzz_weight", self.fuzz_weight.texture().is_some()),
            ("fuzz_roughness", self.fuzz_roughness.texture().is_some()),
            ("thin_film_weight", self.thin_film_weight.texture().is_some()),
            ("thin_film_thickness", self.thin_film_thickness.texture().is_some()),
        ];
        varied.into_iter().filter_map(|(name, is_texture)| is_texture.then_some(name))
    }

    /// Adds the images of its textures.
    pub(super) fn name_assets<'a>(&'a self, names: &mut Vec<&'a AssetName>) {
        let colors = [
            &self.base_color,
            &self.specular_color,
            &self.transmission_color,
            &self.coat_color,
            &self.fuzz_color,
            &self.emission_color,
        ];
        let shares = [
            &self.base_weight,
            &self.base_metalness,
            &self.specular_weight,
            &self.specular_roughness,
            &self.specular_roughness_anisotropy,
            &self.transmission_weight,
            &self.coat_weight,
            &self.coat_roughness,
            &self.fuzz_weight,
            &self.fuzz_roughness,
            &self.thin_film_weight,
            &self.geometry_opacity,
        ];
        colors.into_iter().for_each(|color| color.name_assets(names));
        shares.into_iter().for_each(|share| share.name_assets(names));
        self.thin_film_thickness.name_assets(names);
        self.bump.name_assets(names);
    }

    /// Whether it emits light.
    pub fn glows(&self) -> bool {
        let [_, most] = self.emission_color.range();
        self.emission_luminance.get() > 0.0 && most.iter().any(|channel| *channel > 0.0)
    }

    /// Radiance in W/(sr m^2) per channel, the same in all directions.
    pub fn emission(&self) -> Textured<Emission> {
        // In range, since the colour is at most 1.
        self.emission_color.times(self.emission_luminance.get())
    }
}

impl Default for Principled {
    /// All defaults.
    fn default() -> Self {
        let nothing = serde_json::Map::new().into();
        let mut errors = crate::violations::ReadErrors::default();
        let place = crate::read::PropertyPath::of("principled");
        let reader = crate::read::ObjectReader::new(&nothing, place, &mut errors);
        reader
            .and_then(|mut reader| <Self as crate::read::Properties>::read_fields(&mut reader))
            .unwrap_or_else(|| unreachable!("every property has a default"))
    }
}
