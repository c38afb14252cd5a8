//! The lights.

use crate::bounds::Aabb;
use crate::read::tagged;
use crate::values::{
    AngularDiameter, ConeAngle, Direction, Displacement, Emission, Exponent, Length, Point,
};

use super::kinds::{Frame, KindInfo, LightKind};
use super::motion::{Motion, MotionError};
use super::movable::{MovableProperties, movable};
use super::shapes::{Disc, Geometry, Quad, Sphere, spanned_normal};

movable! {
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

impl LightKind for PointSpotLight {
    const LABEL: &'static str = "Point light";
    const FRAME: Frame = Frame::Point;
    const EMISSION_UNIT: &'static str = "W/sr";

    fn sample() -> Option<Self> {
        Some(Self {
            center: Point::ORIGIN,
            emission: Emission::known([20.0; 3]),
            direction: Direction::DOWN,
            cutoff_angle: ConeAngle::known(180.0),
            falloff_exponent: Exponent::known(0.0),
        })
    }
}

movable! {
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
        /// Whether camera rays hit its surface. Its light, its shadow and its image in mirrors stay.
        #[serde(skip_serializing_if = "is_visible")]
        pub visible_to_camera: bool = true,
    }
    check(self, reader) {
        if spanned_normal(self.u, self.v).is_none() {
            reader.error("'u' and 'v' must not be parallel or zero: they span the area");
        }
    }
}

impl LightKind for AreaQuadLight {
    const LABEL: &'static str = "Area light";
    const FRAME: Frame = Frame::Parallelogram;

    fn sample() -> Option<Self> {
        Some(Self {
            corner: Point::known([-1.0, 0.0, -1.0]),
            u: Displacement::known([2.0, 0.0, 0.0]),
            v: Displacement::known([0.0, 0.0, 2.0]),
            emission: Emission::known([10.0; 3]),
            visible_to_camera: true,
        })
    }

    /// A mirrored light emits to the mirrored side, that of u x v.
    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        let mut moved = self.properties_moved(motion)?;
        if motion.is_mirror() {
            std::mem::swap(&mut moved.u, &mut moved.v);
        }
        Ok(moved)
    }
}

movable! {
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
        /// Whether camera rays hit its surface. Its light, its shadow and its image in mirrors stay.
        #[serde(skip_serializing_if = "is_visible")]
        pub visible_to_camera: bool = true,
    }
}

impl LightKind for DiscSpotLight {
    const LABEL: &'static str = "Disc light";
    const FRAME: Frame = Frame::Disc;

    fn sample() -> Option<Self> {
        Some(Self {
            center: Point::ORIGIN,
            normal: Direction::DOWN,
            radius: Length::known(1.0),
            emission: Emission::known([10.0; 3]),
            visible_to_camera: true,
        })
    }
}

movable! {
    /// A glowing ball that emits outwards.
    pub struct AreaSphereLight {
        /// The centre.
        pub center: Point,
        /// The radius.
        pub radius: Length,
        /// Lights with an area: radiance in W/(sr m^2) per channel.
        pub emission: Emission,
        /// Whether camera rays hit its surface. Its light, its shadow and its image in mirrors stay.
        #[serde(skip_serializing_if = "is_visible")]
        pub visible_to_camera: bool = true,
    }
}

impl LightKind for AreaSphereLight {
    const LABEL: &'static str = "Sphere light";
    const FRAME: Frame = Frame::Ball;

    fn sample() -> Option<Self> {
        Some(Self {
            center: Point::ORIGIN,
            radius: Length::known(0.5),
            emission: Emission::known([10.0; 3]),
            visible_to_camera: true,
        })
    }
}

movable! {
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
        /// Whether camera rays hit its surface. Its light, its shadow and its image in mirrors stay.
        #[serde(skip_serializing_if = "is_visible")]
        pub visible_to_camera: bool = true,
    }
}

impl LightKind for AreaDiscSpotLight {
    const LABEL: &'static str = "Spot light";
    const FRAME: Frame = Frame::Disc;

    fn sample() -> Option<Self> {
        Some(Self {
            center: Point::ORIGIN,
            normal: Direction::DOWN,
            radius: Length::known(1.0),
            emission: Emission::known([20.0; 3]),
            cutoff_angle: ConeAngle::known(40.0),
            falloff_exponent: Exponent::known(1.0),
            visible_to_camera: true,
        })
    }
}

movable! {
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

impl LightKind for DirectionalLight {
    const LABEL: &'static str = "Directional light";
    const ICON: &'static str = "sun";
    const FRAME: Frame = Frame::Point;
    const EMISSION_UNIT: &'static str = "W/m²";

    fn sample() -> Option<Self> {
        Some(Self {
            direction: Direction::DOWN,
            emission: Emission::known([3.0; 3]),
            angular_diameter: AngularDiameter::known(0.53),
            center: Point::ORIGIN,
        })
    }
}

/// Documents leave `visible_to_camera` out of what is visible, as they did before lights had it.
fn is_visible(visible: &bool) -> bool {
    *visible
}

/// Lists all kinds of lights once, for all code that depends on the kind.
macro_rules! lights {
    ($( $(#[$meta:meta])* $kind:ident = $name:literal ),* $(,)?) => {
        tagged! {
            /// A light source.
            pub enum Light { $( $(#[$meta])* $kind = $name ),* }
        }

        impl Light {
            /// The descriptions of all kinds, for clients.
            pub fn kinds() -> Vec<KindInfo> {
                vec![$( KindInfo::of_light::<$kind>($name) ),*]
            }

            /// Translates, rotates, scales and mirrors the light; its emission stays the same.
            pub fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
                Ok(match self { $( Self::$kind(light) => Self::$kind(light.moved(motion)?) ),* })
            }
        }
    };
}

lights! {
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

impl Light {
    /// The emitting surface; `None` for lights without an area.
    pub fn surface(&self) -> Option<Geometry> {
        let disc = |center, normal, radius| Some(Geometry::Disc(Disc { center, normal, radius }));
        match self {
            Self::PointSpotLight(_) | Self::DirectionalLight(_) => None,
            Self::AreaQuadLight(AreaQuadLight { corner, u, v, .. }) => {
                Some(Geometry::Quad(Quad { corner: *corner, u: *u, v: *v }))
            }
            Self::AreaSphereLight(AreaSphereLight { center, radius, .. }) => {
                Some(Geometry::Sphere(Sphere { center: *center, radius: *radius, sides: None }))
            }
            Self::DiscSpotLight(light) => disc(light.center, light.normal, light.radius),
            Self::AreaDiscSpotLight(light) => disc(light.center, light.normal, light.radius),
        }
    }

    /// The position of a light without an area; its light need not depend on it.
    pub fn position(&self) -> Option<[f64; 3]> {
        match self {
            Self::PointSpotLight(light) => Some(light.center.get()),
            Self::DirectionalLight(light) => Some(light.center.get()),
            _ => None,
        }
    }

    /// The emission per channel; the unit depends on the kind.
    pub fn emission(&self) -> [f64; 3] {
        match self {
            Self::PointSpotLight(light) => light.emission.get(),
            Self::DirectionalLight(light) => light.emission.get(),
            Self::AreaQuadLight(light) => light.emission.get(),
            Self::DiscSpotLight(light) => light.emission.get(),
            Self::AreaSphereLight(light) => light.emission.get(),
            Self::AreaDiscSpotLight(light) => light.emission.get(),
        }
    }

    /// Whether camera rays pass through its surface; those of lights without one never meet it.
    pub fn is_hidden_from_camera(&self) -> bool {
        let visible = match self {
            Self::PointSpotLight(_) | Self::DirectionalLight(_) => true,
            Self::AreaQuadLight(light) => light.visible_to_camera,
            Self::DiscSpotLight(light) => light.visible_to_camera,
            Self::AreaSphereLight(light) => light.visible_to_camera,
            Self::AreaDiscSpotLight(light) => light.visible_to_camera,
        };
        !visible
    }

    /// The bounding box; point lights and distant lights have no extent.
    pub fn bounds(&self) -> Aabb {
        let surface = self.surface().and_then(|surface| surface.bounds());
        let position = self.position().unwrap_or_default();
        surface.unwrap_or_else(|| Aabb::around(position, [0.0; 3]))
    }
}
