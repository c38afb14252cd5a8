//! What a thing comes to rest on that is put onto something of several parts: the seat of a chair, not the top of its
//! back.

use glam::DVec3;

use crate::solid::{Cast, Extent, Solid};

/// How much wider than what it rests on a thing may be before it is laid over all of the parts.
const MAX_OVERHANG: f64 = 1.25;

/// Something that is put onto parts from above.
pub(super) struct Resting<'a> {
    pub(super) subject: &'a Solid,
    pub(super) parts: Vec<&'a Solid>,
    /// Takes the subject above all parts.
    pub(super) start: DVec3,
    pub(super) gap: f64,
}

impl<'a> Resting<'a> {
    /// The shift that brings the subject to rest on the part below its middle, beside what rises next to that; `None`
    /// where that is what a fall onto all parts gives, or where it has no room there.
    pub(super) fn shift(&self) -> Option<DVec3> {
        let mut falls: Vec<(f64, &Solid)> =
            self.parts.iter().filter_map(|part| Some((self.fall(part)?, *part))).collect();
        falls.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (highest, rest) = falls.split_first()?;
        if self.carries(highest.1, self.start) {
            return None;
        }
        let (way, support) = rest.iter().find(|(_, part)| self.carries(part, self.start))?;
        let rested = self.start + DVec3::NEG_Y * *way;
        self.beside_others(rested, support)
    }

    fn fall(&self, part: &Solid) -> Option<f64> {
        match self.subject.cast(self.start, DVec3::NEG_Y, part, self.gap) {
            Cast::After(way) => Some(way),
            Cast::Meets => Some(0.0),
            Cast::Never => None,
        }
    }

    /// Whether a part is below the middle of the subject and wide enough for it.
    fn carries(&self, part: &Solid, shift: DVec3) -> bool {
        let (own, below) = (self.subject.extent(), part.extent());
        let middle = (own.center() + shift).with_y(below.center().y);
        let (size, room) = (own.size(), below.size() * MAX_OVERHANG);
        below.contains(middle)
            && size.x <= room.x
            && size.z <= room.z
            && !part.lets_in(own.moved(shift))
    }

    /// `rested`, moved level out of the parts that rise beside the support.
    fn beside_others(&self, rested: DVec3, support: &Solid) -> Option<DVec3> {
        let mut shift = rested;
        for part in self.in_the_way(rested, support) {
            shift = self.out_of(part, shift, support)?;
        }
        let is_free = self.in_the_way(shift, support).next().is_none();
        (is_free && self.carries(support, shift)).then_some(shift)
    }

    fn in_the_way<'s>(
        &'s self,
        shift: DVec3,
        support: &'s Solid,
    ) -> impl Iterator<Item = &'a Solid> + use<'s, 'a> {
        let extent = self.subject.extent().moved(shift);
        self.parts.iter().copied().filter(move |part| {
            let tolerance = part.contact_tolerance().min(self.subject.contact_tolerance());
            !std::ptr::eq(*part, support)
                && !part.lets_in(extent)
                && self.subject.relation_at(shift, part).gap < -tolerance
        })
    }

    /// Away from the part towards the middle of the support, along the axis in which they lie further apart.
    fn out_of(&self, part: &Solid, shift: DVec3, support: &Solid) -> Option<DVec3> {
        let apart = support.extent().center() - part.extent().center();
        let way = match apart.x.abs() > apart.z.abs() {
            true => DVec3::X * apart.x.signum(),
            false => DVec3::Z * apart.z.signum(),
        };
        let far = self.subject.size() + part.size();
        match self.subject.cast(shift + way * far, -way, part, self.gap) {
            Cast::After(back) => Some(shift + way * (far - back)),
            Cast::Meets | Cast::Never => None,
        }
    }
}

impl Solid {
    /// Whether what lies in `extent` fits into this upright cylinder or cone without caps.
    fn lets_in(&self, extent: Extent) -> bool {
        let Some((center, radius)) = self.opening() else { return false };
        let half = 0.5 * extent.size();
        let reach = (extent.center() - center).with_y(0.0).abs() + half.with_y(0.0);
        reach.length() <= radius
    }
}
