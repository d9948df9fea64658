import { route } from '@/lib/auth/route';
import { tokenParams } from '@/lib/developers/tokens/schemas';
import { revokeToken } from '@/lib/developers/tokens/tokens';

export const DELETE = route(
  {
    access: 'account:programs',
    scope: 'none',
    summary: 'Revokes an API token of the list. It is refused from the next request.',
    errors: ['not_found'],
    params: tokenParams,
  },
  async ({ actor, params }) => revokeToken(actor, params.id),
);
