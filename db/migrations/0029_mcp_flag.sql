-- The flag of installations that have orders already: an upgrade does not serve MCP until an admin turns the flag on. A new
-- installation starts with it on.
INSERT INTO public.settings (key, value)
SELECT 'flag.mcp', 'false'::jsonb
WHERE (SELECT is_called FROM public.orders_id_seq)
ON CONFLICT (key) DO NOTHING;
