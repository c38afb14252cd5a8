//! Conversion of a linear image for display: white balance, bloom, tone mapping.

mod bloom;
mod tonemap;
mod white_balance;

pub use bloom::bloom;
pub use tonemap::{ToneMap, to_srgb8};
pub use white_balance::WhiteBalance;
