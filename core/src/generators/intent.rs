//! What a sentence asks for: which kind of generator.
//!
//! Words decide, in English and Korean, and the most specific rule comes first. A sentence without any of them describes
//! a picture. Korean words are matched by their stems, because endings follow.

use super::recipe::Task;
use crate::workflows::Makes;

/// The task that a sentence asks for. One that names no kind of output asks for `makes`.
pub(super) fn task_for(sentence: &str, makes: Option<Makes>) -> Task {
    match (task_of(sentence), makes) {
        (Task::TextToImage, Some(Makes::Video)) => Task::TextToVideo,
        (Task::ImageToImage, Some(Makes::Video)) => Task::ImageToVideo,
        (Task::TextToImage, Some(Makes::Audio)) => Task::TextToAudio,
        (task, _) => task,
    }
}

/// The task that a sentence asks for.
fn task_of(sentence: &str) -> Task {
    let asks = Sentence::new(sentence);
    let own = asks.has(OWN_PICTURE);
    let own_video = asks.has(OWN_VIDEO);
    let own_sound = asks.has(OWN_SOUND) && !asks.has(VIDEO) && !asks.has(PICTURE);
    let rules = [
        (asks.has(CUT_OUT), Task::RemoveBackground),
        (asks.has(BACKGROUND) && asks.has(REMOVE) && (own || !asks.has(NO_GROUND)), Task::RemoveBackground),
        (asks.has(FACE_SWAP) || (asks.has(FACE) && asks.has(SWAP)), Task::SwapFace),
        (asks.has(DESCRIBE) && (own || asks.has(PICTURE)), Task::DescribeImage),
        (asks.has(PROMPT_OF), Task::DescribeImage),
        (asks.has(TO_3D) || (own && asks.has(MODEL_3D)), Task::ImageTo3D),
        (asks.has(ENLARGE), Task::Upscale),
        (own_video && asks.has(SOUND), Task::TextToAudio),
        (own_video, Task::VideoToVideo),
        (own_sound, Task::SoundToSound),
        (asks.has(MORPH) || (asks.has(TWO_PICTURES) && (asks.has(VIDEO) || asks.has(ANIMATE))), Task::FramesToVideo),
        (asks.has(VIDEO) && own, Task::ImageToVideo),
        (asks.has(ANIMATE) && (own || asks.has(PICTURE)), Task::ImageToVideo),
        (asks.has(MOVE) && own && !asks.has(REMOVE), Task::ImageToVideo),
        (asks.has(VIDEO), Task::TextToVideo),
        (asks.has(NEW_3D), Task::TextTo3D),
        (asks.has(SOUND), Task::TextToAudio),
        (own && asks.has(REMOVE), Task::Inpaint),
        (asks.has(FILL_IN), Task::Inpaint),
        (own || (asks.has(COMBINE) && asks.has(SEVERAL_PICTURES)), Task::ImageToImage),
    ];
    rules.into_iter().find_map(|(applies, task)| applies.then_some(task)).unwrap_or(Task::TextToImage)
}

/// Words or phrases. English ones match whole words, Korean ones anywhere, except that a first word of one syllable
/// matches a whole word.
type Words = &'static [&'static str];

const BACKGROUND: Words = &["background", "backdrop", "배경"];
const REMOVE: Words = &[
    "remove",
    "removes",
    "removing",
    "erase",
    "delete",
    "cut",
    "without",
    "transparent",
    "rid",
    "제거",
    "지우",
    "지워",
    "없애",
    "투명",
    "빼",
    "날려",
];
/// A new picture that is to have no background.
const NO_GROUND: Words = &[
    "with transparent background",
    "with a transparent background",
    "on transparent background",
    "on a transparent background",
    "on a transparent backdrop",
    "without background",
    "without a background",
    "투명한 배경의",
    "투명 배경의",
    "투명한 배경에",
    "배경이 투명한",
    "배경 없는",
];
const CUT_OUT: Words = &["cut out my", "cut out the", "cutout", "background remover", "누끼"];
const FACE_SWAP: Words = &["face swap", "faceswap", "swap faces", "페이스 스왑", "얼굴 합성"];
const FACE: Words = &["face", "faces", "얼굴"];
const SWAP: Words = &["swap", "replace", "exchange", "바꿔", "바꾸", "교체"];
const DESCRIBE: Words = &["describe", "description", "caption", "what is in", "설명해", "묘사해"];
const PROMPT_OF: Words = &[
    "image to prompt",
    "picture to prompt",
    "photo to prompt",
    "prompt from",
    "prompt of this",
    "prompt for this",
    "프롬프트로",
    "프롬프트 뽑",
    "프롬프트를 뽑",
    "프롬프트 추출",
    "프롬프트를 알려",
];
/// Other sentences with "3d" ask for a picture in that style.
const MODEL_3D: Words = &["3d model", "3d object", "3d mesh", "glb", "3d 모델", "3d모델", "3차원 모델", "입체 모델"];
/// The sentence asks for a 3D model itself.
const NEW_3D: Words = &[
    "3d model of",
    "3d models of",
    "3d object of",
    "3d mesh",
    "text to 3d",
    "words to 3d",
    "glb",
    "stl",
    "3d printable",
    "3d 모델로 만들",
    "3d 모델을 만들",
    "3d 모델 만들",
    "3d모델로 만들",
    "3d모델을 만들",
    "3d모델 만들",
    "3차원 모델을",
    "입체 모델을",
    "텍스트를 3d로",
    "글을 3d로",
];
const TO_3D: Words = &["image to 3d", "picture to 3d", "photo to 3d", "이미지를 3d로", "사진을 3d로", "그림을 3d로"];
const PICTURE: Words = &["picture", "photo", "image", "사진", "이미지", "그림"];
const ENLARGE: Words = &[
    "upscale",
    "upscaled",
    "upscaling",
    "enlarge",
    "higher resolution",
    "high resolution version",
    "bigger and sharper",
    "4x larger",
    "업스케일",
    "고화질로",
    "고해상도로",
    "해상도를",
    "화질을",
    "선명하게",
];
const VIDEO: Words = &["video", "videos", "film of", "movie", "clip", "영상", "비디오", "동영상"];
const ANIMATE: Words = &["animate", "bring to life", "come alive", "움직이게", "움직여"];
/// A picture can show motion; only one that the user has is to be moved, and not to get rid of what moves in it.
const MOVE: Words = &["in motion", "move", "moves", "moving"];
/// The sentence is about a video that the user has.
const OWN_VIDEO: Words = &[
    "my video",
    "my videos",
    "my clip",
    "my film",
    "this video",
    "this clip",
    "video to video",
    "내 영상",
    "제 영상",
    "이 영상",
    "내 동영상",
    "제 동영상",
    "이 동영상",
    "내 비디오",
];
/// The sentence is about a sound that the user has.
const OWN_SOUND: Words = &[
    "my song",
    "my songs",
    "my music",
    "my melody",
    "my recording",
    "this song",
    "this music",
    "this melody",
    "this recording",
    "내 노래",
    "제 노래",
    "이 노래",
    "내 음악",
    "이 음악",
    "이 곡을",
    "내 곡을",
];
const TWO_PICTURES: Words = &[
    "two pictures",
    "two photos",
    "two images",
    "first and last picture",
    "first and last image",
    "first and last frame",
    "first frame",
    "last frame",
    "last frames",
    "두 사진",
    "두 이미지",
    "사진 두 장",
    "이미지 두 장",
    "두 장의",
    "첫 장면과",
    "첫 프레임",
    "마지막 프레임",
];
const MORPH: Words =
    &["morph", "morphing", "transition between two", "first last frame", "두 사진을 잇", "두 이미지를 잇", "모핑"];
const SOUND: Words = &[
    "music",
    "song",
    "melody",
    "soundtrack",
    "sound of",
    "beat",
    "jingle",
    "음악",
    "노래를",
    "멜로디",
    "소리를",
    "배경음",
];
const FILL_IN: Words = &["inpaint", "inpainting", "fill in the masked", "인페인팅", "마스크한 곳", "마스크 부분"];
const COMBINE: Words = &["combine", "merge", "blend", "put together", "합쳐", "합치", "합성", "섞어"];
const SEVERAL_PICTURES: Words = &[
    "two pictures",
    "two photos",
    "two images",
    "three pictures",
    "three photos",
    "three images",
    "these pictures",
    "these photos",
    "these images",
    "두 사진",
    "두 이미지",
    "세 사진",
    "사진들",
    "사진 두 장",
    "이미지 두 장",
    "사진 세 장",
];
/// The sentence is about a picture that the user has.
const OWN_PICTURE: Words = &[
    "my photo",
    "my photos",
    "my picture",
    "my pictures",
    "my image",
    "my selfie",
    "my portrait",
    "this photo",
    "this picture",
    "this image",
    "the photo",
    "a photo of mine",
    "from my photo",
    "내 사진",
    "제 사진",
    "이 사진",
    "이 이미지",
    "내 그림",
    "이 그림",
    "사진을",
    "사진에서",
    "이미지를",
    "이미지에서",
    "셀카를",
];

/// Phrases that name a thing in a picture with words that otherwise ask for something, and what stands for them.
const THINGS: &[(&str, &str)] = &[
    ("everything in the background", "background"),
    ("in the background", ""),
    ("배경에 있는", ""),
    ("배경 속", ""),
    ("clip art", "drawing"),
    ("movie poster", "poster"),
    ("film of dust", "dust"),
    ("video game", "game"),
    ("video games", "games"),
    ("music box", "box"),
    ("music festival", "festival"),
    ("music stand", "stand"),
    ("music notes", "notes"),
    ("music player", "player"),
    ("sheet music", "notes"),
    ("listening to music", "listening"),
    ("listens to music", "listens"),
    ("playing music", "playing"),
    ("with a caption", ""),
    ("with the caption", ""),
    ("an upscale of", "upscaled"),
    ("an upscale", "a"),
    ("영상미", ""),
    ("비디오 게임", "게임"),
    ("비디오게임", "게임"),
    ("음악을 듣는 사람", "사람"),
    ("음악을 듣는 소녀", "소녀"),
    ("음악을 듣는 소년", "소년"),
    ("음악을 듣고 있는", ""),
    ("음악회", ""),
    ("음악 축제", "축제"),
    ("음악가", ""),
    ("노래를 부르는", ""),
    ("노래를 듣는", ""),
];

struct Sentence {
    /// In lower case, with single spaces and one at each end, without punctuation.
    words: String,
}

impl Sentence {
    fn new(sentence: &str) -> Self {
        let spaced: String =
            sentence.to_lowercase().chars().map(|c| if c.is_alphanumeric() || c == '\'' { c } else { ' ' }).collect();
        let mut words = format!(" {} ", spaced.split_whitespace().collect::<Vec<_>>().join(" "));
        for (thing, stands) in THINGS {
            words = match thing.is_ascii() {
                true => words.replace(&format!(" {thing} "), &format!(" {stands} ")),
                false => words.replace(thing, stands),
            };
        }
        Self { words }
    }

    fn has(&self, words: Words) -> bool {
        words.iter().any(|word| match word.is_ascii() {
            true => self.words.contains(&format!(" {word} ")),
            // Other words end with this syllable: a picture of a cat, `고양이 사진`, is not this picture, `이 사진`.
            false if word.chars().nth(1) == Some(' ') => self.words.contains(&format!(" {word}")),
            false => self.words.contains(word),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_ask_for_the_task_of_the_table() {
        let table = include_str!("../../tests/data/generators/sentences.table");
        let (mut wrong, mut count) = (Vec::new(), 0);
        for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (task, sentence) = line.split_once('|').expect("a task and a sentence");
            let found = format!("{:?}", task_of(sentence.trim()));
            count += 1;
            if found != task.trim() {
                wrong.push(format!("{sentence}: {found} instead of {task}"));
            }
        }
        assert!(count >= 60, "only {count} sentences");
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn sentence_that_names_no_kind_asks_for_what_its_page_makes() {
        for (sentence, makes, task) in [
            ("a lighthouse in a storm", None, Task::TextToImage),
            ("a lighthouse in a storm", Some(Makes::Image), Task::TextToImage),
            ("a lighthouse in a storm", Some(Makes::Video), Task::TextToVideo),
            ("폭풍 속의 등대", Some(Makes::Video), Task::TextToVideo),
            ("폭풍 속의 등대", Some(Makes::Audio), Task::TextToAudio),
            ("my photo as an oil painting", Some(Makes::Video), Task::ImageToVideo),
            ("remove the background from my photo", Some(Makes::Video), Task::RemoveBackground),
            ("a video of waves", Some(Makes::Image), Task::TextToVideo),
        ] {
            assert_eq!(task_for(sentence, makes), task, "{sentence}, {makes:?}");
        }
    }
}
