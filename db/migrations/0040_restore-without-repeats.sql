-- As before, but the instance's own audit lines that the archive holds too are not written a second time: two lines with
-- one authentication are evidence of a copy. It happens when archives of one source are restored one after the other.
CREATE OR REPLACE FUNCTION restoring.close_books() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM ledger.transfers) THEN
		RAISE EXCEPTION 'The ledger holds transfers of its own: nothing replaces them' USING ERRCODE = 'LM005';
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
