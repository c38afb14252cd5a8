//! The rules of every store, those of one on a disk, and those of one in a database.

mod contract;
mod database;
mod disk;
