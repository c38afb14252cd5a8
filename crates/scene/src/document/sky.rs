//! The sky of a day.

use super::fog::Fog;
use crate::read::properties;
use crate::values::{Albedo, Angle, Brightness, DayOfYear, Haze, Hours, Latitude};

properties! {
    /// Sun and sky as the air of the Earth makes them, by time and place. North is -z, east +x.
    pub struct Sky {
        /// Solar time of day in hours: the sun is highest at 12.
        pub time: Hours = Hours::known(10.0),
        /// Degrees north of the equator.
        pub latitude: Latitude = Latitude::known(45.0),
        /// Day of the year; 172 is midsummer in the north.
        pub day: DayOfYear = DayOfYear::known(172.0),
        /// How much haze there is: 0 is none, 1 a clear day, 10 milky.
        pub haze: Haze = Haze::known(1.0),
        /// Colour of the ground below the horizon.
        pub ground_color: Albedo = Albedo::known([0.3; 3]),
        /// Turns the sky about y, in degrees, from north over east.
        pub sky_rotation: Angle = Angle::known(0.0),
        /// Brightness. At 1 it is exposed for the time of day as cameras do, not quite evenly: a white
        /// level surface is about 0.9 at noon and a third of that as the sun sets.
        pub strength: Brightness = Brightness::known(1.0),
        /// Air that is not clear.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub fog: Option<Fog> = None,
    }
}

impl Default for Sky {
    /// A clear morning in midsummer.
    fn default() -> Self {
        Self {
            time: Hours::known(10.0),
            latitude: Latitude::known(45.0),
            day: DayOfYear::known(172.0),
            haze: Haze::known(1.0),
            ground_color: Albedo::known([0.3; 3]),
            sky_rotation: Angle::known(0.0),
            strength: Brightness::known(1.0),
            fog: None,
        }
    }
}

impl Sky {
    /// The unit vector towards the sun; its y is negative after sunset. The declination is a cosine
    /// of the day, accurate to about half a degree.
    pub fn sun_direction(&self) -> [f64; 3] {
        const TILT: f64 = 23.44;
        let year = std::f64::consts::TAU / 365.0;
        let declination = -TILT.to_radians() * (year * (self.day.get() + 10.0)).cos();
        let hour = (15.0 * (self.time.get() - 12.0)).to_radians();
        let latitude = self.latitude.get().to_radians();
        let (up, across) = (declination.sin(), declination.cos());
        let height = latitude.sin() * up + latitude.cos() * across * hour.cos();
        let north = latitude.cos() * up - latitude.sin() * across * hour.cos();
        let east = -across * hour.sin();
        let (sin, cos) = self.sky_rotation.get().to_radians().sin_cos();
        // A rotation from north to east.
        let (north, east) = (north * cos - east * sin, north * sin + east * cos);
        [east, height, -north]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The elevation and the azimuth from north to east, in degrees.
    fn sun(time: f64, latitude: f64, day: f64, rotation: f64) -> [f64; 2] {
        let sky = Sky {
            time: Hours::known(time),
            latitude: Latitude::known(latitude),
            day: DayOfYear::known(day),
            sky_rotation: Angle::known(rotation),
            ..Sky::default()
        };
        let [x, y, z] = sky.sun_direction();
        assert!((x * x + y * y + z * z - 1.0).abs() < 1e-12);
        [y.asin().to_degrees(), x.atan2(-z).to_degrees().rem_euclid(360.0)]
    }

    #[test]
    fn the_sun_stands_where_it_does_on_earth() {
        for (at, expected, about) in [
            // The equinox: in the east at 6, at noon in the south with an elevation of 90 degrees
            // minus the latitude.
            ((6.0, 45.0, 81.0, 0.0), [0.0, 90.0], 0.7),
            ((12.0, 45.0, 81.0, 0.0), [45.0, 180.0], 0.7),
            ((18.0, 45.0, 81.0, 0.0), [0.0, 270.0], 0.7),
            // Midsummer and midwinter at noon.
            ((12.0, 45.0, 172.0, 0.0), [68.44, 180.0], 0.1),
            ((12.0, 45.0, 355.0, 0.0), [21.56, 180.0], 0.1),
            // In the southern hemisphere it is in the north.
            ((12.0, -35.0, 355.0, 0.0), [78.44, 0.0], 0.1),
            // Midnight sun.
            ((0.0, 70.0, 172.0, 0.0), [3.44, 0.0], 0.1),
            // With a rotation.
            ((12.0, 45.0, 172.0, 90.0), [68.44, 270.0], 0.1),
        ] {
            let (time, latitude, day, rotation) = at;
            let [height, direction] = sun(time, latitude, day, rotation);
            assert!((height - expected[0]).abs() < about, "{at:?}: {height}");
            let off = (direction - expected[1] + 180.0).rem_euclid(360.0) - 180.0;
            assert!(off.abs() < about, "{at:?}: {direction}");
        }
    }
}
