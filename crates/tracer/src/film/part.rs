//! Parts of a film: tiles that somebody else renders, as bytes.

use glam::{UVec2, Vec3A};

use super::{FeatureSums, Film, Outline, Pixel, Tile, outlines};
use crate::integrator::Splat;

/// Some tiles of a film with their sums so far, as a copy of its own: what a render is divided into.
/// [`render_part`](crate::render_part) takes the next samples, and [`Film::merge`] puts the tiles
/// back, to the same sums as if the film had been rendered whole.
#[derive(Debug, Clone)]
pub struct FilmPart {
    pub(crate) size: [u32; 2],
    pub(crate) with_features: bool,
    pub(crate) tiles: Vec<PartTile>,
}

/// A tile of a part.
#[derive(Debug, Clone)]
pub(crate) struct PartTile {
    /// Its index in the film.
    index: u32,
    /// Its samples when it was taken out of the film.
    from: u32,
    pub(crate) tile: Tile,
    /// The splats of its light paths since then.
    pub(crate) splats: Vec<Splat>,
}

/// Why bytes are not a part of a film.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// They end in the middle of a tile, or after the last one.
    #[error("the part of the film has a wrong length")]
    Length,
    /// A tile that the film does not have, or that comes twice.
    #[error("the part has a tile that the film does not have, or has it twice")]
    Tile,
    /// A number that no sum can be.
    #[error("the part has a number that no sum of samples can be")]
    Number,
}

/// The object index of a pixel that shows none.
const NO_OBJECT: u32 = u32::MAX;

impl Film {
    /// The number of its tiles: squares of 16 x 16 pixels, smaller at the right and lower border.
    pub fn tile_count(&self) -> usize {
        self.tiles.len()
    }

    /// The samples per pixel and the pixels of a tile; zero for one that it does not have.
    pub fn tile(&self, index: usize) -> (u32, u32) {
        self.tiles.get(index).map_or((0, 0), |tile| (tile.samples, tile.pixels.len() as u32))
    }

    /// A copy of these tiles; those that it does not have are left out.
    pub fn part(&self, tiles: &[u32]) -> FilmPart {
        let part_tile = |&index: &u32| {
            let tile = self.tiles.get(index as usize)?.clone();
            Some(PartTile { index, from: tile.samples, tile, splats: Vec::new() })
        };
        FilmPart {
            size: [self.width, self.height],
            with_features: self.has_features(),
            tiles: tiles.iter().filter_map(part_tile).collect(),
        }
    }

    /// Puts tiles back. Those that have other samples by now than when they were taken out are
    /// left as they are, so that a part that is rendered twice counts once. Returns the indices of
    /// the others.
    pub fn merge(&mut self, part: FilmPart) -> Vec<u32> {
        let mut merged = Vec::with_capacity(part.tiles.len());
        if part.size != [self.width, self.height] || part.with_features != self.has_features() {
            return merged;
        }
        let has_splats = part.tiles.iter().any(|tile| !tile.splats.is_empty());
        let (tiles, target) = self.parts(has_splats);
        for PartTile { index, from, tile, splats } in part.tiles {
            let Some(place) = tiles.get_mut(index as usize) else { continue };
            if place.samples != from || tile.samples <= from {
                continue;
            }
            *place = tile;
            splats.iter().for_each(|splat| target.add(splat));
            merged.push(index);
        }
        merged
    }
}

impl FilmPart {
    /// The indices of its tiles in the film.
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = u32> {
        self.tiles.iter().map(|tile| tile.index)
    }

    /// Whether each of its tiles has this many samples per pixel.
    pub fn is_at(&self, samples: u32) -> bool {
        self.tiles.iter().all(|PartTile { tile, .. }| tile.samples == samples)
    }

    /// The camera samples that bring it to `target` samples per pixel.
    pub fn work(&self, target: u32) -> u64 {
        let of_tile = |PartTile { tile, .. }: &PartTile| {
            u64::from(target.saturating_sub(tile.samples)) * tile.pixels.len() as u64
        };
        self.tiles.iter().map(of_tile).sum()
    }

    /// All of it but the size of the film, bit for bit: words of four bytes, little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for PartTile { index, from, tile, splats } in &self.tiles {
            put(&mut bytes, [*index, *from, tile.samples, splats.len() as u32]);
            // Without samples, all sums are zero.
            let pixels = if tile.samples == 0 { &[] } else { &*tile.pixels };
            for Pixel { sum: [red, green, blue], sum_of_squares } in pixels {
                put(&mut bytes, [red, green, blue, sum_of_squares].map(|sum| sum.to_bits()));
            }
            let features = if tile.samples == 0 { &[] } else { &*tile.features };
            for sums in features {
                for three in [sums.albedo, sums.normal, sums.emitted] {
                    put(&mut bytes, three.map(f32::to_bits));
                }
                put(&mut bytes, [sums.reach, sums.depth].map(f32::to_bits));
                put(&mut bytes, [sums.hits, sums.samples, sums.object.unwrap_or(NO_OBJECT)]);
            }
            for Splat { pixel, radiance } in splats {
                put(&mut bytes, pixel.to_array());
                put(&mut bytes, radiance.to_array().map(f32::to_bits));
            }
        }
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, for a film of `size` with or without features.
    pub fn from_bytes(
        size: [u32; 2],
        with_features: bool,
        bytes: &[u8],
    ) -> Result<Self, PartError> {
        let film: Vec<Outline> = outlines(size).collect();
        let mut words = Words::new(bytes)?;
        let mut tiles: Vec<PartTile> = Vec::new();
        while !words.is_empty() {
            let [index, from, samples, splats] = words.take()?;
            let is_later = tiles.last().is_none_or(|last| last.index < index);
            let known = film.get(index as usize).filter(|_| is_later);
            let mut tile = known.ok_or(PartError::Tile)?.tile(with_features);
            tile.samples = samples;
            if samples > 0 {
                for pixel in &mut tile.pixels {
                    *pixel =
                        Pixel { sum: words.floats()?, sum_of_squares: words.floats::<1>()?[0] };
                }
                for sums in &mut tile.features {
                    let [albedo, normal, emitted] =
                        [words.floats()?, words.floats()?, words.floats()?];
                    let [reach, depth] = words.floats()?;
                    let [hits, samples, object] = words.take()?;
                    let object = Some(object).filter(|object| *object != NO_OBJECT);
                    *sums = FeatureSums {
                        albedo,
                        normal,
                        emitted,
                        reach,
                        depth,
                        hits,
                        samples,
                        object,
                    };
                }
            }
            let mut of_tile = Vec::with_capacity((splats as usize).min(words.len() / 5));
            for _ in 0..splats {
                let pixel = UVec2::from_array(words.take()?);
                if pixel.x >= size[0] || pixel.y >= size[1] {
                    return Err(PartError::Number);
                }
                of_tile.push(Splat { pixel, radiance: Vec3A::from_array(words.floats()?) });
            }
            tiles.push(PartTile { index, from, tile, splats: of_tile });
        }
        Ok(Self { size, with_features, tiles })
    }
}

fn put<const N: usize>(bytes: &mut Vec<u8>, words: [u32; N]) {
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

/// Words of four bytes.
struct Words<'a>(&'a [[u8; 4]]);

impl<'a> Words<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self, PartError> {
        let (words, rest) = bytes.as_chunks();
        if rest.is_empty() { Ok(Self(words)) } else { Err(PartError::Length) }
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn take<const N: usize>(&mut self) -> Result<[u32; N], PartError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(PartError::Length)?;
        self.0 = rest;
        Ok(taken.map(u32::from_le_bytes))
    }

    fn floats<const N: usize>(&mut self) -> Result<[f32; N], PartError> {
        let floats = self.take()?.map(f32::from_bits);
        if floats.iter().all(|value| value.is_finite()) {
            Ok(floats)
        } else {
            Err(PartError::Number)
        }
    }
}
