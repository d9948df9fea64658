CREATE TABLE "audit_seals" (
	"position" bigint PRIMARY KEY NOT NULL,
	"audit_id" bigint NOT NULL,
	"hash" text NOT NULL,
	"sealed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_seals_auditId_unique" UNIQUE("audit_id")
);
--> statement-breakpoint
CREATE TABLE "audit_unsealed" (
	"audit_id" bigint PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"id" text PRIMARY KEY NOT NULL,
	"file_name" text NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"origin" text NOT NULL,
	"with_files" boolean NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"size_bytes" bigint,
	"sha256" text,
	"manifest" jsonb,
	"error" text,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "backups_created_idx" ON "backups" USING btree ("created_at");--> statement-breakpoint
CREATE TRIGGER audit_seals_immutable BEFORE UPDATE OR DELETE ON public.audit_seals FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_seals_not_truncated BEFORE TRUNCATE ON public.audit_seals FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint

-- Every new row of the audit log waits for its seal from its own transaction on: the sealing job misses none, in
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
INSERT INTO public.audit_unsealed (audit_id) SELECT id FROM public.audit_logs;
--> statement-breakpoint

-- Restoring a backup (docs/backup.md). The books and the audit log are append-only, also for the application's role, so
-- these functions put an archive's into an instance that has no books of its own, and into no other.
CREATE SCHEMA restoring;
--> statement-breakpoint

-- Empties tables of the schema public in one go; never the audit log's.
CREATE FUNCTION restoring.clear_tables(p_tables text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM unnest(p_tables) AS name WHERE name LIKE 'audit\_%') THEN
		RAISE EXCEPTION 'The audit log is append-only: TRUNCATE is refused' USING ERRCODE = 'LM004';
	END IF;
	EXECUTE (SELECT 'TRUNCATE ' || string_agg(format('public.%I', name), ', ') FROM unnest(p_tables) AS name);
END $$;
--> statement-breakpoint

-- Makes room for an archive's books and audit log: LM005 when the ledger holds a transfer. The instance's own audit
-- lines are set aside; close_books appends them to the archive's.
CREATE FUNCTION restoring.open_books() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	LOCK TABLE ledger.accounts, ledger.transfers, public.audit_logs, public.audit_seals, public.audit_unsealed
		IN ACCESS EXCLUSIVE MODE;
	IF EXISTS (SELECT FROM ledger.transfers) THEN
		RAISE EXCEPTION 'The ledger holds transfers of its own: nothing replaces them' USING ERRCODE = 'LM005';
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

-- Every counted number goes on after the highest that is there, and never back.
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

-- Puts the rows that open_books made room for into the books, and the instance's own audit lines after the archive's.
CREATE FUNCTION restoring.close_books() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM ledger.transfers) THEN
		RAISE EXCEPTION 'The ledger holds transfers of its own: nothing replaces them' USING ERRCODE = 'LM005';
	END IF;
	INSERT INTO ledger.accounts OVERRIDING SYSTEM VALUE SELECT * FROM restoring.accounts;
	INSERT INTO ledger.transfers SELECT * FROM restoring.transfers;
	PERFORM restoring.align_sequences();
	UPDATE restoring.own_audit SET id = moved.id FROM (
		SELECT id AS was, nextval(pg_get_serial_sequence('public.audit_logs', 'id')) AS id
		FROM (SELECT id FROM restoring.own_audit ORDER BY id) AS own
	) AS moved WHERE own_audit.id = moved.was;
	INSERT INTO public.audit_logs OVERRIDING SYSTEM VALUE SELECT * FROM restoring.own_audit ORDER BY id;
	DROP TABLE restoring.accounts, restoring.transfers, restoring.own_audit;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION restoring.clear_tables, restoring.open_books, restoring.align_sequences, restoring.close_books FROM PUBLIC;
--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		REVOKE UPDATE, DELETE ON public.audit_seals FROM linkmarket_app;
		GRANT USAGE ON SCHEMA restoring TO linkmarket_app;
		GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA restoring TO linkmarket_app;
	END IF;
END $$;
