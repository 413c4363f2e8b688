//! Which pixels of a small picture belong to the subject.
//!
//! 1. The pixels along the border are background, except those that disagree with their own smooth surface, and colors
//!    that only appear along the middle of one side, where a subject enters the picture. The surface and a mixture of
//!    the differences from it model the background. Where the surface fits badly, a mixture of the colors themselves
//!    counts as well.
//! 2. A pixel is as likely subject as its color is unlikely background. A random walker smooths this along edges.
//! 3. The colors of the subject are now known: both models are fitted again to the whole picture, as in GrabCut, twice.
//! 4. Specks and pinholes are removed.

use super::grid::{Check, Grid, Rgb, dot, number};
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
    // A fortieth of the longer side.
    let rim = (picture.width.max(picture.height) / 40).max(1);
    let mut is_subject: Vec<bool> = vec![false; count];
    let mut surface = Surface::default();
    let mut background = Mixture::default();
    for round in 0..=ROUNDS {
        check()?;
        let is_background = |at: usize| match hints.get(at) {
            Some(hint) if hint.keep > 0.5 || hint.transparent > 0.5 => false,
            _ if round == 0 => picture.is_rim(at, rim),
            _ => is_subject.get(at) == Some(&false),
        };
        let spots: Vec<Spot> = (0..count).filter(|at| is_background(*at)).map(|at| Spot::of(picture, at)).collect();
        let agrees;
        (surface, agrees) = Surface::fit(&spots);
        let used = spots.iter().zip(&agrees).filter(|(_, agrees)| **agrees || round > 0).map(|(spot, _)| spot);
        // Along the border, colors of one side alone belong to a subject that enters the picture there.
        let mixture = |spots: &[&Spot], color: &dyn Fn(&Spot) -> Rgb| {
            let colors: Vec<Rgb> = spots.iter().copied().map(color).collect();
            let mixture = Mixture::fit(&colors);
            if round > 0 {
                return mixture;
            }
            let sides: Vec<Option<Side>> = spots.iter().copied().map(Spot::side).collect();
            mixture.without_local(&colors, &sides)
        };
        background = mixture(&used.collect::<Vec<_>>(), &|spot| surface.residual(spot));
        // A surface that fits badly does not describe the background: then its colors count wherever they are.
        let is_rough = roughness(&spots, &surface) > ROUGH;
        let scattered = is_rough.then(|| mixture(&spots.iter().collect::<Vec<_>>(), &|spot| spot.color));
        let inside = |at: &usize| is_subject.get(*at) == Some(&true) && !is_clear(hints, *at);
        let colors: Vec<Rgb> = (0..count).filter(inside).filter_map(|at| picture.data.get(at).copied()).collect();
        let subject = (colors.len() > 20).then(|| Mixture::fit(&colors));
        let prior: Vec<f32> = (0..count)
            .map(|at| {
                let spot = Spot::of(picture, at);
                let anywhere = scattered.as_ref().map_or(f32::NEG_INFINITY, |mixture| mixture.log_density(spot.color));
                let behind = background.log_density(surface.residual(&spot)).max(anywhere);
                // Before the subject's colors are known, every color is as likely.
                let front = subject.as_ref().map_or(0.0, |subject| subject.log_density(spot.color).max(-2.0));
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
    Ok(Subject { mask: Grid { width: picture.width, height: picture.height, data }, surface, background })
}

/// The root mean square distance of the spots from the surface. Far spots count alike.
fn roughness(spots: &[Spot], surface: &Surface) -> f32 {
    let square = |spot: &Spot| {
        let apart = surface.residual(spot);
        dot(apart, apart).min(0.04)
    };
    (spots.iter().map(square).sum::<f32>() / number(spots.len().max(1))).sqrt()
}

fn is_clear(hints: &[Hint], at: usize) -> bool {
    hints.get(at).is_some_and(|hint| hint.transparent > 0.5)
}
