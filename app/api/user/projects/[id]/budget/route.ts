import { route } from '@/lib/auth/route';
import { saveBudgetBody } from '@/lib/orders/requests/contract';
import { saveBudget } from '@/lib/orders/requests/save-limits';
import { projectIdParams } from '@/lib/projects/contract';

export const PUT = route(
  {
    access: 'account:manage',
    scope: 'none',
    summary: 'Sets what the orders of a project may cost in a month without an approval.',
    params: projectIdParams,
    body: saveBudgetBody,
    errors: ['not_found'],
  },
  ({ actor, params, body }) => saveBudget(actor, params.id, body),
);
