-- What users write about their uploads and outputs: names, tags and metadata, as clients of Comfy Cloud do.

CREATE TABLE library_notes (
    -- The id of an upload or of an output. They stay after a file is deleted, as its row does.
    asset_id   uuid        PRIMARY KEY,
    user_id    uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    -- NULL keeps the name of the file.
    name       text        CHECK (char_length(name) BETWEEN 1 AND 200),
    tags       text[]      NOT NULL,
    metadata   jsonb       NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    written_at timestamptz NOT NULL
);
CREATE INDEX library_notes_user_idx ON library_notes (user_id);

-- The newest uploads and outputs of a user, so many of each, with their notes: those that have all tags of the first list and
-- none of the second, a part in their names in any case, and these fields in their metadata. A file without notes has one
-- tag.
CREATE FUNCTION library_of(owner uuid, moment timestamptz, most bigint, included text[], excluded text[], part text,
                           fields jsonb)
RETURNS TABLE (id uuid, is_output boolean, name text, size_bytes bigint, tags text[], metadata jsonb,
               created_at timestamptz, updated_at timestamptz)
LANGUAGE sql STABLE AS $$
    SELECT noted.id, noted.is_output, noted.name, noted.size_bytes, noted.tags, noted.metadata, noted.created_at,
           noted.updated_at
    FROM (
        SELECT file.id, file.is_output, coalesce(note.name, file.name) AS name, file.size_bytes,
               coalesce(note.tags, ARRAY[CASE WHEN file.is_output THEN 'output' ELSE 'input' END]) AS tags,
               coalesce(note.metadata, '{}') AS metadata, file.created_at,
               coalesce(note.written_at, file.created_at) AS updated_at
        FROM (
            (SELECT a.id, false AS is_output, a.name, f.size_bytes, a.created_at
             FROM assets a JOIN files f ON f.content = a.content
             WHERE a.user_id = owner AND a.deleted_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > moment)
             ORDER BY a.id DESC LIMIT most)
            UNION ALL
            (SELECT o.id, true, coalesce(o.name, o.id::text), o.size_bytes, o.created_at
             FROM output_assets o
             WHERE o.user_id = owner AND o.deleted_at IS NULL
             ORDER BY o.id DESC LIMIT most)
        ) file
        LEFT JOIN library_notes note ON note.asset_id = file.id
    ) noted
    WHERE noted.tags @> included AND NOT noted.tags && excluded
      AND (part IS NULL OR strpos(lower(noted.name), lower(part)) > 0) AND noted.metadata @> fields
$$;
