import { createMcpRoute } from '@/lib/developers/mcp/mcp-route';

// Imported on a call, because the list of paths has this route.
export const POST = createMcpRoute(async () => (await import('@/app/api/openapi.json/paths')).paths);
