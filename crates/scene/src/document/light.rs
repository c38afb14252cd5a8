//! The lights.

use crate::bounds::Aabb;
use crate::read::{properties, tagged};
use crate::values::{
    AngularDiameter, ConeAngle, Direction, Displacement, Emission, Exponent, Length, Point,
};
use crate::vector::Vector;

use super::shape::spanned_normal;

properties! {
    /// A point that shines into a cone, all around by default. Invisible itself.
    pub struct PointSpotLight {
        /// The centre.
        pub center: Point,
        /// Point lights: radiant intensity in W/sr per channel.
        pub emission: Emission,
        /// The axis of the cone.
        pub direction: Direction = Direction::DOWN,
        /// Half-angle of the cone in degrees; 180 shines all around.
        pub cutoff_angle: ConeAngle = ConeAngle::known(180.0),
        /// Inside the cone the intensity is scaled by max(0, cos theta)^falloff_exponent.
        pub falloff_exponent: Exponent = Exponent::known(0.0),
    }
}

properties! {
    /// A glowing parallelogram that emits to the side of u x v.
    pub struct AreaQuadLight {
        /// One corner.
        pub corner: Point,
        /// The edge from the corner to the next.
        pub u: Displacement,
        /// The edge from the corner to the one before.
        pub v: Displacement,
        /// Lights with an area: radiance in W/(sr m^2) per channel.
        pub emission: Emission,
    }
    check(self, reader) {
        if spanned_normal(self.u, self.v).is_none() {
            reader.fault("'u' and 'v' must not be parallel or zero: they span the area");
        }
    }
}

properties! {
    /// A glowing disc that emits to the side of its normal.
    pub struct DiscSpotLight {
        /// The centre.
        pub center: Point,
        /// The direction it shines in, of any length.
        pub normal: Direction,
        /// The radius.
        pub radius: Length,
        /// Lights with an area: radiance in W/(sr m^2) per channel.
        pub emission: Emission,
    }
}

properties! {
    /// A glowing ball that emits outwards.
    pub struct AreaSphereLight {
        /// The centre.
        pub center: Point,
        /// The radius.
        pub radius: Length,
        /// Lights with an area: radiance in W/(sr m^2) per channel.
        pub emission: Emission,
    }
}

properties! {
    /// A glowing disc whose every point emits only into a cone about the normal.
    pub struct AreaDiscSpotLight {
        /// The centre.
        pub center: Point,
        /// The direction it shines in, of any length.
        pub normal: Direction,
        /// The radius.
        pub radius: Length,
        /// Lights with an area: radiance in W/(sr m^2) per channel. Here it is that along the normal.
        pub emission: Emission,
        /// Half-angle of the cone in degrees.
        pub cutoff_angle: ConeAngle,
        /// Inside the cone the radiance is scaled by max(0, cos theta)^falloff_exponent.
        pub falloff_exponent: Exponent,
    }
}

properties! {
    /// Light from about one direction, as from a sun: the same everywhere.
    pub struct DirectionalLight {
        /// The direction it shines in, of any length.
        pub direction: Direction,
        /// Lights without a place: irradiance in W/m^2 per channel on a surface that faces it; 3.14
        /// makes a white one as bright as 1.
        pub emission: Emission,
        /// How large its disc looks, in degrees: larger makes softer shadows.
        pub angular_diameter: AngularDiameter = AngularDiameter::known(0.53),
        /// Where it is handled; its light does not depend on it.
        pub center: Point = Point::known([0.0, 5.0, 0.0]),
    }
}

tagged! {
    /// A light source.
    pub enum Light {
        /// See [`PointSpotLight`].
        PointSpotLight = "point_spot_light",
        /// See [`AreaQuadLight`].
        AreaQuadLight = "area_quad_light",
        /// See [`DiscSpotLight`].
        DiscSpotLight = "disc_spot_light",
        /// See [`AreaSphereLight`].
        AreaSphereLight = "area_sphere_light",
        /// See [`AreaDiscSpotLight`].
        AreaDiscSpotLight = "area_disc_spot_light",
        /// See [`DirectionalLight`].
        DirectionalLight = "directional_light",
    }
}

impl Light {
    /// The smallest axis-aligned box in world space that holds the light; points and directions have no
    /// extent.
    pub fn bounds(&self) -> Aabb {
        match self {
            Self::PointSpotLight(light) => Aabb::around(light.center.get(), [0.0; 3]),
            Self::DirectionalLight(light) => Aabb::around(light.center.get(), [0.0; 3]),
            Self::AreaQuadLight(light) => {
                Aabb::around_parallelogram(light.corner, light.u, light.v)
            }
            Self::DiscSpotLight(light) => {
                Aabb::around_disc(light.center, Vector(light.normal.get()), light.radius.get())
            }
            Self::AreaSphereLight(light) => {
                Aabb::around_ball(light.center.get(), light.radius.get())
            }
            Self::AreaDiscSpotLight(light) => {
                Aabb::around_disc(light.center, Vector(light.normal.get()), light.radius.get())
            }
        }
    }
}
