//! The sizes of renditions.

use crate::assets::storage::paths::Form;

/// A WebP rendition.
#[derive(Clone, Copy)]
pub(super) struct RenditionSpec {
    pub form: Form,
    /// Maximum width and height, in pixels.
    pub size: (u32, u32),
    /// From 0 to 100.
    pub quality: f32,
}

pub(super) const CARD: RenditionSpec = RenditionSpec { form: Form::W200, size: (200, 200), quality: 78.0 };

/// Grids crop pictures that are more than twice as high as wide.
pub(super) const CELL: RenditionSpec = RenditionSpec { form: Form::W480, size: (480, 960), quality: 75.0 };

pub(super) const PANEL: RenditionSpec = RenditionSpec { form: Form::W960, size: (960, 1920), quality: 80.0 };

pub(super) const SCREEN: RenditionSpec = RenditionSpec { form: Form::Optimal, size: (2048, 2048), quality: 85.0 };
