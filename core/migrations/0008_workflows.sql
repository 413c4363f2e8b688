-- Workflows: graphs, and what they are as posts to others. Lists read `workflows`; the graphs, which are wide, stand
-- apart.

-- A workflow as people know it. The row of a deleted one stays, for what refers to it; words and graphs go.
CREATE TABLE workflows (
    id              uuid        PRIMARY KEY,
    -- No foreign key: people's rows stay for good.
    user_id         uuid        NOT NULL,
    name            text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    -- Sanitised HTML.
    description     text        NOT NULL DEFAULT '',
    -- What it is called and says in other languages than the one it was written in, by language:
    -- {"ko": {"name": "…", "description": "<p>…</p>"}}. Descriptions are sanitised HTML.
    translations    jsonb       NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(translations) = 'object'),
    is_private      boolean     NOT NULL DEFAULT true,
    is_nsfw         boolean     NOT NULL DEFAULT false,
    -- No foreign key: the upload goes while a deleted workflow still names it.
    cover_asset_id  uuid,
    -- The mini app made from it, while there is one. No foreign key: it is of a room above, where rows stay for good.
    workflow_api_id uuid,
    -- What that mini app takes and makes, as words: lists are filtered by it. NULL until the sweep has found it out.
    app_takes       text[]      CHECK (app_takes <@ '{image, text}'),
    app_makes       text[]      CHECK (app_makes <@ '{image, video, audio, text, file}'),
    -- The graph that counts: the newest row of workflow_versions.
    version         integer     NOT NULL CHECK (version > 0),
    like_count      bigint      NOT NULL DEFAULT 0 CHECK (like_count >= 0),
    view_count      bigint      NOT NULL DEFAULT 0 CHECK (view_count >= 0),
    launch_count    bigint      NOT NULL DEFAULT 0 CHECK (launch_count >= 0),
    -- When an admin put it among the basic workflows, and its place there: the largest comes first. A new one gets its
    -- time in microseconds, and so the first place. NULL for all others.
    basic_at        timestamptz,
    basic_rank      bigint,
    -- The words of name, description and tags, and those of the name alone. NULL until the sweep has found them.
    search          tsvector,
    search_name     tsvector,
    created_at      timestamptz NOT NULL,
    edited_at       timestamptz NOT NULL,
    -- When it was made public, first or again; NULL while it never was.
    published_at    timestamptz,
    -- Since when only admins may publish it.
    locked_at       timestamptz,
    deleted_at      timestamptz,
    -- When the versions of its mini app went too: after it was deleted, as soon as no job needs them any more.
    forgotten_at    timestamptz
);

-- One index for each order. What is public, hidden, safe or not is a choice among the first two columns, so that these
-- serve the public lists and every filter of the admins' list alike.
CREATE INDEX workflows_by_id_idx ON workflows (is_private, is_nsfw, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX workflows_by_likes_idx ON workflows (is_private, is_nsfw, like_count DESC, id DESC)
    WHERE deleted_at IS NULL;
CREATE INDEX workflows_by_views_idx ON workflows (is_private, is_nsfw, view_count DESC, id DESC)
    WHERE deleted_at IS NULL;
CREATE INDEX workflows_by_date_idx ON workflows
    (is_private, is_nsfw, coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00') DESC, id DESC)
    WHERE deleted_at IS NULL;
CREATE INDEX workflows_basic_by_rank_idx ON workflows (basic_rank DESC, id DESC)
    WHERE deleted_at IS NULL AND basic_at IS NOT NULL;
-- One for each order of the list of published mini apps.
CREATE INDEX workflows_apps_by_date_idx ON workflows (published_at DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw AND workflow_api_id IS NOT NULL;
CREATE INDEX workflows_apps_by_likes_idx ON workflows (like_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw AND workflow_api_id IS NOT NULL;
CREATE INDEX workflows_apps_by_views_idx ON workflows (view_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw AND workflow_api_id IS NOT NULL;
-- The lists of one person.
CREATE INDEX workflows_mine_idx ON workflows (user_id, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX workflows_published_of_idx ON workflows (user_id, published_at DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private;
CREATE INDEX workflows_unpublished_of_idx ON workflows (user_id, id DESC) WHERE deleted_at IS NULL AND is_private;
-- A search by words. What is called so comes first: it is found without looking at all that only speaks of it.
CREATE INDEX workflows_search_idx ON workflows USING gin (search) WHERE deleted_at IS NULL AND NOT is_private;
CREATE INDEX workflows_search_name_idx ON workflows USING gin (search_name) WHERE deleted_at IS NULL AND NOT is_private;

-- The names of a workflow in all languages, letter by letter. Typing errors are forgiven by the groups of three letters
-- that two texts share. A Hangul syllable is one sign of two or three letters: taken apart (NFD), a wrong letter leaves
-- the others alike.
CREATE FUNCTION workflow_letters(name text, translations jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN normalize(
        name || coalesce(' ' || (translations #>> '{en,name}'), '')
            || coalesce(' ' || (translations #>> '{ko,name}'), ''),
        NFD
    );
CREATE INDEX workflows_letters_trigrams_idx ON workflows USING gin (workflow_letters(name, translations) gin_trgm_ops)
    WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw;

-- Which workflows show a picture.
CREATE INDEX workflows_cover_idx ON workflows (cover_asset_id) WHERE cover_asset_id IS NOT NULL;
-- What the sweep has to do.
CREATE INDEX workflows_without_words_idx ON workflows (id) WHERE deleted_at IS NULL AND search IS NULL;
CREATE INDEX workflows_without_traits_idx ON workflows (id)
    WHERE deleted_at IS NULL AND workflow_api_id IS NOT NULL AND app_makes IS NULL;
CREATE INDEX workflows_to_forget_idx ON workflows (deleted_at) WHERE deleted_at IS NOT NULL AND forgotten_at IS NULL;

-- A graph of a workflow, as it was saved; never changed. `json` and not `jsonb`: graphs come back with nodes and inputs
-- in the order in which they were sent, and nothing ever searches inside them.
CREATE TABLE workflow_versions (
    workflow_id  uuid        NOT NULL REFERENCES workflows ON DELETE CASCADE,
    version      integer     NOT NULL CHECK (version > 0),
    -- What the editor draws.
    ui_graph     json,
    -- What a worker runs.
    api_prompt   json,
    -- SHA-256 over the canonical JSON of both.
    content_hash text        NOT NULL,
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (workflow_id, version)
);

-- A picture of a workflow's gallery.
CREATE TABLE workflow_thumbnails (
    workflow_id uuid     NOT NULL REFERENCES workflows ON DELETE CASCADE,
    position    smallint NOT NULL CHECK (position >= 0),
    -- No foreign key: the upload goes while a deleted workflow still names it.
    asset_id    uuid     NOT NULL,
    PRIMARY KEY (workflow_id, position)
);
-- Which workflows show a picture.
CREATE INDEX workflow_thumbnails_asset_idx ON workflow_thumbnails (asset_id);

-- Somebody's like.
CREATE TABLE workflow_likes (
    workflow_id uuid        NOT NULL REFERENCES workflows ON DELETE CASCADE,
    user_id     uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at  timestamptz NOT NULL,
    PRIMARY KEY (workflow_id, user_id)
);
-- Somebody's favourites.
CREATE INDEX workflow_likes_of_user_idx ON workflow_likes (user_id, created_at DESC, workflow_id DESC);

-- A tag, in both languages. They are a tree of two levels, which admins keep.
CREATE TABLE workflow_tags (
    id         uuid        PRIMARY KEY,
    parent_id  uuid        REFERENCES workflow_tags,
    -- 0 for the roots, 1 for those below them.
    depth      smallint    NOT NULL CHECK (depth BETWEEN 0 AND 1),
    name       text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 50),
    name_ko    text        NOT NULL CHECK (char_length(name_ko) BETWEEN 1 AND 50),
    -- Its place among those of the same parent.
    position   integer     NOT NULL DEFAULT 0 CHECK (position >= 0),
    created_at timestamptz NOT NULL,
    CONSTRAINT workflow_tags_roots_have_no_parent_check CHECK ((parent_id IS NULL) = (depth = 0))
);
-- Tags of one parent have different names.
CREATE UNIQUE INDEX workflow_tags_name_key ON workflow_tags
    (coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid), lower(name));

-- A tag of a workflow: those that its owner chose, in their order, and, without a position, the parents of those, so
-- that a search by either is one range of one index. `is_nsfw` and `listed_at` repeat the workflow's row while it is
-- published.
CREATE TABLE workflow_tag_links (
    workflow_id uuid        NOT NULL REFERENCES workflows ON DELETE CASCADE,
    tag_id      uuid        NOT NULL REFERENCES workflow_tags,
    position    smallint    CHECK (position >= 0),
    is_nsfw     boolean     NOT NULL DEFAULT false,
    listed_at   timestamptz,
    PRIMARY KEY (workflow_id, tag_id)
);
CREATE INDEX workflow_tag_links_listed_idx ON workflow_tag_links (tag_id, is_nsfw, listed_at DESC, workflow_id DESC)
    WHERE listed_at IS NOT NULL;
-- Who has a tag.
CREATE INDEX workflow_tag_links_of_tag_idx ON workflow_tag_links (tag_id);

-- The tags that an installation begins with.
INSERT INTO workflow_tags (id, parent_id, depth, name, name_ko, position, created_at)
SELECT id::uuid, parent_id::uuid, depth, name, name_ko, position,
       TIMESTAMPTZ '2026-01-01 00:00:00+00' + place * INTERVAL '1 second'
FROM (VALUES
    ('01970000-0000-7000-8000-000000000100', NULL, 0, 'Image', '이미지', 1, 1),
    ('01970000-0000-7000-8000-000000000101', '01970000-0000-7000-8000-000000000100', 1, 'Text to image', '텍스트로 이미지', 1, 2),
    ('01970000-0000-7000-8000-000000000102', '01970000-0000-7000-8000-000000000100', 1, 'Image to image', '이미지 변환', 2, 3),
    ('01970000-0000-7000-8000-000000000103', '01970000-0000-7000-8000-000000000100', 1, 'Inpainting', '인페인팅', 3, 4),
    ('01970000-0000-7000-8000-000000000104', '01970000-0000-7000-8000-000000000100', 1, 'Upscaling', '업스케일링', 4, 5),
    ('01970000-0000-7000-8000-000000000105', '01970000-0000-7000-8000-000000000100', 1, 'Background removal', '배경 제거', 5, 6),
    ('01970000-0000-7000-8000-000000000106', '01970000-0000-7000-8000-000000000100', 1, 'Face', '얼굴', 6, 7),
    ('01970000-0000-7000-8000-000000000200', NULL, 0, 'Video', '비디오', 2, 8),
    ('01970000-0000-7000-8000-000000000201', '01970000-0000-7000-8000-000000000200', 1, 'Text to video', '텍스트로 비디오', 1, 9),
    ('01970000-0000-7000-8000-000000000202', '01970000-0000-7000-8000-000000000200', 1, 'Image to video', '이미지로 비디오', 2, 10),
    ('01970000-0000-7000-8000-000000000203', '01970000-0000-7000-8000-000000000200', 1, 'Video to video', '비디오 변환', 3, 11),
    ('01970000-0000-7000-8000-000000000204', '01970000-0000-7000-8000-000000000200', 1, 'Lip sync', '립싱크', 4, 12),
    ('01970000-0000-7000-8000-000000000300', NULL, 0, 'Style', '스타일', 3, 13),
    ('01970000-0000-7000-8000-000000000301', '01970000-0000-7000-8000-000000000300', 1, 'Photo', '사진', 1, 14),
    ('01970000-0000-7000-8000-000000000302', '01970000-0000-7000-8000-000000000300', 1, 'Illustration', '일러스트', 2, 15),
    ('01970000-0000-7000-8000-000000000303', '01970000-0000-7000-8000-000000000300', 1, 'Anime', '애니메이션', 3, 16),
    ('01970000-0000-7000-8000-000000000304', '01970000-0000-7000-8000-000000000300', 1, '3D', '3D', 4, 17),
    ('01970000-0000-7000-8000-000000000305', '01970000-0000-7000-8000-000000000300', 1, 'Painting', '회화', 5, 18),
    ('01970000-0000-7000-8000-000000000306', '01970000-0000-7000-8000-000000000300', 1, 'Line art', '라인 아트', 6, 19),
    ('01970000-0000-7000-8000-000000000307', '01970000-0000-7000-8000-000000000300', 1, 'Abstract', '추상', 7, 20),
    ('01970000-0000-7000-8000-000000000308', '01970000-0000-7000-8000-000000000300', 1, 'Generative', '제너러티브', 8, 21),
    ('01970000-0000-7000-8000-000000000400', NULL, 0, 'Subject', '주제', 4, 22),
    ('01970000-0000-7000-8000-000000000401', '01970000-0000-7000-8000-000000000400', 1, 'People', '인물', 1, 23),
    ('01970000-0000-7000-8000-000000000402', '01970000-0000-7000-8000-000000000400', 1, 'Landscape', '풍경', 2, 24),
    ('01970000-0000-7000-8000-000000000403', '01970000-0000-7000-8000-000000000400', 1, 'Animals', '동물', 3, 25),
    ('01970000-0000-7000-8000-000000000404', '01970000-0000-7000-8000-000000000400', 1, 'Nature', '자연', 4, 26),
    ('01970000-0000-7000-8000-000000000405', '01970000-0000-7000-8000-000000000400', 1, 'Space', '우주', 5, 27),
    ('01970000-0000-7000-8000-000000000406', '01970000-0000-7000-8000-000000000400', 1, 'Architecture', '건축', 6, 28),
    ('01970000-0000-7000-8000-000000000407', '01970000-0000-7000-8000-000000000400', 1, 'Product', '제품', 7, 29),
    ('01970000-0000-7000-8000-000000000408', '01970000-0000-7000-8000-000000000400', 1, 'Pattern', '패턴', 8, 30),
    ('01970000-0000-7000-8000-000000000500', NULL, 0, 'Purpose', '용도', 5, 31),
    ('01970000-0000-7000-8000-000000000501', '01970000-0000-7000-8000-000000000500', 1, 'Wallpaper', '배경화면', 1, 32),
    ('01970000-0000-7000-8000-000000000502', '01970000-0000-7000-8000-000000000500', 1, 'Poster', '포스터', 2, 33),
    ('01970000-0000-7000-8000-000000000503', '01970000-0000-7000-8000-000000000500', 1, 'Texture', '텍스처', 3, 34),
    ('01970000-0000-7000-8000-000000000504', '01970000-0000-7000-8000-000000000500', 1, 'Game asset', '게임 에셋', 4, 35),
    ('01970000-0000-7000-8000-000000000505', '01970000-0000-7000-8000-000000000500', 1, 'Marketing', '마케팅', 5, 36),
    ('01970000-0000-7000-8000-000000000506', '01970000-0000-7000-8000-000000000500', 1, 'Map', '지도', 6, 37),
    ('01970000-0000-7000-8000-000000000600', NULL, 0, 'Model', '모델', 6, 38),
    ('01970000-0000-7000-8000-000000000601', '01970000-0000-7000-8000-000000000600', 1, 'SD 1.5', 'SD 1.5', 1, 39),
    ('01970000-0000-7000-8000-000000000602', '01970000-0000-7000-8000-000000000600', 1, 'SDXL', 'SDXL', 2, 40),
    ('01970000-0000-7000-8000-000000000603', '01970000-0000-7000-8000-000000000600', 1, 'SD3', 'SD3', 3, 41),
    ('01970000-0000-7000-8000-000000000604', '01970000-0000-7000-8000-000000000600', 1, 'Flux', 'Flux', 4, 42),
    ('01970000-0000-7000-8000-000000000605', '01970000-0000-7000-8000-000000000600', 1, 'LoRA', 'LoRA', 5, 43),
    ('01970000-0000-7000-8000-000000000606', '01970000-0000-7000-8000-000000000600', 1, 'ControlNet', 'ControlNet', 6, 44)
) AS first(id, parent_id, depth, name, name_ko, position, place)
ORDER BY place;
