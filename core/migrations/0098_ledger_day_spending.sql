-- What an account has spent on its last day of UTC with a charge, for the ceiling that its owner may set. It starts at 0:
-- what was spent on the day of this migration does not count.
ALTER TABLE credit_accounts
    ADD COLUMN day   date   NOT NULL DEFAULT '1970-01-01',
    ADD COLUMN spent bigint NOT NULL DEFAULT 0 CHECK (spent >= 0);
