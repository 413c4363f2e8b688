//! Names of colors. A pixel has the name of the nearest color in Oklab, where distances are as large as they look.

use crate::cpu::background::grid::{Rgb, dot, minus, number};

/// Lightness, green to red, blue to yellow.
pub(super) type Lab = [f32; 3];

/// The names, with a typical color each.
const NAMES: [(&str, [u8; 3]); 30] = [
    ("black", [8, 8, 10]),
    ("dark grey", [64, 64, 66]),
    ("grey", [128, 128, 128]),
    ("light grey", [192, 192, 192]),
    ("white", [250, 250, 250]),
    ("cream", [250, 240, 210]),
    ("beige", [215, 195, 160]),
    ("brown", [140, 90, 50]),
    ("dark brown", [70, 45, 30]),
    ("dark red", [120, 20, 25]),
    ("red", [220, 35, 35]),
    ("salmon", [240, 145, 125]),
    ("orange", [245, 140, 30]),
    ("gold", [215, 170, 55]),
    ("yellow", [250, 225, 60]),
    ("olive", [120, 120, 45]),
    ("lime green", [165, 220, 60]),
    ("green", [50, 160, 65]),
    ("dark green", [25, 75, 40]),
    ("mint green", [160, 225, 185]),
    ("teal", [20, 125, 125]),
    ("turquoise", [65, 210, 205]),
    ("light blue", [150, 205, 240]),
    ("blue", [40, 95, 215]),
    ("navy blue", [20, 30, 90]),
    ("slate blue", [95, 120, 160]),
    ("purple", [120, 50, 160]),
    ("lavender", [190, 170, 230]),
    ("magenta", [215, 45, 160]),
    ("pink", [245, 170, 195]),
];

/// Share of the picture from which a color is named.
const NAMED: f32 = 0.07;
/// Share from which a strong color is worth a mention.
const TOUCH: f32 = 0.008;
/// Chroma of a strong color.
const STRONG: f32 = 0.13;

/// The colors of a picture in words: the largest first, then small but strong ones.
pub(super) fn words(colors: &[Rgb]) -> Vec<String> {
    let names: Vec<(&str, Lab)> =
        NAMES.iter().map(|(name, bytes)| (*name, lab(bytes.map(|byte| f32::from(byte) / 255.0)))).collect();
    let mut shares = vec![0.0_f32; names.len()];
    let one = 1.0 / number(colors.len().max(1));
    for color in colors {
        let place = lab(*color);
        let far = |(_, name): &&(&str, Lab)| distance(place, *name);
        let nearest = names.iter().enumerate().min_by(|(_, a), (_, b)| far(a).total_cmp(&far(b)));
        if let Some(share) = nearest.and_then(|(at, _)| shares.get_mut(at)) {
            *share += one;
        }
    }
    let mut order: Vec<(&str, f32, f32)> =
        names.iter().zip(&shares).map(|((name, lab), share)| (*name, *share, chroma(*lab))).collect();
    // The sort is stable: equal shares keep the order of the table.
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let named: Vec<&str> = order.iter().filter(|entry| entry.1 >= NAMED).take(4).map(|entry| entry.0).collect();
    let touches = order.iter().filter(|entry| (TOUCH..NAMED).contains(&entry.1) && entry.2 > STRONG);
    let mut words = Vec::new();
    match (named.as_slice(), order.first()) {
        ([only], _) => words.push((*only).to_owned()),
        ([first, rest @ ..], Some(largest)) if largest.1 > 0.5 => {
            words.push(format!("mostly {first} with {}", list(rest)))
        }
        ([], Some(largest)) => words.push(format!("many colours, {} most", largest.0)),
        (several, _) => words.push(list(several)),
    }
    let touches: Vec<&str> = touches.take(2).map(|entry| entry.0).collect();
    if !touches.is_empty() {
        words.push(format!("touches of {}", list(&touches)));
    }
    words
}

/// "a", "a and b", "a, b and c".
fn list(names: &[&str]) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

pub(super) fn chroma([_, a, b]: Lab) -> f32 {
    (a * a + b * b).sqrt()
}

/// Hue counts more than lightness: a shaded red is red.
fn distance(a: Lab, b: Lab) -> f32 {
    let [l, green, blue] = minus(a, b);
    let weighted = [0.7 * l, 1.6 * green, 1.6 * blue];
    dot(weighted, weighted)
}

/// Oklab of an sRGB color. Ottosson, "A perceptual color space for image processing", 2020.
pub(super) fn lab(color: Rgb) -> Lab {
    let linear = color.map(|part| if part <= 0.04045 { part / 12.92 } else { libm::powf((part + 0.055) / 1.055, 2.4) });
    let l = libm::cbrtf(dot([0.412_221_46, 0.536_332_55, 0.051_445_995], linear));
    let m = libm::cbrtf(dot([0.211_903_5, 0.680_699_5, 0.107_396_96], linear));
    let s = libm::cbrtf(dot([0.088_302_46, 0.281_718_85, 0.629_978_7], linear));
    let cones = [l, m, s];
    [
        dot([0.210_454_26, 0.793_617_8, -0.004_072_047], cones),
        dot([1.977_998_5, -2.428_592_2, 0.450_593_7], cones),
        dot([0.025_904_037, 0.782_771_77, -0.808_675_77], cones),
    ]
}
