-- Posts: what a workflow is to others. Its pictures, its tags, who likes it, how often it was looked at and run, and
-- an index for each order in which lists show it.

-- When an admin put it among the basic workflows; NULL for all others.
ALTER TABLE workflows ADD COLUMN basic_at timestamptz;
-- The words of name, description and tags, and those of the name alone. NULL until they were found: the sweep does so
-- for rows that were written before these columns were there.
ALTER TABLE workflows ADD COLUMN search tsvector;
ALTER TABLE workflows ADD COLUMN search_name tsvector;

-- A tree of two levels. Admins change it later; these are the ones that an installation begins with.
CREATE TABLE workflow_tags (
    id         uuid        NOT NULL,
    parent_id  uuid        REFERENCES workflow_tags,
    depth      smallint    NOT NULL,
    name       text        NOT NULL,
    name_ko    text        NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT workflow_tags_pkey PRIMARY KEY (id),
    CONSTRAINT workflow_tags_depth CHECK (depth >= 0 AND (parent_id IS NULL) = (depth = 0)),
    CONSTRAINT workflow_tags_name_length CHECK (char_length(name) BETWEEN 1 AND 50 AND char_length(name_ko) BETWEEN 1 AND 50)
);
CREATE UNIQUE INDEX workflow_tags_name_key ON workflow_tags
    (coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid), lower(name));

-- A workflow's tags in the order of its owner, and, without a position, the parents of those: so that a search by
-- either is one range of one index. `listed_at` and `is_nsfw` repeat the workflow's row while it is published.
CREATE TABLE workflow_tag_links (
    workflow_id uuid        NOT NULL REFERENCES workflows ON DELETE CASCADE,
    tag_id      uuid        NOT NULL REFERENCES workflow_tags,
    position    smallint,
    is_nsfw     boolean     NOT NULL DEFAULT false,
    listed_at   timestamptz,
    CONSTRAINT workflow_tag_links_pkey PRIMARY KEY (workflow_id, tag_id)
);
CREATE INDEX workflow_tag_links_listed ON workflow_tag_links (tag_id, is_nsfw, listed_at DESC, workflow_id DESC)
    WHERE listed_at IS NOT NULL;

CREATE TABLE workflow_thumbnails (
    workflow_id uuid     NOT NULL REFERENCES workflows ON DELETE CASCADE,
    position    smallint NOT NULL,
    asset_id    uuid     NOT NULL,
    CONSTRAINT workflow_thumbnails_pkey PRIMARY KEY (workflow_id, position)
);
CREATE INDEX workflow_thumbnails_asset ON workflow_thumbnails (asset_id);
CREATE INDEX workflows_cover ON workflows (cover_asset_id) WHERE cover_asset_id IS NOT NULL;

CREATE TABLE workflow_likes (
    workflow_id uuid        NOT NULL REFERENCES workflows ON DELETE CASCADE,
    user_id     uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at  timestamptz NOT NULL,
    CONSTRAINT workflow_likes_pkey PRIMARY KEY (workflow_id, user_id)
);
-- Somebody's favourites.
CREATE INDEX workflow_likes_of_user ON workflow_likes (user_id, created_at DESC, workflow_id DESC);

-- Who looked at or ran a workflow on a day, so that a reload does not count again. Who it was can be told neither from
-- the hash nor, once the day's salt is gone, by trying. Lost in a crash, it costs one more count for each viewer.
CREATE UNLOGGED TABLE workflow_visits (
    day         date     NOT NULL,
    workflow_id uuid     NOT NULL,
    -- 0: looked at; 1: run.
    kind        smallint NOT NULL,
    viewer      bytea    NOT NULL,
    CONSTRAINT workflow_visits_pkey PRIMARY KEY (day, workflow_id, kind, viewer)
);
CREATE TABLE workflow_visit_salts (
    day  date  NOT NULL,
    salt bytea NOT NULL,
    CONSTRAINT workflow_visit_salts_pkey PRIMARY KEY (day)
);

-- One index for each order. What is public, hidden, safe or not is a choice among the first two columns, so that these
-- serve the public lists and every filter of the admins' list alike.
CREATE INDEX workflows_by_id ON workflows (is_private, is_nsfw, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX workflows_by_likes ON workflows (is_private, is_nsfw, like_count DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX workflows_by_views ON workflows (is_private, is_nsfw, view_count DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX workflows_by_date ON workflows
    (is_private, is_nsfw, coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00') DESC, id DESC)
    WHERE deleted_at IS NULL;
CREATE INDEX workflows_basic ON workflows (basic_at DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private AND basic_at IS NOT NULL;
-- The lists of one person.
CREATE INDEX workflows_published_of ON workflows (user_id, published_at DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private;
CREATE INDEX workflows_unpublished_of ON workflows (user_id, id DESC) WHERE deleted_at IS NULL AND is_private;
CREATE INDEX workflows_search ON workflows USING gin (search) WHERE deleted_at IS NULL AND NOT is_private;
CREATE INDEX workflows_without_words ON workflows (id) WHERE deleted_at IS NULL AND search IS NULL;

INSERT INTO workflow_tags (id, parent_id, depth, name, name_ko, created_at)
SELECT id::uuid, parent_id::uuid, depth, name, name_ko, TIMESTAMPTZ '2026-01-01 00:00:00+00' + place * INTERVAL '1 second'
FROM (VALUES
    ('01970000-0000-7000-8000-000000000100', NULL, 0, 'Image', '이미지', 1),
    ('01970000-0000-7000-8000-000000000101', '01970000-0000-7000-8000-000000000100', 1, 'Text to image', '텍스트로 이미지', 2),
    ('01970000-0000-7000-8000-000000000102', '01970000-0000-7000-8000-000000000100', 1, 'Image to image', '이미지 변환', 3),
    ('01970000-0000-7000-8000-000000000103', '01970000-0000-7000-8000-000000000100', 1, 'Inpainting', '인페인팅', 4),
    ('01970000-0000-7000-8000-000000000104', '01970000-0000-7000-8000-000000000100', 1, 'Upscaling', '업스케일링', 5),
    ('01970000-0000-7000-8000-000000000105', '01970000-0000-7000-8000-000000000100', 1, 'Background removal', '배경 제거', 6),
    ('01970000-0000-7000-8000-000000000106', '01970000-0000-7000-8000-000000000100', 1, 'Face', '얼굴', 7),
    ('01970000-0000-7000-8000-000000000200', NULL, 0, 'Video', '비디오', 8),
    ('01970000-0000-7000-8000-000000000201', '01970000-0000-7000-8000-000000000200', 1, 'Text to video', '텍스트로 비디오', 9),
    ('01970000-0000-7000-8000-000000000202', '01970000-0000-7000-8000-000000000200', 1, 'Image to video', '이미지로 비디오', 10),
    ('01970000-0000-7000-8000-000000000203', '01970000-0000-7000-8000-000000000200', 1, 'Video to video', '비디오 변환', 11),
    ('01970000-0000-7000-8000-000000000204', '01970000-0000-7000-8000-000000000200', 1, 'Lip sync', '립싱크', 12),
    ('01970000-0000-7000-8000-000000000300', NULL, 0, 'Style', '스타일', 13),
    ('01970000-0000-7000-8000-000000000301', '01970000-0000-7000-8000-000000000300', 1, 'Photo', '사진', 14),
    ('01970000-0000-7000-8000-000000000302', '01970000-0000-7000-8000-000000000300', 1, 'Illustration', '일러스트', 15),
    ('01970000-0000-7000-8000-000000000303', '01970000-0000-7000-8000-000000000300', 1, 'Anime', '애니메이션', 16),
    ('01970000-0000-7000-8000-000000000304', '01970000-0000-7000-8000-000000000300', 1, '3D', '3D', 17),
    ('01970000-0000-7000-8000-000000000305', '01970000-0000-7000-8000-000000000300', 1, 'Painting', '회화', 18),
    ('01970000-0000-7000-8000-000000000306', '01970000-0000-7000-8000-000000000300', 1, 'Line art', '라인 아트', 19),
    ('01970000-0000-7000-8000-000000000307', '01970000-0000-7000-8000-000000000300', 1, 'Abstract', '추상', 20),
    ('01970000-0000-7000-8000-000000000308', '01970000-0000-7000-8000-000000000300', 1, 'Generative', '제너러티브', 21),
    ('01970000-0000-7000-8000-000000000400', NULL, 0, 'Subject', '주제', 22),
    ('01970000-0000-7000-8000-000000000401', '01970000-0000-7000-8000-000000000400', 1, 'People', '인물', 23),
    ('01970000-0000-7000-8000-000000000402', '01970000-0000-7000-8000-000000000400', 1, 'Landscape', '풍경', 24),
    ('01970000-0000-7000-8000-000000000403', '01970000-0000-7000-8000-000000000400', 1, 'Animals', '동물', 25),
    ('01970000-0000-7000-8000-000000000404', '01970000-0000-7000-8000-000000000400', 1, 'Nature', '자연', 26),
    ('01970000-0000-7000-8000-000000000405', '01970000-0000-7000-8000-000000000400', 1, 'Space', '우주', 27),
    ('01970000-0000-7000-8000-000000000406', '01970000-0000-7000-8000-000000000400', 1, 'Architecture', '건축', 28),
    ('01970000-0000-7000-8000-000000000407', '01970000-0000-7000-8000-000000000400', 1, 'Product', '제품', 29),
    ('01970000-0000-7000-8000-000000000408', '01970000-0000-7000-8000-000000000400', 1, 'Pattern', '패턴', 30),
    ('01970000-0000-7000-8000-000000000500', NULL, 0, 'Purpose', '용도', 31),
    ('01970000-0000-7000-8000-000000000501', '01970000-0000-7000-8000-000000000500', 1, 'Wallpaper', '배경화면', 32),
    ('01970000-0000-7000-8000-000000000502', '01970000-0000-7000-8000-000000000500', 1, 'Poster', '포스터', 33),
    ('01970000-0000-7000-8000-000000000503', '01970000-0000-7000-8000-000000000500', 1, 'Texture', '텍스처', 34),
    ('01970000-0000-7000-8000-000000000504', '01970000-0000-7000-8000-000000000500', 1, 'Game asset', '게임 에셋', 35),
    ('01970000-0000-7000-8000-000000000505', '01970000-0000-7000-8000-000000000500', 1, 'Marketing', '마케팅', 36),
    ('01970000-0000-7000-8000-000000000506', '01970000-0000-7000-8000-000000000500', 1, 'Map', '지도', 37),
    ('01970000-0000-7000-8000-000000000600', NULL, 0, 'Model', '모델', 38),
    ('01970000-0000-7000-8000-000000000601', '01970000-0000-7000-8000-000000000600', 1, 'SD 1.5', 'SD 1.5', 39),
    ('01970000-0000-7000-8000-000000000602', '01970000-0000-7000-8000-000000000600', 1, 'SDXL', 'SDXL', 40),
    ('01970000-0000-7000-8000-000000000603', '01970000-0000-7000-8000-000000000600', 1, 'SD3', 'SD3', 41),
    ('01970000-0000-7000-8000-000000000604', '01970000-0000-7000-8000-000000000600', 1, 'Flux', 'Flux', 42),
    ('01970000-0000-7000-8000-000000000605', '01970000-0000-7000-8000-000000000600', 1, 'LoRA', 'LoRA', 43),
    ('01970000-0000-7000-8000-000000000606', '01970000-0000-7000-8000-000000000600', 1, 'ControlNet', 'ControlNet', 44)
) AS first(id, parent_id, depth, name, name_ko, place)
ORDER BY place;
