//! A canvas of 8-bit colours with antialiased drawing.

/// Red, green and blue in sRGB.
pub(crate) type Colour = [u8; 3];

/// A canvas; x points right, y down, in pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Canvas {
    width: u32,
    height: u32,
    /// Row by row from the top left.
    pixels: Vec<Colour>,
}

/// An axis-aligned rectangle in pixels; `right` and `bottom` are exclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) right: f32,
    pub(crate) bottom: f32,
}

impl Area {
    /// The rectangle of this size around a point.
    pub(crate) fn around([x, y]: [f32; 2], [width, height]: [f32; 2]) -> Self {
        let (half_width, half_height) = (0.5 * width, 0.5 * height);
        Self {
            left: x - half_width,
            top: y - half_height,
            right: x + half_width,
            bottom: y + half_height,
        }
    }

    /// The rectangle grown by `by` on each side.
    pub(crate) fn grown(self, by: f32) -> Self {
        Self {
            left: self.left - by,
            top: self.top - by,
            right: self.right + by,
            bottom: self.bottom + by,
        }
    }

    /// The rectangle moved into `outer`, if it fits.
    pub(crate) fn moved_into(self, outer: Self) -> Self {
        let shift = |low: f32, high: f32, least: f32, most: f32| {
            (least - low).max(0.0) + (most - high).min(0.0)
        };
        let x = shift(self.left, self.right, outer.left, outer.right);
        let y = shift(self.top, self.bottom, outer.top, outer.bottom);
        Self {
            left: self.left + x,
            top: self.top + y,
            right: self.right + x,
            bottom: self.bottom + y,
        }
    }

    /// Whether the two intersect.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// The nearest point of it to `point`.
    pub(crate) fn nearest(self, [x, y]: [f32; 2]) -> [f32; 2] {
        [x.clamp(self.left, self.right), y.clamp(self.top, self.bottom)]
    }
}

impl Canvas {
    /// A canvas of one colour.
    pub(crate) fn filled(width: u32, height: u32, colour: Colour) -> Self {
        Self { width, height, pixels: vec![colour; width as usize * height as usize] }
    }

    /// A canvas of these pixels, row by row from the top left; missing ones are black.
    pub(crate) fn of(width: u32, height: u32, mut pixels: Vec<Colour>) -> Self {
        pixels.resize(width as usize * height as usize, [0; 3]);
        Self { width, height, pixels }
    }

    /// Width and height.
    pub(crate) fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// All of it.
    pub(crate) fn area(&self) -> Area {
        Area { left: 0.0, top: 0.0, right: self.width as f32, bottom: self.height as f32 }
    }

    /// The pixels as three bytes each, row by row from the top left.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    /// Draws another canvas with its top left corner at `left`, `top`, clipped to this one.
    pub(crate) fn put(&mut self, other: &Self, left: u32, top: u32) {
        let width = other.width.min(self.width.saturating_sub(left)) as usize;
        let rows = other.pixels.chunks(other.width.max(1) as usize);
        let own = self.pixels.chunks_mut(self.width.max(1) as usize).skip(top as usize);
        for (own, row) in own.zip(rows) {
            own[left as usize..][..width].copy_from_slice(&row[..width]);
        }
    }

    /// Blends `colour` over a pixel; `share` is its opacity from 0 to 1.
    pub(crate) fn blend(&mut self, x: i32, y: i32, colour: Colour, share: f32) {
        let inside = |at: i32, size: u32| u32::try_from(at).ok().filter(|at| *at < size);
        let Some((x, y)) = inside(x, self.width).zip(inside(y, self.height)) else { return };
        let pixel = &mut self.pixels[y as usize * self.width as usize + x as usize];
        for (channel, colour) in pixel.iter_mut().zip(colour) {
            let mixed = f32::from(*channel) + (f32::from(colour) - f32::from(*channel)) * share;
            *channel = mixed.round() as u8;
        }
    }

    /// A rectangle with round corners.
    pub(crate) fn plate(&mut self, area: Area, radius: f32, colour: Colour, share: f32) {
        let core = area.grown(-radius);
        self.paint(area, colour, share, |point| distance(point, core.nearest(point)) - radius);
    }

    /// A line with round ends; a dot where they are the same.
    pub(crate) fn line(&mut self, [from, to]: [[f32; 2]; 2], width: f32, colour: Colour) {
        let around = Area {
            left: from[0].min(to[0]),
            top: from[1].min(to[1]),
            right: from[0].max(to[0]),
            bottom: from[1].max(to[1]),
        };
        let [x, y] = [to[0] - from[0], to[1] - from[1]];
        let square = x * x + y * y;
        self.paint(around.grown(0.5 * width), colour, 1.0, |point| {
            let along = (point[0] - from[0]) * x + (point[1] - from[1]) * y;
            let along = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
            distance(point, [from[0] + along * x, from[1] + along * y]) - 0.5 * width
        });
    }

    /// Fills a shape given by its signed distance function, negative inside.
    fn paint(&mut self, area: Area, colour: Colour, share: f32, form: impl Fn([f32; 2]) -> f32) {
        let area = area.grown(1.0);
        let bound = |at: f32, size: u32| at.clamp(0.0, size as f32) as i32;
        for y in bound(area.top, self.height)..bound(area.bottom.ceil(), self.height) {
            for x in bound(area.left, self.width)..bound(area.right.ceil(), self.width) {
                let covered = 0.5 - form([x as f32 + 0.5, y as f32 + 0.5]);
                self.blend(x, y, colour, share * covered.clamp(0.0, 1.0));
            }
        }
    }
}

fn distance(one: [f32; 2], other: [f32; 2]) -> f32 {
    (one[0] - other[0]).hypot(one[1] - other[1])
}
