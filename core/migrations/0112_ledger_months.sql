-- Entries and holds by month. The rows of past months do not change, so vacuum, caches and backups have little to do
-- with them. Statements of the previous version work unchanged: they insert into and update the same names.
--
-- No old row is copied. The old tables become the partition of the current month, which also has everything before it.
-- Later months have tables of their own. The ids of entries and jobs begin with their millisecond, so a month of ids is
-- a range.

ALTER TABLE credit_holds RENAME TO old_credit_holds;
ALTER INDEX credit_holds_pkey RENAME TO old_credit_holds_pkey;
ALTER TABLE credit_entries RENAME TO old_credit_entries;
ALTER INDEX credit_entries_pkey RENAME TO old_credit_entries_pkey;
ALTER INDEX credit_entries_account_idx RENAME TO old_credit_entries_account_idx;

-- What a job may spend. A settlement changes the state and thereby moves the row from the small table of open holds into
-- the month of its job. A primary key here would need the state too, so each part has its own key of the job's id. A
-- second hold of a job that has ended is therefore possible; audits report it.
CREATE TABLE credit_holds (LIKE old_credit_holds INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY LIST (state);
CREATE TABLE credit_holds_open PARTITION OF credit_holds (PRIMARY KEY (job_id)) FOR VALUES IN (0)
    -- Each row is soon a dead one.
    WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
CREATE TABLE credit_holds_settled PARTITION OF credit_holds (PRIMARY KEY (job_id)) FOR VALUES IN (1)
    PARTITION BY RANGE (job_id);
-- For months without a table: no settlement may fail for lack of one.
CREATE TABLE credit_holds_settled_default PARTITION OF credit_holds_settled DEFAULT;

-- A movement of credits. Append-only.
CREATE TABLE credit_entries (LIKE old_credit_entries INCLUDING DEFAULTS INCLUDING CONSTRAINTS, PRIMARY KEY (id))
    PARTITION BY RANGE (id);
CREATE INDEX credit_entries_account_idx ON credit_entries (account_id, id DESC);
CREATE TABLE credit_entries_default PARTITION OF credit_entries DEFAULT;

WITH open AS (DELETE FROM old_credit_holds WHERE state = 0 RETURNING *) INSERT INTO credit_holds SELECT * FROM open;

DO $$
DECLARE
    month   CONSTANT timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
    suffix  CONSTANT text := to_char(month, 'YYYY_MM');
    holds   CONSTANT text := 'credit_holds_settled_' || suffix;
    entries CONSTANT text := 'credit_entries_' || suffix;
    -- The least id of the next month.
    bound   CONSTANT uuid := rpad(lpad(to_hex((extract(epoch FROM month + interval '1 month') * 1000)::bigint), 12, '0'),
                                  32, '0')::uuid;
BEGIN
    -- Rows of clocks that are fast.
    WITH later AS (DELETE FROM old_credit_holds WHERE job_id >= bound RETURNING *)
    INSERT INTO credit_holds SELECT * FROM later;
    WITH later AS (DELETE FROM old_credit_entries WHERE id >= bound RETURNING *)
    INSERT INTO credit_entries SELECT * FROM later;

    -- One pass over each table. Attaching it needs the proof of its range, and valid constraints.
    EXECUTE format('ALTER TABLE old_credit_holds
                        ADD CONSTRAINT old_credit_holds_range CHECK (state = ''1''::smallint AND job_id < %L)', bound);
    EXECUTE format('ALTER TABLE old_credit_entries VALIDATE CONSTRAINT credit_entries_kind_check,
                        ADD CONSTRAINT old_credit_entries_range CHECK (id < %L)', bound);

    EXECUTE format('ALTER INDEX old_credit_holds_pkey RENAME TO %I', holds || '_pkey');
    EXECUTE format('ALTER INDEX old_credit_entries_pkey RENAME TO %I', entries || '_pkey');
    EXECUTE format('ALTER INDEX old_credit_entries_account_idx RENAME TO %I', entries || '_account_id_id_idx');
    EXECUTE format('ALTER TABLE old_credit_holds RENAME TO %I', holds);
    EXECUTE format('ALTER TABLE old_credit_entries RENAME TO %I', entries);
    EXECUTE format('ALTER TABLE credit_holds_settled ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', holds, bound);
    EXECUTE format('ALTER TABLE credit_entries ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', entries, bound);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT old_credit_holds_range', holds);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT old_credit_entries_range', entries);
END $$;
