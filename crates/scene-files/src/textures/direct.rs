//! Images that lie on a surface as other programs know it.

use scene::{
    Channel, Fraction, ImagePattern, Mapping, Material, Pattern, Placement, Textured, Variable,
};

use super::painting::{Base, Painting, Picture};
use super::transform::Transform;

/// An image that is all there is to a value.
struct Shown<'a> {
    image: &'a ImagePattern,
    placement: &'a Placement,
    /// What it is multiplied by.
    factor: [f64; 3],
}

/// The image of a texture from black to one value, that lies by u and v.
fn shown<T: Variable>(value: &Textured<T>) -> Option<Shown<'_>> {
    let texture = value.texture()?;
    let Pattern::Image(image) = &texture.pattern else { return None };
    let (first, second) = (texture.first.even()?.channels(), texture.second.even()?.channels());
    let plain = texture.mapping() == Mapping::Uv && first == [0.0; 3];
    plain.then_some(Shown { image, placement: &texture.placement, factor: second })
}

fn is_even(value: &Textured<Fraction>, number: f64) -> bool {
    value.even().is_some_and(|even| even.get() == number)
}

/// A material all of whose textures are such images. `image` gives the place of an image by its name.
pub(super) fn painting(
    material: &Material,
    image: &dyn Fn(&str) -> Option<usize>,
) -> Option<Painting> {
    let base = Base::of(material)?;
    if material.relief().is_some() {
        return None;
    }
    let picture = |shown: &Shown<'_>| {
        Some(Picture {
            image: image(shown.image.asset.as_str())?,
            wrap: shown.image.wrap,
            transform: Transform::of(shown.placement)?,
        })
    };
    let weight = base.weight.even()?.get();
    let mut painting = Painting::even(&base);
    if base.color.texture().is_some() {
        let color = shown(&base.color).filter(|color| color.image.channel == Channel::Color)?;
        painting.base = Some(picture(&color)?);
        painting.base_factor = color.factor.map(|part| part * weight);
    }
    if base.opacity.texture().is_some() {
        // The same image has both.
        let opacity = shown(&base.opacity).filter(|found| found.image.channel == Channel::Alpha)?;
        if painting.base.as_ref() != Some(&picture(&opacity)?) {
            return None;
        }
        painting.has_opacity = true;
        painting.opacity_factor = opacity.factor[0];
    } else if painting.base.is_some() && !is_even(&base.opacity, 1.0) {
        return None;
    }
    let varies = [&base.roughness, &base.metalness].map(|value| value.texture().is_some());
    if varies != [false; 2] {
        let rough = shown(&base.roughness).filter(|found| found.image.channel == Channel::Green)?;
        painting.surface = Some(picture(&rough)?);
        painting.roughness_factor = rough.factor[0];
        if varies[1] {
            let metal =
                shown(&base.metalness).filter(|found| found.image.channel == Channel::Blue)?;
            if painting.surface.as_ref() != Some(&picture(&metal)?) {
                return None;
            }
            painting.metalness_factor = metal.factor[0];
        } else if !is_even(&base.metalness, 0.0) {
            return None;
        }
    }
    if base.emission.texture().is_some() {
        let light = shown(&base.emission).filter(|found| found.image.channel == Channel::Color)?;
        painting.emission = Some(picture(&light)?);
        painting.emission_factor = light.factor;
    }
    if let Some(map) = material.normal_map() {
        if map.mapping() != Mapping::Uv || map.image.flip_y {
            return None;
        }
        let picture = Picture {
            image: image(map.image.asset.as_str())?,
            wrap: map.image.wrap,
            transform: Transform::of(&map.placement)?,
        };
        painting.normals = Some((picture, map.image.strength.get()));
    }
    Some(painting)
}
