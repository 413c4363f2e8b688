//! Public pages of the site itself, as opposed to pages of users' content.

/// A public page of the site itself.
pub struct OwnPage {
    /// The path without the leading slash.
    pub path: &'static str,
    /// Title and description.
    pub en: (&'static str, &'static str),
    pub ko: (&'static str, &'static str),
}

/// All such pages, for link previews and the sitemap.
pub const OWN_PAGES: [OwnPage; 15] = [
    OwnPage {
        path: "",
        en: ("Verdigraph", "Make pictures with node graphs, in the browser or by API."),
        ko: ("Verdigraph", "노드 그래프로 브라우저와 API에서 이미지를 만드세요."),
    },
    OwnPage {
        path: "intro",
        en: ("What Verdigraph is", "Run node graphs as simple forms, publish your own, or call them by API."),
        ko: ("Verdigraph 소개", "노드 그래프를 간단한 폼으로 실행하고, 직접 공개하고, API로 호출하세요."),
    },
    OwnPage {
        path: "apps",
        en: ("Mini apps", "Workflows with a form in front. No graph to wire."),
        ko: ("미니 앱", "폼으로 바로 쓰는 워크플로우. 그래프를 연결할 필요가 없습니다."),
    },
    OwnPage {
        path: "easy-app/background-remover",
        en: ("Background remover", "Make the background of your pictures transparent, up to 20 at once."),
        ko: ("배경 제거", "사진의 배경을 투명하게 만듭니다. 한 번에 20장까지 할 수 있습니다."),
    },
    OwnPage {
        path: "easy-app/face-swap",
        en: ("Face swap", "Put a face on another picture."),
        ko: ("얼굴 바꾸기", "사진 속 얼굴을 다른 얼굴로 바꿉니다."),
    },
    OwnPage {
        path: "easy-app/image-to-prompt",
        en: ("Image to prompt", "Get a prompt that describes your picture."),
        ko: ("이미지를 프롬프트로", "사진을 설명하는 프롬프트를 만듭니다."),
    },
    OwnPage {
        path: "gallery", en: ("Gallery", "What people have made."), ko: ("갤러리", "사람들이 만든 작품입니다.")
    },
    OwnPage {
        path: "workflows",
        en: ("Workflows", "Node graphs to look at, run and copy."),
        ko: ("워크플로우", "보고, 실행하고, 복사할 수 있는 노드 그래프입니다."),
    },
    OwnPage {
        path: "basic-workflows",
        en: ("Basic workflows", "Graphs to begin with, checked by the people who run this site."),
        ko: ("기본 워크플로우", "사이트 운영자가 확인한, 처음 시작하기 좋은 그래프입니다."),
    },
    OwnPage {
        path: "create/image",
        en: ("Make a picture", "Mini apps that draw: choose one, fill in a form, press Run."),
        ko: ("이미지 만들기", "그림을 그리는 미니 앱을 고르고, 폼을 채우고, 실행하세요."),
    },
    OwnPage {
        path: "create/video",
        en: ("Make a video", "Mini apps that make films: choose one, fill in a form, press Run."),
        ko: ("동영상 만들기", "동영상을 만드는 미니 앱을 고르고, 폼을 채우고, 실행하세요."),
    },
    OwnPage {
        path: "youtube-community",
        en: ("Videos", "Tutorials and showcases from the community."),
        ko: ("동영상", "커뮤니티의 강좌와 작품 영상입니다."),
    },
    OwnPage {
        path: "mobile-search",
        en: ("Search", "Find workflows, pictures and people."),
        ko: ("검색", "워크플로우와 이미지, 사람을 찾아보세요."),
    },
    OwnPage {
        path: "terms",
        en: ("Terms of use", "What you agree to when you use Verdigraph."),
        ko: ("이용약관", "Verdigraph를 이용할 때 동의하는 내용입니다."),
    },
    OwnPage {
        path: "privacy",
        en: ("Privacy policy", "What Verdigraph keeps about you, for how long, and why."),
        ko: ("개인정보 처리방침", "Verdigraph가 어떤 정보를 왜, 얼마나 오래 보관하는지 알립니다."),
    },
];
