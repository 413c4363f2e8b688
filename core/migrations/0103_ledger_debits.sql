-- Credits of one grant that were taken back. An older version that runs beside this one may change such a lot: it leaves
-- `debited` as it is. It cannot show a statement with a debit, and its audits report the accounts that have one.
-- The new constraints are not validated: every row that met the old ones meets them, and to look at each row would stop
-- the ledger for that time.
ALTER TABLE credit_grants
    ADD COLUMN debited bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT credit_grants_debited_check CHECK (debited >= 0) NOT VALID,
    DROP CONSTRAINT credit_grants_add_up_check,
    ADD CONSTRAINT credit_grants_add_up_check CHECK (remaining + held + spent + expired + debited = amount) NOT VALID;

-- 0 grant, 1 hold, 2 capture, 3 release, 4 expire, 5 debit
ALTER TABLE credit_entries
    DROP CONSTRAINT credit_entries_kind_check,
    ADD CONSTRAINT credit_entries_kind_check CHECK (kind BETWEEN 0 AND 5) NOT VALID;

-- `lot_debited` of a proof from before this, or by an older version, is shorter than its lots: it has no debits.
ALTER TABLE credit_proofs
    ADD COLUMN debited     numeric  NOT NULL DEFAULT 0,
    ADD COLUMN lot_debited bigint[] NOT NULL DEFAULT '{}',
    DROP CONSTRAINT credit_proofs_add_up_check,
    ADD CONSTRAINT credit_proofs_add_up_check CHECK (granted = available + held + spent + expired + debited) NOT VALID;
