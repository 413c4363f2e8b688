-- As names of workflows: compared letter by letter, in Hangul too.
DROP INDEX output_assets_label_idx;
CREATE INDEX output_assets_label_trigrams ON output_assets USING gin (normalize(label, NFD) gin_trgm_ops)
    WHERE deleted_at IS NULL AND NOT is_private AND label <> '';
