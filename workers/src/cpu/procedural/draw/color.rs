//! Colors: linear light for mixing, OKLab for gradients, sRGB for outputs.

use std::sync::LazyLock;

/// Red, green and blue in linear light, 0 to 1 (more for glowing parts).
pub(in super::super) type Rgb = [f32; 3];

/// A named color gradient, from dark to light.
pub(in super::super) struct Palette {
    pub(in super::super) name: &'static str,
    stops: &'static [u32],
}

pub(in super::super) const PALETTES: &[Palette] = &[
    Palette { name: "verdigris", stops: &[0x08_1c1c, 0x0f_4444, 0x2b_8a80, 0x7d_c8a8, 0xe9_dcb5, 0xfb_f6e6] },
    Palette { name: "ember", stops: &[0x0b_0508, 0x3f_0d1f, 0x9d_2026, 0xe9_642b, 0xf9_b750, 0xff_f2d2] },
    Palette { name: "dusk", stops: &[0x12_0d2e, 0x3c_1d5c, 0x8c_306f, 0xde_5b63, 0xf7_a274, 0xfd_e8c6] },
    Palette { name: "ocean", stops: &[0x04_101f, 0x0a_2f55, 0x13_689a, 0x40_b1c4, 0xa9_e3d8, 0xf8_fbef] },
    Palette { name: "forest", stops: &[0x0b_1410, 0x1e_3a28, 0x46_7340, 0x94_ac52, 0xde_d68c, 0xf9_f2dc] },
    Palette { name: "nordic", stops: &[0x18_1f2b, 0x33_465c, 0x69_89a2, 0xa9_c1c9, 0xe2_ddd0, 0xf7_f3ea] },
    Palette { name: "ink", stops: &[0x0d_0d13, 0x2c_2d37, 0x61_646c, 0xa1_a09c, 0xd9_d3c5, 0xf7_f1e3] },
    Palette { name: "rose", stops: &[0x1d_0f16, 0x5a_2838, 0xaa_575c, 0xde_9b84, 0xf2_cfb3, 0xff_f5e6] },
    Palette { name: "aurora", stops: &[0x05_0a1c, 0x0c_3144, 0x0f_806d, 0x58_d18b, 0xb8_b8f0, 0xf5_eaff] },
    Palette { name: "candy", stops: &[0x22_0f45, 0x6b_1f8a, 0xe0_3b8d, 0xff_8b71, 0xff_d267, 0xff_f8e2] },
    Palette { name: "gilded", stops: &[0x09_0c2a, 0x1d_2a6b, 0x4f_4a8f, 0xc4_973b, 0xf2_d37b, 0xff_f7da] },
    Palette { name: "orchard", stops: &[0x1c_1a2e, 0x2f_5d62, 0x6f_a87f, 0xf0_c05a, 0xe8_7f4a, 0xfb_efd8] },
];

/// A palette as a lookup table.
pub(in super::super) struct Gradient {
    table: Vec<Rgb>,
}

const STEPS: usize = 1024;

impl Palette {
    /// A smooth gradient, perceptually even in OKLab.
    pub(in super::super) fn gradient(&self) -> Gradient {
        let stops: Vec<Rgb> = self.stops.iter().map(|stop| to_oklab(from_hex(*stop))).collect();
        let table = (0..=STEPS)
            .map(|step| {
                let at = super::coordinate(step) / super::coordinate(STEPS) * super::coordinate(stops.len() - 1);
                let low = super::index(at).min(stops.len() - 2);
                from_oklab(mix(stops[low], stops[low + 1], at - super::coordinate(low)))
            })
            .collect();
        Gradient { table }
    }
}

impl Gradient {
    /// The colour at 0 (darkest) to 1 (lightest).
    pub(in super::super) fn at(&self, t: f32) -> Rgb {
        let at = t.clamp(0.0, 1.0) * super::coordinate(STEPS);
        let low = super::index(at).min(STEPS - 1);
        match (self.table.get(low), self.table.get(low + 1)) {
            (Some(a), Some(b)) => mix(*a, *b, at - super::coordinate(low)),
            _ => [0.0; 3],
        }
    }

    /// The color at any number, going back and forth along the palette.
    pub(in super::super) fn swing(&self, t: f32) -> Rgb {
        let t = t.rem_euclid(2.0);
        self.at(if t > 1.0 { 2.0 - t } else { t })
    }
}

pub(in super::super) fn mix(a: Rgb, b: Rgb, t: f32) -> Rgb {
    [super::lerp(a[0], b[0], t), super::lerp(a[1], b[1], t), super::lerp(a[2], b[2], t)]
}

pub(in super::super) fn scale(color: Rgb, by: f32) -> Rgb {
    color.map(|part| part * by)
}

pub(in super::super) fn add(a: Rgb, b: Rgb) -> Rgb {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Perceived luminance, linear.
pub(in super::super) fn luminance(color: Rgb) -> f32 {
    0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
}

/// Mixes a color towards black or white in OKLab: `by` from -1 to 1.
pub(in super::super) fn lighten(color: Rgb, by: f32) -> Rgb {
    let mut lab = to_oklab(color);
    lab[0] = (lab[0] + by).clamp(0.0, 1.0);
    from_oklab(lab).map(|part| part.max(0.0))
}

/// Soft-clips values above white, channel by channel.
pub(in super::super) fn tone(color: Rgb) -> Rgb {
    color.map(|part| if part <= 0.6 { part.max(0.0) } else { 0.6 + 0.4 * (1.0 - libm::expf((0.6 - part) / 0.4)) })
}

pub(in super::super) fn from_hex(hex: u32) -> Rgb {
    #[expect(clippy::cast_precision_loss, reason = "8 bits are exact")]
    let part = |shift: u32| decode(((hex >> shift) & 255) as f32 / 255.0);
    [part(16), part(8), part(0)]
}

/// sRGB to linear light.
pub(in super::super) fn decode(x: f32) -> f32 {
    static TABLE: LazyLock<Vec<f32>> = LazyLock::new(|| {
        (0..=STEPS).map(|step| decode_exactly(super::coordinate(step) / super::coordinate(STEPS))).collect()
    });
    let at = x.clamp(0.0, 1.0) * super::coordinate(STEPS);
    interpolate(&TABLE, at)
}

fn decode_exactly(x: f32) -> f32 {
    if x <= 0.040_45 { x / 12.92 } else { libm::powf((x + 0.055) / 1.055, 2.4) }
}

/// Linear light to sRGB. The table is indexed by square roots, which gives the dark end more entries.
pub(in super::super) fn encode(x: f32) -> f32 {
    static TABLE: LazyLock<Vec<f32>> = LazyLock::new(|| {
        (0..=STEPS)
            .map(|step| {
                let root = super::coordinate(step) / super::coordinate(STEPS);
                let x = root * root;
                if x <= 0.003_130_8 { x * 12.92 } else { 1.055 * libm::powf(x, 1.0 / 2.4) - 0.055 }
            })
            .collect()
    });
    interpolate(&TABLE, x.clamp(0.0, 1.0).sqrt() * super::coordinate(STEPS))
}

fn interpolate(table: &[f32], at: f32) -> f32 {
    let low = super::index(at).min(STEPS - 1);
    match (table.get(low), table.get(low + 1)) {
        (Some(a), Some(b)) => super::lerp(*a, *b, at - super::coordinate(low)),
        _ => 0.0,
    }
}

fn to_oklab(c: Rgb) -> Rgb {
    let l = libm::cbrtf(0.412_221_46 * c[0] + 0.536_332_55 * c[1] + 0.051_445_995 * c[2]);
    let m = libm::cbrtf(0.211_903_5 * c[0] + 0.680_699_5 * c[1] + 0.107_396_96 * c[2]);
    let s = libm::cbrtf(0.088_302_46 * c[0] + 0.281_718_85 * c[1] + 0.629_978_7 * c[2]);
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

fn from_oklab(c: Rgb) -> Rgb {
    let l = c[0] + 0.396_337_78 * c[1] + 0.215_803_76 * c[2];
    let m = c[0] - 0.105_561_346 * c[1] - 0.063_854_17 * c[2];
    let s = c[0] - 0.089_484_18 * c[1] - 1.291_485_5 * c[2];
    let (l, m, s) = (l * l * l, m * m * m, s * s * s);
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
}
