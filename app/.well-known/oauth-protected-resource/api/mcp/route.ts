import { protectedResourceRoute } from '@/lib/developers/mcp/protected-resource';

export const GET = protectedResourceRoute();
