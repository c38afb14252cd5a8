//! Colours for several things: told one by one, all different, shades of one.

use crate::colour::{Colour, palette, pastel_palette};
use crate::language::Change;
use crate::plan::acts::paint::recolour;
use crate::plan::{Planner, Problem};

impl Planner {
    /// Several colours for several things: each gets the next. The changes that are left.
    pub(in crate::plan) fn hand_out<'a>(
        &mut self,
        ids: &[String],
        changes: &'a [Change],
    ) -> Result<Vec<&'a Change>, Problem> {
        let distinct = changes
            .iter()
            .any(|change| matches!(change, Change::Distinct { .. } | Change::Shades(_)));
        let told_apart = changes.iter().find_map(|change| match change {
            Change::Distinct { pastel } => Some(*pastel),
            _ => None,
        });
        let count = self.wholes(ids).len();
        let colours: Vec<Colour> = if let Some(pastel) = told_apart {
            if pastel { pastel_palette(count).collect() } else { palette(count).collect() }
        } else {
            let named = changes.iter().flat_map(|change| match change {
                Change::Colour(colour) => vec![colour.clone()],
                Change::Shades(colour) => colour.shades(count).collect(),
                _ => Vec::new(),
            });
            named.collect()
        };
        if let ([only], [_, _, ..], false) = (ids, colours.as_slice(), distinct) {
            return Err(Problem::Cannot(format!(
                "{only} can have only one colour; please name one."
            )));
        }
        if !distinct && colours.len() < 2 {
            return Ok(changes.iter().collect());
        }
        for (unit, colour) in self.wholes(ids).iter().zip(colours.iter().cycle()) {
            let painted = self.painted(unit);
            self.each(&painted, |thing| recolour(thing, colour))?;
        }
        let colours_only = |change: &&Change| {
            matches!(change, Change::Colour(_) | Change::Distinct { .. } | Change::Shades(_))
        };
        Ok(changes.iter().filter(|change| !colours_only(change)).collect())
    }
}
