//! Truchet tiles: striped bands, rotated at random, that join into knots, or overlapping fans of rings.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{Gradient, Rgb, lighten, mix};
use super::super::draw::noise::{fbm, hash, hash_unit};
use super::super::draw::smoothstep;
use super::super::parameters::{self, HEIGHT, SEED, Values, WIDTH, choice, float, int};

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphTruchet",
    display_name: "Truchet Tiles",
    description: "Lays square tiles with striped bands, each turned at random, so that the bands join into endless knots.",
    category: super::CATEGORY,
    parameters: &[
        WIDTH,
        HEIGHT,
        SEED,
        parameters::palette("nordic"),
        float("tiles", (7.0, 2.0, 40.0), "How many tiles stand along the shorter side."),
        int("rings", (5, 1, 16), "How many stripes a band or a fan has."),
        choice(
            "pattern",
            &["woven", "fans"],
            "Bands that pass over and under each other, or overlapping fans of rings.",
        ),
        float("shade", (0.7, 0.0, 1.5), "How deep the shadows between layers are."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let mut canvas = Canvas::new(values.size(), context)?;
    #[expect(clippy::cast_precision_loss, reason = "at most 16")]
    let tiles = Tiles {
        seed: values.noise_seed(),
        rings: values.int("rings") as f32,
        deep: values.float("shade"),
        gradient: values.palette().gradient(),
    };
    let side = canvas.short_side() / values.float("tiles");
    let woven = values.choice("pattern") == "woven";
    canvas.paint(context, 2, |x, y| {
        let (u, v) = (x / side, y / side);
        if woven { tiles.woven(u, v) } else { tiles.fans(u, v) }
    })?;
    Ok(canvas.finish())
}

struct Tiles {
    seed: u32,
    rings: f32,
    deep: f32,
    gradient: Gradient,
}

impl Tiles {
    /// A region's position in the palette.
    fn region(&self, u: f32, v: f32) -> f32 {
        fbm(u * 0.19, v * 0.19, 3, self.seed ^ 3) * 0.75 + 0.5
    }

    /// Discs around all grid points in random order. Each is a fan where others cover it.
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "tiles are few")]
    fn fans(&self, u: f32, v: f32) -> Rgb {
        let (ix, iy) = (u.floor() as i32, v.floor() as i32);
        let points = || (iy - 1..=iy + 2).flat_map(move |cy| (ix - 1..=ix + 2).map(move |cx| (cx, cy)));
        let radius = |cx: i32, cy: i32| 0.86 + 0.38 * hash_unit(cx, cy, self.seed ^ 0x71);
        let away = |cx: i32, cy: i32| ((u - cx as f32) * (u - cx as f32) + (v - cy as f32) * (v - cy as f32)).sqrt();
        let order = |cx: i32, cy: i32| hash(cx, cy, self.seed);
        let Some((cx, cy)) =
            points().filter(|&(cx, cy)| away(cx, cy) < radius(cx, cy)).max_by_key(|&(cx, cy)| order(cx, cy))
        else {
            return self.gradient.at(0.0);
        };
        let place = away(cx, cy) / radius(cx, cy) * self.rings;
        let (ring, within) = (place.floor(), place - place.floor());
        let t = self.region(cx as f32, cy as f32) + 0.2 * (hash_unit(cx, cy, self.seed ^ 9) - 0.5);
        let swing = 0.30 * (ring / self.rings - 0.5);
        let base = if (ring as i32).rem_euclid(2) == 0 {
            self.gradient.at(t * 0.6 + 0.38 + swing)
        } else {
            self.gradient.at(t * 0.45 - 0.06 + swing)
        };
        let line = mix(lighten(base, -0.16), base, smoothstep(0.0, 0.07, within.min(1.0 - within)));
        let shadow = points()
            .filter(|&(ox, oy)| order(ox, oy) > order(cx, cy))
            .map(|(ox, oy)| libm::expf(-(away(ox, oy) - radius(ox, oy)).max(0.0) * 8.0))
            .fold(0.0, f32::max);
        lighten(line, -0.24 * self.deep * shadow)
    }

    /// Two bands per tile, each around one corner. Which one is on top is random.
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "tiles are few")]
    fn woven(&self, u: f32, v: f32) -> Rgb {
        let (ix, iy) = (u.floor() as i32, v.floor() as i32);
        let (fx, fy) = (u - ix as f32, v - iy as f32);
        let turn = hash(ix, iy, self.seed);
        let fx = if turn & 1 == 1 { 1.0 - fx } else { fx };
        let near = ((fx * fx + fy * fy).sqrt() - 0.5).abs();
        let far = (((1.0 - fx) * (1.0 - fx) + (1.0 - fy) * (1.0 - fy)).sqrt() - 0.5).abs();
        let (top, under) = if turn & 2 == 2 { (near, far) } else { (far, near) };
        const HALF: f32 = 0.36;
        let region = self.region(u, v);
        if top < HALF {
            return self.band(top / HALF, region, 0.0);
        }
        let shadow = libm::expf(-(top - HALF) * 11.0);
        if under < HALF {
            return self.band(under / HALF, region, shadow);
        }
        let gap = (top - HALF).min(under - HALF);
        lighten(self.gradient.at(0.06 + 0.1 * region), -0.07 * self.deep * libm::expf(-gap * 14.0))
    }

    /// A band's color by the distance from its middle (0) to its edge (1): stripes, darker in a shadow.
    #[expect(clippy::cast_possible_truncation, reason = "few stripes")]
    fn band(&self, out: f32, region: f32, shadow: f32) -> Rgb {
        let place = out * (self.rings * 0.5 + 0.5);
        let (stripe, within) = (place.floor(), place - place.floor());
        let base = if (stripe as i32).rem_euclid(2) == 0 {
            self.gradient.at(region * 0.6 + 0.42 - 0.12 * out)
        } else {
            self.gradient.at(region * 0.5 + 0.04)
        };
        let line = mix(lighten(base, -0.12), base, smoothstep(0.0, 0.08, within.min(1.0 - within)));
        lighten(line, 0.05 * (1.0 - out * out) - 0.03 - 0.26 * self.deep * shadow)
    }
}
