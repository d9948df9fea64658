-- Placements: append-only tables, and the flags of installations that have orders already.

CREATE TRIGGER placement_events_immutable BEFORE UPDATE OR DELETE ON public.placement_events FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER order_messages_immutable BEFORE UPDATE OR DELETE ON public.order_messages FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		REVOKE UPDATE, DELETE ON public.placement_events, public.order_messages FROM linkmarket_app;
	END IF;
END $$;
--> statement-breakpoint

-- An upgrade does not change who fulfils orders: an admin turns the flags on. A new installation starts with them on.
INSERT INTO public.settings (key, value)
SELECT flag, 'false'::jsonb FROM unnest(ARRAY['flag.seller-orders', 'flag.order-messages']) AS flag
WHERE (SELECT is_called FROM public.orders_id_seq)
ON CONFLICT (key) DO NOTHING;
