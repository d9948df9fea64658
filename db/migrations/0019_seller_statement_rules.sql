-- Self-billed statements are never changed after their issue.
CREATE TRIGGER seller_statements_immutable BEFORE UPDATE OR DELETE ON public.seller_statements FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER seller_statement_lines_immutable BEFORE UPDATE OR DELETE ON public.seller_statement_lines FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		REVOKE UPDATE, DELETE ON public.seller_statements, public.seller_statement_lines FROM linkmarket_app;
	END IF;
END $$;
