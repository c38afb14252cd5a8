//! Things of a layout that get smaller, or are of different sizes.

use glam::DVec3;

use crate::language::Pattern;
use crate::world::Form;

/// How big each thing is, of the one before or below, where each is to be smaller.
pub(in crate::plan) const TAPER: f64 = 0.75;

/// How big things of different sizes are, of the biggest.
pub(in crate::plan) const VARIED: [f64; 7] = [0.7, 1.0, 0.45, 0.85, 0.6, 0.35, 0.92];

/// Makes a thing smaller about its foot.
pub(in crate::plan) fn shrink(form: &mut Form, scale: f64) {
    let foot = form.bounds().foot();
    form.scaled(DVec3::splat(scale), foot);
}

/// Makes the thing at `index` of a layout smaller; in a stack each rests on the one below.
pub(in crate::plan) fn taper(form: &mut Form, index: usize, pattern: Pattern, height: f64) {
    let scale = TAPER.powf(index as f64);
    let foot = form.bounds().foot();
    form.scaled(DVec3::splat(scale), foot);
    if pattern == Pattern::Stack {
        // The sum of the heights below: h (1 + q + q^2 + ...).
        form.moved(DVec3::Y * (height * (1.0 - scale) / (1.0 - TAPER) - foot.y));
    }
}
