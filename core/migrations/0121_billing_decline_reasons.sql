-- Why a charge was declined, in the words of its provider. Programs that run from before this migration write none, and do
-- not clear it if the money is taken later; it means nothing without the failure `DECLINED`.
ALTER TABLE orders ADD COLUMN decline_reason text;
