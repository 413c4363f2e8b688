-- Accounts that were warned of credits that expire on a day (UTC). A row is deleted after that day.
CREATE TABLE credit_expiry_warnings (
    account_id uuid NOT NULL,
    expires_on date NOT NULL,
    PRIMARY KEY (account_id, expires_on)
);

-- Lots that are no allowance of a month: few, so that the warnings do not read every account at the end of a month.
CREATE INDEX credit_grants_given_expiry_idx ON credit_grants (expires_at) WHERE kind <> 0;
