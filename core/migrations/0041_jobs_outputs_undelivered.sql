-- A note about a piece of an output that the job could not deliver: its name, why, and how many pieces it stands for.
ALTER TABLE job_outputs ADD COLUMN undelivered jsonb;
ALTER TABLE job_outputs DROP CONSTRAINT job_outputs_text_or_file_check;
ALTER TABLE job_outputs ADD CONSTRAINT job_outputs_one_piece_check
    CHECK (num_nonnulls(text, output_asset_id, undelivered) = 1);
