//! glTF 2.0, as JSON or as GLB.
//!
//! Light has units of its own there: candela and nits where this program has W/sr and W/(sr m^2). One
//! is taken for one, since both programs show white where a surface sends out 1.

mod light;
mod material;
mod pictures;
mod read;
mod source;
mod texture;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;
