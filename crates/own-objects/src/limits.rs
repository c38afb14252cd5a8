//! How much is kept.

/// The largest file, in bytes, meshes and pictures included.
pub const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// The most objects.
pub const MAX_OBJECTS: usize = 500;
/// The most bytes of all their files.
pub const MAX_TOTAL_BYTES: u64 = 1024 * 1024 * 1024;
