import { accountParams, accountResponse, accountView, renameAccountBody } from '@/lib/accounts/contract';
import { deleteAccount } from '@/lib/accounts/delete';
import { renameAccount } from '@/lib/accounts/rename';
import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';

const one = { access: 'session', scope: 'none', params: accountParams } as const;

export const PATCH = route(
  {
    ...one,
    summary: 'Renames an account of which the caller is an owner.',
    response: accountResponse,
    errors: ['not_found', 'forbidden', 'conflict'],
    body: renameAccountBody,
  },
  async ({ actor, params, body }) => accountView(await renameAccount(actor, params.id, body), actor.accountId),
);

export const DELETE = route(
  {
    ...one,
    recentAuthentication: true,
    summary: 'Deletes an account of which the caller is an owner. Its orders and documents stay.',
    description: 'An account with money, open payments or orders that are not finished is not deleted (409).',
    errors: ['not_found', 'forbidden', 'conflict'],
  },
  async ({ actor, params }) => {
    await deleteAccount(actor, params.id);
    deliverAfterResponse();
  },
);
