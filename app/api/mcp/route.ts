import { paths } from '@/app/api/openapi.json/paths';
import { createMcpRoute } from '@/lib/developers/mcp/mcp-route';

export const POST = createMcpRoute(() => paths);
