import 'server-only';
import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { env } from '@/lib/env';
import { baseScopes } from '@/lib/platform/http/route-metadata';
import { requireFlag } from '@/lib/settings/feature-flags';

const path = '/api/mcp';

/** Returns the address of the metadata of the MCP server (RFC 9728, section 3.1). */
export const getMetadataUrl = (): string => `${env().APP_URL}/.well-known/oauth-protected-resource${path}`;

/** RFC 9728, section 2. Without `authorization_servers`, because there are none: people create tokens in the portal. */
const metadataResponse = z.object({
  resource: z.url(),
  resource_name: z.string(),
  resource_documentation: z.url(),
  bearer_methods_supported: z.array(z.literal('header')),
  scopes_supported: z.array(z.string()),
  token_instructions: z.string().describe('How a person gets a token; not part of RFC 9728.'),
});

/** Creates the route of the metadata, which is served at two addresses. */
export const protectedResourceRoute = () =>
  route(
    {
      access: 'public',
      summary: 'Returns how to authenticate at the MCP server (RFC 9728).',
      response: metadataResponse,
      errors: ['not_configured'],
    },
    async () => {
      await requireFlag('mcp');
      const { APP_URL } = env();
      return {
        resource: `${APP_URL}${path}`,
        resource_name: 'LinkMarket',
        resource_documentation: `${APP_URL}/developers#mcp`,
        bearer_methods_supported: ['header' as const],
        scopes_supported: [...baseScopes],
        token_instructions:
          'There is no authorization server. Sign in to the portal, create an API token under Security, API tokens, and send it as a bearer token.',
      };
    },
  );
