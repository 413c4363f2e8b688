//! The price classes, and what takes a job of the class flex out of its lane.

use chrono::{DateTime, Utc};

use crate::jobs::status::Lane;
use crate::settings::CreditSettings;
use crate::word_list::word_list;

word_list! {
    /// What a run costs, and when it runs.
    #[derive(Default)]
    pub enum PriceClass for "priceClass" {
        /// At the pool's price, in its turn.
        #[default]
        Standard => "standard",
        /// At a lower price, when workers have nothing else to do.
        Flex => "flex",
    }
}

/// The lane to which a job of the class flex is promoted, and when at the latest, by what is known at its submit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) struct Promotion {
    pub to: Lane,
    pub at: DateTime<Utc>,
}

impl PriceClass {
    /// The class of a job in this lane that was promoted or not.
    pub(in crate::jobs) fn of(lane: Lane, promoted_at: Option<DateTime<Utc>>) -> Self {
        if lane == Lane::Flex || promoted_at.is_some() { Self::Flex } else { Self::Standard }
    }

    /// The part of a pool's price that a run costs.
    pub(in crate::jobs) fn percent(self, credits: &CreditSettings) -> i16 {
        match self {
            Self::Standard => 100,
            Self::Flex => i16::from(credits.flex_percent),
        }
    }
}
