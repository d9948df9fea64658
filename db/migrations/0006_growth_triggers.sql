-- Numbers new transfers. The column was added without a default, so that no row was rewritten: a transfer without a
-- position is older than this statement, which no transaction that writes transfers can span.
CREATE SEQUENCE ledger.transfers_position_seq OWNED BY ledger.transfers.position;
--> statement-breakpoint
ALTER TABLE ledger.transfers ALTER COLUMN position SET DEFAULT nextval('ledger.transfers_position_seq');
--> statement-breakpoint

-- Returns the transfers that are not in the roll-ups (lib/ledger/roll-up.ts), as the snapshot of the calling statement
-- shows both. The planner estimates the few rows that are usual, and no third of the table.
CREATE FUNCTION ledger.transfers_since_rollup() RETURNS TABLE (
	from_account bigint, to_account bigint, amount_cents bigint, from_version integer, order_id integer,
	reverses_id text, created_at timestamptz
) LANGUAGE plpgsql STABLE ROWS 100 AS $$
DECLARE
	v_position bigint := 0;
	v_id text := '';
	v_done boolean := false;
BEGIN
	SELECT r.position, r.unnumbered_id, r.is_unnumbered_done INTO v_position, v_id, v_done FROM public.ledger_rollup r;
	RETURN QUERY SELECT t.from_account, t.to_account, t.amount_cents, t.from_version, t.order_id,
			t.reverses_id, t.created_at
		FROM ledger.transfers t WHERE t.position > coalesce(v_position, 0);
	IF v_done IS NOT TRUE THEN
		RETURN QUERY SELECT t.from_account, t.to_account, t.amount_cents, t.from_version, t.order_id,
			t.reverses_id, t.created_at
			FROM ledger.transfers t WHERE t.position IS NULL AND t.id > coalesce(v_id, '');
	END IF;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION ledger.transfers_since_rollup FROM PUBLIC;
--> statement-breakpoint

-- Sets every sequence of a column to continue after the highest number in use; a sequence never goes back.
CREATE OR REPLACE FUNCTION restoring.align_sequences() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	v_column record;
BEGIN
	FOR v_column IN
		SELECT c.oid::regclass AS owner, a.attname AS name,
			pg_get_serial_sequence(c.oid::regclass::text, a.attname)::regclass AS sequence
		FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE (a.attidentity <> '' OR (a.attrelid = 'ledger.transfers'::regclass AND a.attname = 'position'))
			AND c.relkind = 'r' AND n.nspname IN ('public', 'ledger')
	LOOP
		EXECUTE format(
			'SELECT setval(%L, greatest((SELECT last_value FROM %s), coalesce((SELECT max(%I) FROM %s), 0)))',
			v_column.sequence, v_column.sequence, v_column.name, v_column.owner
		);
	END LOOP;
END $$;
--> statement-breakpoint

-- The application reads how far the positions are given out.
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		GRANT SELECT ON SEQUENCE ledger.transfers_position_seq TO linkmarket_app;
		GRANT EXECUTE ON FUNCTION ledger.transfers_since_rollup TO linkmarket_app;
	END IF;
END $$;
--> statement-breakpoint

-- The results of verifying the audit log are append-only, as the log is.
CREATE TRIGGER chain_proofs_immutable BEFORE UPDATE OR DELETE ON public.chain_proofs FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		REVOKE UPDATE, DELETE ON public.chain_proofs FROM linkmarket_app;
	END IF;
END $$;
--> statement-breakpoint

-- The selectivity of a search text: the planner takes no statistics from `transfers_search_idx`, which is partial.
CREATE STATISTICS ledger.transfers_search_stats ON (CASE WHEN order_id IS NULL THEN lower(method || E'\n' || note) END)
	FROM ledger.transfers;
--> statement-breakpoint
ANALYZE ledger.transfers;
