-- SQL that drizzle-kit cannot generate, except the ledger's: rows of every installation, constraints, triggers, and the
-- functions that restore a backup.

-- The roles, and the default tabs and niche of the marketplace, that every installation has.
INSERT INTO roles (name, is_built_in) VALUES ('Admin', true), ('User', true), ('Seller', true);
--> statement-breakpoint
INSERT INTO post_types (name, position) VALUES ('Guest posts', 1), ('Homepage links', 2), ('Innerpage links', 3), ('Sitewide links', 4);
--> statement-breakpoint
INSERT INTO niches (name) VALUES ('General');
--> statement-breakpoint

-- The wallet's own currency. An admin adds a rate for each other currency that sites are sold in.
INSERT INTO exchange_rates (id, currency, usd_micros_per_unit) VALUES ('00000000000000000000000usd', 'USD', 1000000);
--> statement-breakpoint
ALTER TABLE "payment_reversals"
	ADD CONSTRAINT "payment_reversals_amounts" CHECK ("amount_minor" >= 0 AND "amount_cents" >= 0 AND "excess_minor" >= 0),
	ADD CONSTRAINT "payment_reversals_money" CHECK ("money" IN ('kept', 'taken', 'returned')),
	ADD CONSTRAINT "payment_reversals_outcome" CHECK ("outcome" IS NULL OR ("kind" = 'dispute' AND "outcome" IN ('won', 'lost')));
--> statement-breakpoint

-- Creates the personal account of every user, with its owner.
CREATE FUNCTION public.create_personal_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- A restore has inserted the accounts before.
	INSERT INTO accounts (id, kind, name, email, deleted_at)
		SELECT id, 'personal', name, email, deleted_at FROM new_rows ON CONFLICT DO NOTHING;
	INSERT INTO account_members (account_id, user_id, role) SELECT id, id, 'owner' FROM new_rows;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_create_accounts AFTER INSERT ON users
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.create_personal_accounts();
--> statement-breakpoint
CREATE FUNCTION public.copy_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE accounts SET name = NEW.name, email = NEW.email, deleted_at = NEW.deleted_at WHERE id = NEW.id;
	UPDATE accounts SET email = NEW.email WHERE kind = 'team' AND email = OLD.email;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_copy_contact AFTER UPDATE OF name, email, deleted_at ON users
FOR EACH ROW WHEN ((OLD.name, OLD.email, OLD.deleted_at) IS DISTINCT FROM (NEW.name, NEW.email, NEW.deleted_at))
EXECUTE FUNCTION public.copy_contact();
--> statement-breakpoint

-- Gives the catalogue a new version in the writer's transaction: readers see it with the commit, neither before nor
-- after. A transaction takes the first stamp that no other one holds, and inserts another when all are held, so that a
-- long import blocks no other writer. Writes that touch no listed site (a seller's drafts) keep the version.
CREATE FUNCTION raise_catalogue_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	touches boolean := true;
BEGIN
	IF TG_OP IN ('UPDATE', 'DELETE') THEN
		SELECT EXISTS (SELECT FROM before_rows WHERE status = 'Approved' AND public_price_usd_cents IS NOT NULL AND deleted_at IS NULL AND paused_at IS NULL) INTO touches;
	END IF;
	IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND NOT touches) THEN
		SELECT EXISTS (SELECT FROM after_rows WHERE status = 'Approved' AND public_price_usd_cents IS NOT NULL AND deleted_at IS NULL AND paused_at IS NULL) INTO touches;
	END IF;
	IF NOT touches THEN
		RETURN NULL;
	END IF;
	UPDATE catalogue_stamps SET stamp = gen_random_uuid()
	WHERE slot = (SELECT slot FROM catalogue_stamps ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED);
	IF NOT FOUND THEN
		INSERT INTO catalogue_stamps DEFAULT VALUES;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER sites_insert_raises_version AFTER INSERT ON sites
REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_catalogue_version();
--> statement-breakpoint
CREATE TRIGGER sites_update_raises_version AFTER UPDATE ON sites
REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_catalogue_version();
--> statement-breakpoint
CREATE TRIGGER sites_delete_raises_version AFTER DELETE ON sites
REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_catalogue_version();
--> statement-breakpoint
CREATE TRIGGER sites_truncate_raises_version AFTER TRUNCATE ON sites
FOR EACH STATEMENT EXECUTE FUNCTION raise_catalogue_version();
--> statement-breakpoint

-- The same for the settings, which every process keeps in memory.
CREATE FUNCTION raise_settings_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE settings_stamps SET stamp = gen_random_uuid()
	WHERE slot = (SELECT slot FROM settings_stamps ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED);
	IF NOT FOUND THEN
		INSERT INTO settings_stamps DEFAULT VALUES;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER settings_raise_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON settings
FOR EACH STATEMENT EXECUTE FUNCTION raise_settings_version();
--> statement-breakpoint

-- The audit log.
CREATE TRIGGER audit_seals_immutable BEFORE UPDATE OR DELETE ON public.audit_seals FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_seals_not_truncated BEFORE TRUNCATE ON public.audit_seals FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint

-- Queues every new row of the audit log for sealing, in the row's own transaction: the sealing job misses none, in
-- whatever order transactions commit, and no writer waits for it.
CREATE FUNCTION public.queue_audit_seal() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_catalog, pg_temp AS $$
BEGIN
	INSERT INTO audit_unsealed (audit_id) SELECT id FROM new_rows;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_logs_queue_seal AFTER INSERT ON public.audit_logs
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.queue_audit_seal();
--> statement-breakpoint

-- The facts of a provider's statement are immutable; only the columns of the matching change.
CREATE FUNCTION public.keep_settlement_facts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	v_changing text[] := ARRAY['topup_id', 'outcome', 'reason', 'passed_minor', 'next_check_at', 'checks'];
BEGIN
	IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - v_changing = to_jsonb(NEW) - v_changing THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'public.settlement_lines is append-only: % is refused', TG_OP USING ERRCODE = 'LM004';
END $$;
--> statement-breakpoint
CREATE TRIGGER settlement_lines_immutable BEFORE UPDATE OR DELETE ON public.settlement_lines
FOR EACH ROW EXECUTE FUNCTION public.keep_settlement_facts();
--> statement-breakpoint

-- The figures of domains are append-only: a newer row replaces an earlier one.
CREATE TRIGGER domain_figures_immutable BEFORE UPDATE OR DELETE ON public.domain_figures FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint

-- Marks the listing and the seller of an order whose facts change: their records are computed again
-- (lib/sites/record/refresh.ts). The marks are inserts without a unique key, so that no writer waits for another one.
CREATE FUNCTION mark_records() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	v_order integer := to_jsonb(NEW) ->> TG_ARGV[0];
BEGIN
	-- All records are computed after a restore.
	IF current_setting('linkmarket.marks_records', true) = 'off' THEN
		RETURN NULL;
	END IF;
	INSERT INTO record_marks (site_id, seller_id)
	SELECT marked.site_id, marked.seller_id FROM orders o LEFT JOIN placements p ON p.order_id = o.id,
		LATERAL (VALUES (o.site_id, NULL), (NULL, p.seller_id)) AS marked (site_id, seller_id)
	WHERE o.id = v_order AND num_nonnulls(marked.site_id, marked.seller_id) = 1;
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Marks the listing of a new order. The placement of an order that a seller fulfills marks it and the seller.
CREATE FUNCTION mark_new_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF current_setting('linkmarket.marks_records', true) IS DISTINCT FROM 'off' THEN
		INSERT INTO record_marks (site_id) VALUES (NEW.site_id);
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_insert_marks_records AFTER INSERT ON orders FOR EACH ROW
WHEN (NEW.site_id IS NOT NULL AND NOT NEW.is_fulfilled_by_seller) EXECUTE FUNCTION mark_new_order();
--> statement-breakpoint
CREATE TRIGGER orders_update_marks_records AFTER UPDATE ON orders FOR EACH ROW
WHEN (NEW.site_id IS NOT NULL AND (OLD.status, OLD.deleted_at, OLD.created_at, OLD.site_id)
	IS DISTINCT FROM (NEW.status, NEW.deleted_at, NEW.created_at, NEW.site_id)) EXECUTE FUNCTION mark_records('id');
--> statement-breakpoint
CREATE TRIGGER placements_insert_marks_records AFTER INSERT ON placements FOR EACH ROW EXECUTE FUNCTION mark_records('order_id');
--> statement-breakpoint
CREATE TRIGGER placements_update_marks_records AFTER UPDATE ON placements FOR EACH ROW
WHEN ((OLD.state, OLD.answer_due_at, OLD.delivery_due_at, OLD.delivered_at, OLD.approved_at, OLD.revisions_used, OLD.reminded_at)
	IS DISTINCT FROM (NEW.state, NEW.answer_due_at, NEW.delivery_due_at, NEW.delivered_at, NEW.approved_at, NEW.revisions_used, NEW.reminded_at))
EXECUTE FUNCTION mark_records('order_id');
--> statement-breakpoint
CREATE TRIGGER disputes_mark_records AFTER INSERT OR UPDATE OF state, buyer_percent ON disputes
FOR EACH ROW EXECUTE FUNCTION mark_records('order_id');
--> statement-breakpoint
CREATE TRIGGER link_watches_insert_marks_records AFTER INSERT ON link_watches FOR EACH ROW EXECUTE FUNCTION mark_records('order_id');
--> statement-breakpoint
CREATE TRIGGER link_watches_update_marks_records AFTER UPDATE ON link_watches FOR EACH ROW
WHEN ((OLD.started_at, OLD.ended_at, OLD.end_reason, OLD.broken_confirmed_at)
	IS DISTINCT FROM (NEW.started_at, NEW.ended_at, NEW.end_reason, NEW.broken_confirmed_at))
EXECUTE FUNCTION mark_records('order_id');
--> statement-breakpoint

-- The results of verifying the audit log are append-only, as the log is.
CREATE TRIGGER chain_proofs_immutable BEFORE UPDATE OR DELETE ON public.chain_proofs FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint

-- Placements, links, payouts, statements and refunds: rows that are never changed, or only in some columns.
CREATE TRIGGER placement_events_immutable BEFORE UPDATE OR DELETE ON public.placement_events FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER order_messages_immutable BEFORE UPDATE OR DELETE ON public.order_messages FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER order_options_immutable BEFORE UPDATE OR DELETE ON public.order_options FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER order_taxes_immutable BEFORE UPDATE OR DELETE ON public.order_taxes FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER order_tax_returns_immutable BEFORE UPDATE OR DELETE ON public.order_tax_returns FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint

-- Tells whether a check of the schedule is older than a year and found the same as the check before it and the check after
-- it. Without it, those two still tell from when to when the link was found so. The first and the newest check of a link
-- and every change are kept, in whatever order checks are deleted.
CREATE FUNCTION public.repeats_link_check(c public.link_checks) RETURNS boolean LANGUAGE sql STABLE AS $$
	SELECT c.cause = 'schedule' AND c.at < now() - interval '1 year' AND (
		SELECT count(*) = 2 AND bool_and(
			(beside.verdict, beside.page_url, beside.target_url, beside.final_url, beside.status, beside.found, beside.rel,
				beside.anchor, beside.indexable, beside.reasons)
			IS NOT DISTINCT FROM
			(c.verdict, c.page_url, c.target_url, c.final_url, c.status, c.found, c.rel, c.anchor, c.indexable, c.reasons))
		FROM (
			(SELECT * FROM public.link_checks b WHERE b.order_id = c.order_id AND b.id < c.id ORDER BY b.id DESC LIMIT 1)
			UNION ALL
			(SELECT * FROM public.link_checks b WHERE b.order_id = c.order_id AND b.id > c.id ORDER BY b.id LIMIT 1)
		) AS beside
	)
$$;
--> statement-breakpoint
CREATE FUNCTION public.keep_link_checks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND public.repeats_link_check(OLD) THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'public.link_checks is append-only: % is refused', TG_OP USING ERRCODE = 'LM004';
END $$;
--> statement-breakpoint
CREATE TRIGGER link_checks_immutable BEFORE UPDATE OR DELETE ON public.link_checks FOR EACH ROW EXECUTE FUNCTION public.keep_link_checks();
--> statement-breakpoint

-- Of a passport, only the revocation is written later, and it is final.
CREATE FUNCTION public.refuse_proof_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' AND OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL
		AND (NEW.id, NEW.order_id, NEW.check_id, NEW.statement, NEW.signature, NEW.key_id, NEW.issued_at)
			= (OLD.id, OLD.order_id, OLD.check_id, OLD.statement, OLD.signature, OLD.key_id, OLD.issued_at) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'A row of link_proofs is immutable, except for its revocation.' USING ERRCODE = 'LM004';
END $$;
--> statement-breakpoint
CREATE TRIGGER link_proofs_immutable BEFORE UPDATE OR DELETE ON public.link_proofs FOR EACH ROW EXECUTE FUNCTION public.refuse_proof_change();
--> statement-breakpoint

-- The details, owner and kind of a payout method never change: a payout goes where it was requested to go. Only its
-- replacement and the key that encrypts it are written later.
CREATE FUNCTION public.refuse_payout_method_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE'
		AND (NEW.id, NEW.seller_id, NEW.kind, NEW.last_four, NEW.usable_at, NEW.created_at)
			= (OLD.id, OLD.seller_id, OLD.kind, OLD.last_four, OLD.usable_at, OLD.created_at)
		AND (OLD.replaced_at IS NULL OR NEW.replaced_at = OLD.replaced_at) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'A row of payout_methods is immutable, except for its replacement.' USING ERRCODE = 'LM004';
END $$;
--> statement-breakpoint
CREATE TRIGGER payout_methods_immutable BEFORE UPDATE OR DELETE ON public.payout_methods FOR EACH ROW EXECUTE FUNCTION public.refuse_payout_method_change();
--> statement-breakpoint

-- The amount, fee and recipient of a payout never change after its request.
CREATE FUNCTION public.refuse_payout_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE'
		AND (NEW.id, NEW.seller_id, NEW.method_id, NEW.method_kind, NEW.amount_cents, NEW.fee_cents, NEW.created_at)
			= (OLD.id, OLD.seller_id, OLD.method_id, OLD.method_kind, OLD.amount_cents, OLD.fee_cents, OLD.created_at)
		AND (OLD.batch_id IS NULL OR NEW.batch_id = OLD.batch_id) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'The recipient, amount, fee and batch of a payout are immutable.' USING ERRCODE = 'LM004';
END $$;
--> statement-breakpoint
CREATE TRIGGER payouts_immutable BEFORE UPDATE OR DELETE ON public.payouts FOR EACH ROW EXECUTE FUNCTION public.refuse_payout_change();
--> statement-breakpoint

-- Self-billed statements are never changed after their issue.
CREATE TRIGGER seller_statements_immutable BEFORE UPDATE OR DELETE ON public.seller_statements FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER seller_statement_lines_immutable BEFORE UPDATE OR DELETE ON public.seller_statement_lines FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint

-- Invoices, credit notes and receipts are never changed after their issue.
CREATE TRIGGER invoices_immutable BEFORE UPDATE OR DELETE ON public.invoices FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER receipts_immutable BEFORE UPDATE OR DELETE ON public.receipts FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint

-- The payment, owner and amount of a refund never change after its request. The amount at the provider and the
-- provider's id are set once.
CREATE FUNCTION public.refuse_source_refund_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE'
		AND (NEW.id, NEW.topup_id, NEW.account_id, NEW.provider, NEW.mode, NEW.payment_reference, NEW.amount_cents,
				NEW.currency, NEW.charge_currency, NEW.requested_by, NEW.created_at)
			= (OLD.id, OLD.topup_id, OLD.account_id, OLD.provider, OLD.mode, OLD.payment_reference, OLD.amount_cents,
				OLD.currency, OLD.charge_currency, OLD.requested_by, OLD.created_at)
		AND (OLD.charge_minor IS NULL OR NEW.charge_minor = OLD.charge_minor)
		AND (OLD.provider_reference IS NULL OR NEW.provider_reference = OLD.provider_reference) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'The payment, owner and amount of a refund are immutable.' USING ERRCODE = 'LM004';
END $$;
--> statement-breakpoint
CREATE TRIGGER source_refunds_immutable BEFORE UPDATE OR DELETE ON public.source_refunds FOR EACH ROW EXECUTE FUNCTION public.refuse_source_refund_change();
--> statement-breakpoint

-- Restoring a backup (docs/internals/backup.md). The ledger and the audit log are append-only, also for the
-- application's role, so these functions load an archive's rows into an instance whose ledger is empty, and into no
-- other.
CREATE SCHEMA restoring;
--> statement-breakpoint

-- Truncates tables of the schema public in one statement; never those of the audit log. Truncating `sites` fires the
-- trigger of the catalogue's version, whose function names tables of the schema public unqualified.
CREATE FUNCTION restoring.clear_tables(p_tables text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM unnest(p_tables) AS name WHERE name LIKE 'audit\_%') THEN
		RAISE EXCEPTION 'The audit log is append-only: TRUNCATE is refused' USING ERRCODE = 'LM004';
	END IF;
	EXECUTE (SELECT 'TRUNCATE ' || string_agg(format('public.%I', name), ', ') FROM unnest(p_tables) AS name);
END $$;
--> statement-breakpoint

-- Makes room for an archive's ledger and audit log: LM005 when the ledger holds a transfer. The instance's own audit
-- lines are set aside; close_books appends them to the archive's.
CREATE FUNCTION restoring.open_books() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	LOCK TABLE ledger.accounts, ledger.transfers, public.audit_logs, public.audit_seals, public.audit_unsealed
		IN ACCESS EXCLUSIVE MODE;
	IF EXISTS (SELECT FROM ledger.transfers) THEN
		RAISE EXCEPTION 'The ledger already contains transfers and cannot be replaced' USING ERRCODE = 'LM005';
	END IF;
	CREATE TABLE restoring.accounts (LIKE ledger.accounts);
	CREATE TABLE restoring.transfers (LIKE ledger.transfers);
	CREATE TABLE restoring.own_audit AS SELECT * FROM public.audit_logs;
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		GRANT INSERT ON restoring.accounts, restoring.transfers TO linkmarket_app;
	END IF;
	ALTER TABLE ledger.accounts DISABLE TRIGGER USER;
	ALTER TABLE ledger.transfers DISABLE TRIGGER USER;
	ALTER TABLE public.audit_logs DISABLE TRIGGER USER;
	ALTER TABLE public.audit_seals DISABLE TRIGGER USER;
	TRUNCATE ledger.accounts, ledger.transfers, public.audit_logs, public.audit_seals, public.audit_unsealed;
	ALTER TABLE ledger.accounts ENABLE TRIGGER USER;
	ALTER TABLE ledger.transfers ENABLE TRIGGER USER;
	ALTER TABLE public.audit_logs ENABLE TRIGGER USER;
	ALTER TABLE public.audit_seals ENABLE TRIGGER USER;
END $$;
--> statement-breakpoint

-- Sets every identity sequence to continue after the highest number in use; a sequence never goes back.
CREATE FUNCTION restoring.align_sequences() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	v_column record;
BEGIN
	FOR v_column IN
		SELECT c.oid::regclass AS owner, a.attname AS name,
			pg_get_serial_sequence(c.oid::regclass::text, a.attname)::regclass AS sequence
		FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE a.attidentity <> '' AND c.relkind = 'r' AND n.nspname IN ('public', 'ledger')
	LOOP
		EXECUTE format(
			'SELECT setval(%L, greatest((SELECT last_value FROM %s), coalesce((SELECT max(%I) FROM %s), 0)))',
			v_column.sequence, v_column.sequence, v_column.name, v_column.owner
		);
	END LOOP;
END $$;
--> statement-breakpoint

-- Puts the rows that open_books made room for into the ledger, and the instance's own audit lines after the archive's,
-- except those that the archive holds too: two lines with one authentication are evidence of a copy. That happens when
-- archives of one source are restored one after the other.
CREATE FUNCTION restoring.close_books() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM ledger.transfers) THEN
		RAISE EXCEPTION 'The ledger already contains transfers and cannot be replaced' USING ERRCODE = 'LM005';
	END IF;
	INSERT INTO ledger.accounts OVERRIDING SYSTEM VALUE SELECT * FROM restoring.accounts;
	INSERT INTO ledger.transfers SELECT * FROM restoring.transfers;
	PERFORM restoring.align_sequences();
	DELETE FROM restoring.own_audit AS own USING public.audit_logs AS held WHERE own.mac = held.mac;
	UPDATE restoring.own_audit SET id = moved.id FROM (
		SELECT id AS was, nextval(pg_get_serial_sequence('public.audit_logs', 'id')) AS id
		FROM (SELECT id FROM restoring.own_audit ORDER BY id) AS own
	) AS moved WHERE own_audit.id = moved.was;
	INSERT INTO public.audit_logs OVERRIDING SYSTEM VALUE SELECT * FROM restoring.own_audit ORDER BY id;
	DROP TABLE restoring.accounts, restoring.transfers, restoring.own_audit;
END $$;
--> statement-breakpoint
-- Collects the statistics of the tables, by default of those that have rows and no statistics: a table has none after a
-- bulk load, until autovacuum comes by, and after pg_upgrade. Without them, the planner takes columns that are always null
-- for rarely null, and reads whole tables for the first page of a list.
CREATE FUNCTION restoring.analyze_tables(p_all boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	v_table regclass;
BEGIN
	FOR v_table IN
		SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE c.relkind = 'r' AND n.nspname IN ('public', 'ledger') AND pg_relation_size(c.oid) > 0
			AND (p_all OR NOT EXISTS (SELECT FROM pg_stats s WHERE s.schemaname = n.nspname AND s.tablename = c.relname))
	LOOP
		EXECUTE format('ANALYZE %s', v_table);
	END LOOP;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION restoring.clear_tables, restoring.open_books, restoring.align_sequences, restoring.close_books,
	restoring.analyze_tables FROM PUBLIC;
--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		REVOKE UPDATE, DELETE ON public.audit_seals, public.settlement_lines, public.chain_proofs, public.placement_events,
			public.order_messages, public.order_options, public.order_taxes, public.order_tax_returns,
			public.seller_statements, public.seller_statement_lines, public.invoices, public.receipts
			FROM linkmarket_app;
		REVOKE UPDATE ON public.link_checks FROM linkmarket_app;
		REVOKE DELETE ON public.link_proofs, public.payouts, public.payout_methods, public.payout_batches,
			public.source_refunds FROM linkmarket_app;
		GRANT UPDATE (topup_id, outcome, reason, passed_minor, next_check_at, checks)
			ON public.settlement_lines TO linkmarket_app;
		GRANT USAGE ON SCHEMA restoring TO linkmarket_app;
		GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA restoring TO linkmarket_app;
	END IF;
END $$;
