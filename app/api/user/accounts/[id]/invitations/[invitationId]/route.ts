import { invitationParams } from '@/lib/accounts/contract';
import { withdrawInvitation } from '@/lib/accounts/withdraw-invitation';
import { route } from '@/lib/auth/route';

export const DELETE = route(
  {
    access: 'session',
    scope: 'none',
    summary: 'Withdraws an invitation to an account: its link stops working.',
    params: invitationParams,
    errors: ['not_found', 'forbidden'],
  },
  ({ actor, params }) => withdrawInvitation(actor, { accountId: params.id, invitationId: params.invitationId }),
);
