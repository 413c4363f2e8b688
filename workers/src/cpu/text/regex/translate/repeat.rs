//! Repeats: `*`, `+`, `?` and counted ones, lazy and possessive.

use super::super::error::PatternError;
use super::{Kind, Piece, Translator, Width};

impl Translator<'_> {
    /// A repeat at this position: its bounds, and the position.
    pub(super) fn repeat_here(&mut self) -> Result<Option<(u64, Option<u64>, usize)>, PatternError> {
        let place = self.at;
        let bounds = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => return self.counted_repeat(place),
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some((bounds.0, bounds.1, place)))
    }

    /// `{m}`, `{m,}`, `{,n}`, `{m,n}`; any other brace is a literal.
    fn counted_repeat(&mut self, place: usize) -> Result<Option<(u64, Option<u64>, usize)>, PatternError> {
        let mut at = place + 1;
        let number = |at: &mut usize| {
            let digits: String = self.chars.iter().skip(*at).take_while(|c| c.is_ascii_digit()).collect();
            *at += digits.len();
            digits
        };
        let low = number(&mut at);
        let mut high = low.clone();
        let comma = self.chars.get(at) == Some(&',');
        if comma {
            at += 1;
            high = number(&mut at);
        }
        if self.chars.get(at) != Some(&'}') || (low.is_empty() && !comma) {
            return Ok(None);
        }
        let parse = |text: &str| match text.parse::<u64>() {
            Ok(count) if count < 4_294_967_295 => Ok(count),
            _ => Err(PatternError::Limit("the repetition number is too large".to_owned())),
        };
        let low = if low.is_empty() { 0 } else { parse(&low)? };
        let high = if high.is_empty() { None } else { Some(parse(&high)?) };
        if high.is_some_and(|high| high < low) {
            return self.error("min repeat greater than max repeat", place + 1);
        }
        self.at = at + 1;
        Ok(Some((low, high, place)))
    }

    pub(super) fn apply(
        &mut self,
        (low, high, place): (u64, Option<u64>, usize),
        last: Option<Piece>,
        total: &mut Width,
    ) -> Result<Piece, PatternError> {
        let Some(last) = last.filter(|piece| piece.kind != Kind::Anchor) else {
            return self.error("nothing to repeat", place);
        };
        if last.kind == Kind::Repeat {
            return self.error("multiple repeat", place);
        }
        let (lazy, possessive) = if self.take('?') { (true, false) } else { (false, self.take('+')) };
        let piece = self.out.split_off(last.start);
        let bounds = match (low, high) {
            (0, None) => "*".to_owned(),
            (1, None) => "+".to_owned(),
            (0, Some(1)) => "?".to_owned(),
            (low, None) => format!("{{{low},}}"),
            (low, Some(high)) => format!("{{{low},{high}}}"),
        };
        let repeated = format!("(?:{piece}){bounds}{}", if lazy { "?" } else { "" });
        self.out.push_str(&if possessive { format!("(?>{repeated})") } else { repeated });
        let width = (
            last.width.0.saturating_mul(low),
            high.map_or(if last.width.1 == 0 { 0 } else { u64::MAX }, |high| last.width.1.saturating_mul(high)),
        );
        *total = (
            total.0.saturating_sub(last.width.0).saturating_add(width.0),
            total.1.saturating_sub(last.width.1).saturating_add(width.1),
        );
        Ok(Piece { start: last.start, kind: Kind::Repeat, width })
    }
}
