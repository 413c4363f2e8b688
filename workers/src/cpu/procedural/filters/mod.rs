//! Nodes that change pictures.

use super::Recipe;

pub(super) const RECIPES: &[&Recipe] = &[];
