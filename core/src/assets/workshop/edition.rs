//! The smaller forms of a picture.

use crate::assets::storage::paths::Form;

/// A WebP that is made of a picture.
#[derive(Clone, Copy)]
pub(super) struct Edition {
    pub form: Form,
    /// What it fits, across and down, in pixels.
    pub size: (u32, u32),
    /// From 0 to 100.
    pub quality: f32,
}

pub(super) const CARD: Edition = Edition { form: Form::W200, size: (200, 200), quality: 78.0 };

/// Grids cut what is more than twice as high as wide.
pub(super) const CELL: Edition = Edition { form: Form::W480, size: (480, 960), quality: 75.0 };

pub(super) const PANEL: Edition = Edition { form: Form::W960, size: (960, 1920), quality: 80.0 };

pub(super) const SCREEN: Edition = Edition { form: Form::Optimal, size: (2048, 2048), quality: 85.0 };
