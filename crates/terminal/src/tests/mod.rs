//! The full screen: as widgets on a screen of letters, what keys do, and the whole against a real
//! server.

mod fixture;
mod keys;
mod screens;
mod whole;
