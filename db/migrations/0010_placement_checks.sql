-- no transaction
ALTER TABLE ledger.accounts VALIDATE CONSTRAINT accounts_guarded_kinds;
