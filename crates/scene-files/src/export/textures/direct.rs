//! Images that other formats can hold as they are.

use scene::{
    Channel, Fraction, ImagePattern, Mapping, Material, Pattern, Placement, Textured, Variable,
};

use super::material_textures::{BaseProperties, MaterialTextures};
use crate::image_texture::ImageTexture;
use crate::uv_transform::UvTransform;

/// An image multiplied by a factor.
struct ScaledImage<'a> {
    image: &'a ImagePattern,
    placement: &'a Placement,
    /// Per channel.
    factor: [f64; 3],
}

/// The image of a texture that goes from black to one value and is mapped by UV coordinates.
fn scaled_image<T: Variable>(value: &Textured<T>) -> Option<ScaledImage<'_>> {
    let texture = value.texture()?;
    let Pattern::Image(image) = &texture.pattern else { return None };
    let (first, second) = (texture.first.even()?.channels(), texture.second.even()?.channels());
    let is_scaled = texture.mapping() == Mapping::Uv && first == [0.0; 3];
    is_scaled.then_some(ScaledImage { image, placement: &texture.placement, factor: second })
}

fn is_even(value: &Textured<Fraction>, number: f64) -> bool {
    value.even().is_some_and(|even| even.get() == number)
}

/// The textures of a material that has only such images. `image` gives the index of an image by its name.
pub(super) fn textures(
    material: &Material,
    image: &dyn Fn(&str) -> Option<usize>,
) -> Option<MaterialTextures> {
    let base = BaseProperties::of(material)?;
    if material.relief().is_some() {
        return None;
    }
    let texture = |scaled: &ScaledImage<'_>| {
        Some(ImageTexture {
            image: image(scaled.image.asset.as_str())?,
            wrap: scaled.image.wrap,
            transform: UvTransform::of(scaled.placement)?,
        })
    };
    let weight = base.weight.even()?.get();
    let mut textures = MaterialTextures::none(&base);
    if base.color.texture().is_some() {
        let color =
            scaled_image(&base.color).filter(|color| color.image.channel == Channel::Color)?;
        textures.base = Some(texture(&color)?);
        textures.base_factor = color.factor.map(|part| part * weight);
    }
    if base.opacity.texture().is_some() {
        // glTF has both in one image.
        let opacity =
            scaled_image(&base.opacity).filter(|found| found.image.channel == Channel::Alpha)?;
        if textures.base.as_ref() != Some(&texture(&opacity)?) {
            return None;
        }
        textures.has_opacity = true;
        textures.opacity_factor = opacity.factor[0];
    } else if textures.base.is_some() && !is_even(&base.opacity, 1.0) {
        return None;
    }
    let varies = [&base.roughness, &base.metalness].map(|value| value.texture().is_some());
    if varies != [false; 2] {
        let rough =
            scaled_image(&base.roughness).filter(|found| found.image.channel == Channel::Green)?;
        textures.metallic_roughness = Some(texture(&rough)?);
        textures.roughness_factor = rough.factor[0];
        if varies[1] {
            let metal = scaled_image(&base.metalness)
                .filter(|found| found.image.channel == Channel::Blue)?;
            if textures.metallic_roughness.as_ref() != Some(&texture(&metal)?) {
                return None;
            }
            textures.metalness_factor = metal.factor[0];
        } else if !is_even(&base.metalness, 0.0) {
            return None;
        }
    }
    if base.emission.texture().is_some() {
        let light =
            scaled_image(&base.emission).filter(|found| found.image.channel == Channel::Color)?;
        textures.emission = Some(texture(&light)?);
        textures.emission_factor = light.factor;
    }
    if let Some(map) = material.normal_map() {
        if map.mapping() != Mapping::Uv || map.image.flip_y {
            return None;
        }
        let texture = ImageTexture {
            image: image(map.image.asset.as_str())?,
            wrap: map.image.wrap,
            transform: UvTransform::of(&map.placement)?,
        };
        textures.normals = Some((texture, map.image.strength.get()));
    }
    Some(textures)
}
