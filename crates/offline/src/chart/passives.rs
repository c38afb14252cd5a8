//! What a production with a verb and its object says of the object as well: passives, questions, wishes.

use super::grammar::{Grammar, Part, Step, Whole};

impl Grammar {
    /// "V NP rest" also as "NP ought V+past rest".
    pub(super) fn passive(
        &mut self,
        whole: &Whole,
        read: &[(Part, bool)],
        steps: &[Step],
    ) -> Option<()> {
        let mut verb = read[0].clone();
        // Of the imperative the verb is bare.
        verb.0.with &= !self.symbols.feature("bare");
        verb.0.with |= self.symbols.feature("past");
        let (ought, _) = self.part("Ought")?;
        let mut parts = vec![read[1].clone(), (ought, false), verb];
        parts.extend(read[2..].iter().cloned());
        let at = |part: usize| match part {
            0 => 2,
            1 => 0,
            later => later + 1,
        };
        let plain = steps;
        let steps: Vec<Step> = plain.iter().map(|step| step.renumbered(&at)).collect();
        let whole = Whole { cost: whole.cost + 0.2, ..whole.clone() };
        self.expand(&whole, &parts, &steps);
        // And as a question: "could NP be V+past rest".
        let (modal, _) = self.part("Ought:do")?;
        let (be, _) = self.part("Be")?;
        let mut asked = vec![(modal, false), parts[0].clone(), (be, true)];
        asked.extend(parts[2..].iter().cloned());
        let at = |part: usize| match part {
            0 => 1,
            2 => 3,
            later => later + 1,
        };
        let steps: Vec<Step> = steps.iter().map(|step| step.renumbered(&at)).collect();
        self.expand(&whole, &asked, &steps);
        // And as what is lacking: "NP needs V+ing rest".
        let (needing, _) = self.part("Needing")?;
        let mut lacks = vec![parts[0].clone(), (needing, false), parts[2].clone()];
        lacks[2].0.with &= !self.symbols.feature("past");
        lacks[2].0.with |= self.symbols.feature("ing");
        lacks.extend(parts[3..].iter().cloned());
        let at = |part: usize| match part {
            0 => 2,
            1 => 0,
            later => later + 1,
        };
        let steps_of: Vec<Step> = plain.iter().map(|step| step.renumbered(&at)).collect();
        self.expand(&whole, &lacks, &steps_of);
        // And as a wish: "let NP be V+past rest", "I want NP to be V+past rest".
        let (wish, _) = self.part("Let")?;
        let (to_be, _) = self.part("ToBe")?;
        asked[0] = (wish, false);
        asked[2] = (to_be, true);
        self.expand(&whole, &asked, &steps);
        Some(())
    }
}
