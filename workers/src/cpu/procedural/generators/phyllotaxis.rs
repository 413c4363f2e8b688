//! Petals arranged at the golden angle, as in sunflowers.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{lighten, mix};
use super::super::draw::noise::{fbm, noise};
use super::super::draw::scene::{Scene, Shape};
use super::super::draw::{coordinate, lerp, smoothstep};
use super::super::parameters::{self, HEIGHT, SEED, Values, WIDTH, choice, float, int};

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphPhyllotaxis",
    display_name: "Phyllotaxis",
    description: "Grows a blossom of petals, each turned from the last by the golden angle, from small ones in the middle to large ones outside.",
    category: super::CATEGORY,
    parameters: &[
        WIDTH,
        HEIGHT,
        SEED,
        parameters::palette("rose"),
        int("petals", (900, 50, 4000), "How many petals there are."),
        float(
            "angle",
            (137.508, 90.0, 180.0),
            "Turn from one petal to the next, in degrees; 137.508 is the golden angle.",
        ),
        float("size", (1.0, 0.3, 2.0), "Size of the petals."),
        choice("form", &["petals", "seeds"], "Pointed petals or round seeds."),
        choice("ground", &["dark", "paper"], "A dark ground or light paper."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let mut canvas = Canvas::new(values.size(), context)?;
    let seed = values.noise_seed();
    let mut random = values.random();
    let side = canvas.short_side();
    let middle = (coordinate(canvas.width) * 0.5, coordinate(canvas.height) * 0.5);
    let gradient = values.palette().gradient();
    let paper = values.choice("ground") == "paper";
    let count = values.count("petals");
    let turn = values.float("angle").to_radians();
    let begin = random.between(0.0, std::f32::consts::TAU);
    let waves =
        (random.between(0.0, 0.10), coordinate(3 + random.below(9)), random.between(0.0, std::f32::consts::TAU));
    let mut scene = Scene::default();
    // From the outside in, so that inner petals cover outer ones.
    for number in (0..count).rev() {
        if number % 256 == 0 {
            context.check()?;
        }
        let part = (coordinate(number) + 0.5) / coordinate(count);
        let angle = begin + turn * coordinate(number);
        let (cos, sin) = (libm::cosf(angle), libm::sinf(angle));
        let ripple = 1.0 + waves.0 * part * libm::sinf(angle * waves.1 + waves.2);
        let out = 0.43 * side * libm::powf(part, 0.56) * ripple;
        let at = (middle.0 + cos * out, middle.1 + sin * out);
        let size = values.float("size") * side * 0.62 / coordinate(count).sqrt() * lerp(0.72, 1.25, part);
        let drift = noise(at.0 / side * 3.0, at.1 / side * 3.0, seed) * 0.16;
        let t = lerp(0.95, 0.20, libm::powf(part, 0.8)) + drift + random.between(-0.03, 0.03);
        let color = if paper { gradient.at(0.08 + t * 0.74) } else { gradient.at(t) };
        if values.choice("form") == "seeds" {
            push_seed(&mut scene, at, size * 0.52, color, &gradient);
        } else {
            push_petal(&mut scene, at, (cos, sin), size, color, &gradient);
        }
    }
    let ground = if paper { lighten(gradient.at(1.0), -0.01) } else { lighten(gradient.at(0.0), -0.015) };
    let inner = if paper { gradient.at(0.88) } else { gradient.at(0.14) };
    canvas.paint(context, 1, |x, y| {
        let (dx, dy) = ((x - middle.0) / side, (y - middle.1) / side);
        let glow = smoothstep(0.75, 0.1, (dx * dx + dy * dy).sqrt());
        let cloud = fbm(x / side * 2.0, y / side * 2.0, 4, seed ^ 3) * 0.5 + 0.5;
        mix(ground, inner, glow * (0.45 + 0.5 * cloud))
    })?;
    scene.paint(&mut canvas, context)?;
    Ok(canvas.finish())
}

/// A petal: a drop that opens outwards, with a shadow, a light middle and a vein.
fn push_petal(
    scene: &mut Scene,
    at: (f32, f32),
    (cos, sin): (f32, f32),
    size: f32,
    color: super::super::draw::color::Rgb,
    gradient: &super::super::draw::color::Gradient,
) {
    let to = |by: f32| (at.0 + cos * size * by, at.1 + sin * size * by);
    let body =
        |shift: f32, wide: f32| Shape::line(to(-0.75 + shift), to(0.85), (size * 0.16, size * 0.60 * wide), color);
    let dark = gradient.at(0.0);
    scene.push(Shape { color: dark, ..body(-0.1, 1.12) }.soft(size * 0.55).alpha(0.42));
    scene.push(Shape { color: lighten(color, -0.10), ..body(0.0, 1.0) });
    scene.push(body(0.04, 0.90));
    scene.push(
        Shape { color: lighten(color, 0.055), ..Shape::line(to(-0.3), to(0.95), (size * 0.06, size * 0.34), color) }
            .soft(size * 0.30),
    );
    scene.push(
        Shape { color: lighten(color, 0.12), ..Shape::line(to(-0.5), to(0.7), (size * 0.05, size * 0.014), color) }
            .alpha(0.55),
    );
}

fn push_seed(
    scene: &mut Scene,
    at: (f32, f32),
    radius: f32,
    color: super::super::draw::color::Rgb,
    gradient: &super::super::draw::color::Gradient,
) {
    scene.push(
        Shape::disc((at.0 + radius * 0.16, at.1 + radius * 0.24), radius, gradient.at(0.0))
            .soft(radius * 0.5 + 1.0)
            .alpha(0.4),
    );
    scene.push(Shape::disc(at, radius, lighten(color, -0.05)));
    scene
        .push(Shape::disc((at.0 - radius * 0.12, at.1 - radius * 0.16), radius * 0.72, color).soft(radius * 0.4 + 1.0));
    scene.push(
        Shape::disc((at.0 - radius * 0.28, at.1 - radius * 0.34), radius * 0.22, gradient.at(0.98))
            .soft(radius * 0.3 + 1.0)
            .alpha(0.55),
    );
}
