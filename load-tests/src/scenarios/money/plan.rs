//! Everything that the drill chooses for its buyers and kills, drawn from its seed before it runs.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

/// How much of everything there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub buyers: usize,
    pub purchases: usize,
    /// The first buyers, who also have a plan.
    pub subscribers: usize,
    /// Months that each of them pays.
    pub months: i32,
    /// Codes that are used once each, and accounts that try each of them at once.
    pub codes: usize,
    pub tries: usize,
    pub kills: usize,
    /// Purchases under way at once.
    pub at_once: usize,
    /// Timeout of everything that is left when the buyers are done.
    pub patience: Duration,
}

pub const FULL: Size = Size {
    buyers: 80,
    purchases: 1500,
    subscribers: 60,
    months: 6,
    codes: 130,
    tries: 5,
    kills: 20,
    at_once: 16,
    patience: Duration::from_mins(5),
};
pub const QUICK: Size = Size {
    buyers: 9,
    purchases: 48,
    subscribers: 9,
    months: 3,
    codes: 6,
    tries: 4,
    kills: 3,
    at_once: 6,
    patience: Duration::from_mins(3),
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub buyers: Vec<Buyer>,
    /// The buyers who try each code.
    pub codes: Vec<Vec<usize>>,
    /// Sorted by progress.
    pub kills: Vec<Kill>,
}

/// One account and what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buyer {
    pub card: Card,
    /// Where the buyer pays a plan; `None`: the buyer has none.
    pub plan_in: Option<Country>,
    pub plan_fate: PlanFate,
    pub purchases: Vec<Purchase>,
}

/// A card as its holder enters it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// 16 digits.
    pub number: String,
    /// Ten digits, as of a company: six are found by chance in a large log.
    pub identity: String,
    pub password: String,
}

impl Card {
    fn draw(random: &mut StdRng) -> Self {
        let mut digits =
            |count: usize| -> String { (0..count).map(|_| char::from(b'0' + random.random_range(0..10_u8))).collect() };
        Self { number: format!("4{}", digits(15)), identity: digits(10), password: digits(2) }
    }

    /// The form, with the number in groups as people write it.
    #[must_use]
    pub fn form(&self) -> Value {
        json!({
            "number": self.grouped('-'), "passwordDigits": self.password, "identityNumber": self.identity,
            "expirationMonth": 12, "expirationYear": 2098, "name": "A Buyer", "isAgreed": true,
        })
    }

    /// The number in groups of four digits.
    fn grouped(&self, separator: char) -> String {
        let mut text = String::new();
        for (place, digit) in self.number.chars().enumerate() {
            if place > 0 && place.is_multiple_of(4) {
                text.push(separator);
            }
            text.push(digit);
        }
        text
    }

    /// Texts that may be in no log and no table: the number in every spelling, its digits between the first four and
    /// the last two, and the holder's identity.
    #[must_use]
    pub fn secrets(&self) -> Vec<String> {
        let middle = self.number.get(4..14).unwrap_or_default().to_owned();
        vec![self.number.clone(), self.grouped('-'), self.grouped(' '), middle, self.identity.clone()]
    }
}

/// One purchase of credits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase {
    pub country: Country,
    pub fate: Fate,
    /// The pause before it.
    pub pause: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Country {
    /// PayPal: the buyer approves the order.
    Other,
    /// TossPayments: the saved card is charged.
    Korea,
}

impl Country {
    /// One of three subscribers pays with PayPal.
    fn of_subscriber(number: usize) -> Self {
        if number % 3 == 2 { Self::Other } else { Self::Korea }
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Other => "Other",
            Self::Korea => "KR",
        }
    }
}

/// What becomes of a purchase if nothing goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Keep,
    /// The buyer cancels it, before or after the approval at the provider.
    Cancel {
        is_approved: bool,
    },
    /// The buyer asks for the money, once or with two requests at once.
    RefundOwn {
        requests: usize,
    },
    /// An admin gives this share of it back, in percent.
    RefundPart {
        percent: i64,
    },
}

/// What becomes of a plan after its first month is paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanFate {
    Keep,
    /// The buyer cancels it.
    Cancel,
    /// An admin gives a part of a month back.
    RefundPart,
    /// PayPal gives a month back, as after a dispute.
    RefundAtPayPal,
}

impl PlanFate {
    /// One of three buyers who pay with PayPal cancels. The second one gets money back from an admin, and the third one
    /// from PayPal.
    fn of_subscriber(number: usize) -> Self {
        match (Country::of_subscriber(number), number / 3) {
            (Country::Other, place) if place % 3 == 0 => Self::Cancel,
            (Country::Other, 1) => Self::RefundPart,
            (Country::Other, 2) => Self::RefundAtPayPal,
            _ => Self::Keep,
        }
    }
}

/// A kill of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kill {
    /// The number of ended purchases at which it is due.
    pub progress: usize,
    /// Additional delay.
    pub delay: Duration,
    /// How long the server stays dead.
    pub down: Duration,
}

impl Plan {
    /// Draws a drill. The same seed and size give the same plan.
    #[must_use]
    pub fn draw(seed: u64, size: &Size) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        let mut buyers: Vec<Buyer> = (0..size.buyers)
            .map(|number| Buyer {
                card: Card::draw(&mut random),
                plan_in: (number < size.subscribers).then(|| Country::of_subscriber(number)),
                plan_fate: PlanFate::of_subscriber(number),
                purchases: Vec::new(),
            })
            .collect();
        // In turns, so that no account reaches the limit of orders per hour.
        for number in 0..size.purchases {
            let purchase = Purchase::draw(&mut random);
            if let Some(buyer) = buyers.get_mut(number % size.buyers.max(1)) {
                buyer.purchases.push(purchase);
            }
        }
        let codes = (0..size.codes)
            .map(|_| {
                let first = random.random_range(0..size.buyers.max(1));
                (0..size.tries).map(|place| (first + place) % size.buyers.max(1)).collect()
            })
            .collect();
        let (first, last) = (size.purchases / 50, (size.purchases * 9 / 10).max(size.purchases / 50 + 1));
        let mut moments: Vec<usize> = (0..size.kills).map(|_| random.random_range(first..last)).collect();
        moments.sort_unstable();
        let mut ms = |most: u64| Duration::from_millis(random.random_range(0..most));
        let kills = moments.into_iter().map(|progress| Kill { progress, delay: ms(300), down: ms(600) }).collect();
        Self { buyers, codes, kills }
    }
}

impl Plan {
    /// Buyers whose plan goes on to the end of the drill, unless their charges are declined.
    #[must_use]
    pub fn kept_plans(&self) -> usize {
        let is_kept = |fate| matches!(fate, PlanFate::Keep | PlanFate::RefundPart);
        let keeps = |buyer: &&Buyer| buyer.plan_in.is_some() && is_kept(buyer.plan_fate);
        self.buyers.iter().filter(keeps).count()
    }
}

impl Purchase {
    fn draw(random: &mut StdRng) -> Self {
        let country = if random.random_bool(0.6) { Country::Other } else { Country::Korea };
        let drawn = random.random_range(0..100);
        let fate = match (drawn, country) {
            // A card is charged at once, so that only orders at PayPal can be canceled.
            (0..12, Country::Other) => Fate::Cancel { is_approved: random.random_bool(0.5) },
            (12..24, _) => Fate::RefundOwn { requests: 1 },
            (24..29, _) => Fate::RefundOwn { requests: 2 },
            (29..42, _) => Fate::RefundPart { percent: random.random_range(1..100) },
            _ => Fate::Keep,
        };
        Self { country, fate, pause: Duration::from_millis(random.random_range(0..50)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_repeats_every_choice() {
        assert_eq!(Plan::draw(7, &QUICK), Plan::draw(7, &QUICK));
        assert_ne!(Plan::draw(7, &QUICK), Plan::draw(8, &QUICK));
    }

    #[test]
    fn plan_has_what_its_size_says() {
        let plan = Plan::draw(1, &FULL);
        assert_eq!((plan.buyers.len(), plan.codes.len(), plan.kills.len()), (FULL.buyers, FULL.codes, FULL.kills));
        let with_paypal = plan.buyers.iter().filter(|buyer| buyer.plan_in == Some(Country::Other)).count();
        assert_eq!(with_paypal, FULL.subscribers / 3);
        for size in [QUICK, FULL] {
            let plan = Plan::draw(1, &size);
            let with = |fate| plan.buyers.iter().filter(|one| one.plan_in.is_some() && one.plan_fate == fate).count();
            let canceled = size.subscribers.div_ceil(9);
            assert_eq!((with(PlanFate::Cancel), with(PlanFate::RefundPart)), (canceled, 1));
            assert_eq!((with(PlanFate::RefundAtPayPal), plan.kept_plans()), (1, size.subscribers - canceled - 1));
        }
        let purchases: Vec<&Purchase> = plan.buyers.iter().flat_map(|buyer| &buyer.purchases).collect();
        assert_eq!(purchases.len(), FULL.purchases);
        assert!(plan.kills.is_sorted_by_key(|kill| kill.progress));
        let of = |wanted: fn(&Fate) -> bool| purchases.iter().filter(|one| wanted(&one.fate)).count();
        assert!(of(|fate| matches!(fate, Fate::Cancel { .. })) > 50);
        assert!(of(|fate| matches!(fate, Fate::RefundOwn { requests: 2 })) > 30);
        assert!(of(|fate| matches!(fate, Fate::RefundPart { .. })) > 100);
    }

    #[test]
    fn secrets_of_a_card_have_no_short_digits() {
        let card = Card::draw(&mut StdRng::seed_from_u64(3));
        assert_eq!((card.number.len(), card.identity.len(), card.grouped('-').len()), (16, 10, 19));
        assert!(card.secrets().iter().all(|secret| secret.len() >= 10), "{:?}", card.secrets());
    }
}
