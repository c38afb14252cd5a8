//! The rules of every store, and those of one on a disk.

mod contract;
mod disk;
