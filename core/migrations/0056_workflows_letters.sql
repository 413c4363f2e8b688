-- Typing errors are forgiven by the groups of three letters that two texts share. A Hangul syllable is one sign of two or
-- three letters: taken apart (NFD), a wrong letter leaves the others alike.
CREATE FUNCTION workflow_letters(name text, translations jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN normalize(
        name || coalesce(' ' || (translations #>> '{en,name}'), '') || coalesce(' ' || (translations #>> '{ko,name}'), ''),
        NFD
    );
DROP INDEX workflows_name_trigrams;
CREATE INDEX workflows_letters_trigrams ON workflows USING gin (workflow_letters(name, translations) gin_trgm_ops)
    WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw;
