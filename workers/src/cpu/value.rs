//! Values on links.

use std::sync::Arc;

/// Images like ComfyUI's: float32 from 0 to 1, batch × height × width × channels, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageBatch {
    pub batch: usize,
    pub height: usize,
    pub width: usize,
    /// 3 (RGB) or 4 (RGBA); some nodes produce 1.
    pub channels: usize,
    /// `batch * height * width * channels` samples.
    pub data: Vec<f32>,
}

impl ImageBatch {
    #[must_use]
    pub fn filled(batch: usize, height: usize, width: usize, channels: usize, value: f32) -> Self {
        Self { batch, height, width, channels, data: vec![value; batch * height * width * channels] }
    }

    #[must_use]
    pub fn picture_len(&self) -> usize {
        self.height * self.width * self.channels
    }

    /// One picture of the batch, height × width × channels; `None` past the end.
    #[must_use]
    pub fn picture(&self, index: usize) -> Option<&[f32]> {
        let len = self.picture_len();
        self.data.get(index * len..(index + 1) * len)
    }
}

/// Masks: float32 from 0 to 1, batch × height × width.
#[derive(Debug, Clone, PartialEq)]
pub struct MaskBatch {
    pub batch: usize,
    pub height: usize,
    pub width: usize,
    pub data: Vec<f32>,
}

impl MaskBatch {
    #[must_use]
    pub fn filled(batch: usize, height: usize, width: usize, value: f32) -> Self {
        Self { batch, height, width, data: vec![value; batch * height * width] }
    }
}

/// One value on a link. Large values are shared.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Image(Arc<ImageBatch>),
    Mask(Arc<MaskBatch>),
    Text(Arc<str>),
    /// Python's integers as far as graphs use them (seeds go up to 2^64 - 1).
    Int(i128),
    Float(f64),
    Bool(bool),
    /// Any other literal of the prompt.
    Json(Arc<serde_json::Value>),
}

impl Value {
    /// Bytes this value keeps in memory.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        match self {
            Self::Image(image) => image.data.len() * size_of::<f32>(),
            Self::Mask(mask) => mask.data.len() * size_of::<f32>(),
            Self::Text(text) => text.len(),
            Self::Int(_) | Self::Float(_) | Self::Bool(_) | Self::Json(_) => size_of::<Self>(),
        }
    }

    /// Whether both share the same memory.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Image(one), Self::Image(other)) => Arc::ptr_eq(one, other),
            (Self::Mask(one), Self::Mask(other)) => Arc::ptr_eq(one, other),
            (Self::Text(one), Self::Text(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// The type's name on ComfyUI's links.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Image(_) => "IMAGE",
            Self::Mask(_) => "MASK",
            Self::Text(_) => "STRING",
            Self::Int(_) => "INT",
            Self::Float(_) => "FLOAT",
            Self::Bool(_) => "BOOLEAN",
            Self::Json(_) => "*",
        }
    }
}
