//! How many models of one recipe have a mini app of their own: a server may have hundreds of checkpoints. The forms of
//! these apps offer the other models.

use std::collections::{BTreeMap, HashMap};

use super::offer::Offer;
use super::store::Row;

/// Models of a recipe that get an app of their own.
pub(super) const MOST_APPS: usize = 6;
/// Published apps of a recipe, with connected models, above which only [`MOST_APPS`] stay. The distance between both
/// limits keeps apps of workers that come and go from being hidden and published in turn.
const MOST_PUBLISHED: usize = 2 * MOST_APPS;

/// Offers within the limit.
pub(super) struct BoundedOffers<'a> {
    /// Those that get an app.
    pub offers: Vec<Offer>,
    /// Published apps beyond the limit.
    pub surplus: Vec<&'a Row>,
}

/// Chooses the offers of connected workers that get an app: first those that have one, then by the names of their models.
/// `connected` has those of a recipe one after the other. Models of workers that are away stay in the choices: a worker
/// that comes or goes does not change the forms, for which programs are written.
pub(super) fn bounded<'a>(
    connected: &[Offer],
    away: &[Offer],
    rows: &HashMap<(&str, &str), &'a Row>,
) -> BoundedOffers<'a> {
    let mut found = BoundedOffers { offers: Vec::with_capacity(connected.len()), surplus: Vec::new() };
    for of_recipe in connected.chunk_by(|a, b| a.recipe.id == b.recipe.id) {
        let is_of_recipe = |offer: &&Offer| of_recipe.first().is_some_and(|one| one.recipe.id == offer.recipe.id);
        let all = away.iter().filter(is_of_recipe).chain(of_recipe);
        // Of a model that both have, the connected one stays.
        let all: BTreeMap<&str, &Offer> = all.map(|offer| (offer.model.as_str(), offer)).collect();
        if all.len() <= MOST_APPS {
            found.offers.extend_from_slice(of_recipe);
            continue;
        }
        let mut by_name: Vec<&Offer> = of_recipe.iter().collect();
        by_name.sort_by_key(|offer| offer.model.as_str());
        let row_of = |offer: &Offer| rows.get(&(offer.recipe.id.as_str(), offer.model.as_str())).copied();
        let is_published = |offer: &Offer| row_of(offer).is_some_and(|row| row.workflow.is_some() && !row.is_retired());
        let (mut kept, new): (Vec<&Offer>, Vec<&Offer>) = by_name.into_iter().partition(|&offer| is_published(offer));
        if kept.len() > MOST_PUBLISHED {
            found.surplus.extend(kept.drain(MOST_APPS..).filter_map(row_of));
        }
        let room = MOST_APPS.saturating_sub(kept.len());
        kept.extend(new.into_iter().take(room));
        let choices: Vec<&Offer> = all.into_values().collect();
        found.offers.extend(kept.into_iter().map(|offer| offer.with_choices(&choices)));
    }
    found
}
