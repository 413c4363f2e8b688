-- Each attempt that is written cost a look at its delivery and an entry in an index that only the deletion of deliveries
-- used. Attempts are deleted with their webhook and by their age. Those that a program from before this migration leaves
-- behind are not shown, and are deleted by their age.
ALTER TABLE webhook_attempts DROP CONSTRAINT webhook_attempts_delivery_id_fkey;
DROP INDEX webhook_attempts_delivery_idx;
