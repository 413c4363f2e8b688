//! Which pixels of a small picture belong to the subject.
//!
//! 1. The pixels along the border are background, except those that disagree with their own smooth surface, and colors
//!    that only appear along the middle of one side, where a subject enters the picture. The surface and a mixture of
//!    the differences from it model the background. Where the surface fits badly, a mixture of the colors themselves
//!    counts as well.
//! 2. A pixel is as likely subject as its color is unlikely background. A random walker smooths this along edges.
//! 3. The colors of the subject are now known: both models are fitted again to the whole picture, as in GrabCut, twice.
//! 4. Specks and pinholes are removed.

use super::grid::{Check, Grid, Rgb, dot, minus, number, share};
use super::mixture::Mixture;
use super::regions;
use super::surface::{Side, Spot, Surface};
use super::walker::Walker;
use crate::cpu::node::NodeError;

/// Longer side of the picture in which the subject is sought.
pub(super) const SIDE: usize = 224;
/// Rounds with models fitted to both regions.
const ROUNDS: usize = 2;
/// How strongly a pixel's own color counts against its neighbours'.
const STRENGTH: f32 = 0.12;
/// Distance from the surface above which the background is not smooth.
const ROUGH: f32 = 0.05;
/// Largest logarithm of the odds that a color gives.
const CERTAIN: f32 = 5.0;

/// What the caller knows about a pixel of the small picture, each from 0 to 1.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hint {
    pub(super) keep: f32,
    pub(super) transparent: f32,
}

pub(super) struct Subject {
    /// 1 where the subject is, 0 for the background.
    pub(super) mask: Grid<[f32; 1]>,
    pub(super) surface: Surface,
    /// Differences of the background from its surface.
    pub(super) background: Mixture,
    /// Share of pixels of the subject.
    pub(super) share: f32,
}

/// `bias` is added to the logarithm of the odds that a pixel is background.
pub(super) fn find(
    picture: &Grid<Rgb>,
    hints: &[Hint],
    bias: f32,
    keep_holes: bool,
    check: Check<'_>,
) -> Result<Subject, NodeError> {
    let walker = Walker::new(picture);
    let count = picture.data.len();
    let mut is_subject: Vec<bool> = vec![false; count];
    let mut surface = Surface::default();
    let mut background = Mixture::default();
    for round in 0..=ROUNDS {
        check()?;
        let is_background = |at: usize| match hints.get(at) {
            Some(hint) if hint.keep > 0.5 || hint.transparent > 0.5 => false,
            _ if round == 0 => is_rim(picture, at),
            _ => is_subject.get(at) == Some(&false),
        };
        let spots: Vec<Spot> = (0..count).filter(|at| is_background(*at)).map(|at| spot(picture, at)).collect();
        let agrees;
        (surface, agrees) = Surface::fit(&spots);
        let used = spots.iter().zip(&agrees).filter(|(_, agrees)| **agrees || round > 0).map(|(spot, _)| spot);
        let residuals: Vec<Rgb> = used.clone().map(|spot| minus(spot.color, surface.at(spot.u, spot.v))).collect();
        background = Mixture::fit(&residuals);
        if round == 0 {
            let sides: Vec<Option<Side>> = used.map(Spot::side).collect();
            background = background.without_local(&residuals, &sides);
        }
        // A surface that fits badly does not describe the background: then its colors count wherever they are.
        let scattered = (roughness(&spots, &surface) > ROUGH).then(|| {
            let colors: Vec<Rgb> = spots.iter().map(|spot| spot.color).collect();
            let mixture = Mixture::fit(&colors);
            if round > 0 {
                return mixture;
            }
            let sides: Vec<Option<Side>> = spots.iter().map(Spot::side).collect();
            mixture.without_local(&colors, &sides)
        });
        let inside = |at: &usize| is_subject.get(*at) == Some(&true) && !is_clear(hints, *at);
        let colors: Vec<Rgb> = (0..count).filter(inside).filter_map(|at| picture.data.get(at).copied()).collect();
        let subject = (colors.len() > 20).then(|| Mixture::fit(&colors));
        let prior: Vec<f32> = (0..count)
            .map(|at| {
                let Spot { u, v, color } = spot(picture, at);
                let anywhere = scattered.as_ref().map_or(f32::NEG_INFINITY, |mixture| mixture.log_density(color));
                let behind = background.log_density(minus(color, surface.at(u, v))).max(anywhere);
                // Before the subject's colors are known, every color is as likely.
                let front = subject.as_ref().map_or(0.0, |subject| subject.log_density(color).max(-2.0));
                let odds = (front - behind - bias).clamp(-CERTAIN, CERTAIN);
                match hints.get(at) {
                    Some(hint) if hint.transparent > 0.5 => 0.0,
                    Some(hint) if hint.keep > 0.5 => 1.0,
                    _ => 1.0 / (1.0 + libm::expf(-odds)),
                }
            })
            .collect();
        let smooth = walker.spread(&prior, STRENGTH, check)?;
        is_subject = smooth.iter().map(|value| *value > 0.5).collect();
        let holes = if keep_holes { count } else { count / 1500 };
        let keep: Vec<bool> = hints.iter().map(|hint| hint.keep > 0.5).collect();
        regions::clean(&mut is_subject, picture.width, count / 800, holes, &keep);
    }
    let data: Vec<[f32; 1]> = is_subject.iter().map(|subject| [f32::from(u8::from(*subject))]).collect();
    let part = number(is_subject.iter().filter(|subject| **subject).count()) / number(count.max(1));
    Ok(Subject { mask: Grid { width: picture.width, height: picture.height, data }, surface, background, share: part })
}

/// The root mean square distance of the spots from the surface. Far spots count alike.
fn roughness(spots: &[Spot], surface: &Surface) -> f32 {
    let square = |spot: &Spot| {
        let apart = minus(spot.color, surface.at(spot.u, spot.v));
        dot(apart, apart).min(0.04)
    };
    (spots.iter().map(square).sum::<f32>() / number(spots.len().max(1))).sqrt()
}

fn is_clear(hints: &[Hint], at: usize) -> bool {
    hints.get(at).is_some_and(|hint| hint.transparent > 0.5)
}

fn spot(picture: &Grid<Rgb>, at: usize) -> Spot {
    let (x, y) = (at % picture.width, at / picture.width);
    let color = picture.data.get(at).copied().unwrap_or_default();
    Spot { u: share(x, picture.width), v: share(y, picture.height), color }
}

/// Whether a pixel lies along the border: a fortieth of the longer side.
fn is_rim(picture: &Grid<Rgb>, at: usize) -> bool {
    let (x, y) = (at % picture.width, at / picture.width);
    let rim = (picture.width.max(picture.height) / 40).max(1);
    x < rim || y < rim || x + rim >= picture.width || y + rim >= picture.height
}
