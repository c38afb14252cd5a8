//! The full screen: as widgets on a screen of letters, and what keys do.

mod fixture;
mod keys;
mod screens;
