import { route } from '@/lib/auth/route';
import { monthlyStatementQuery } from '@/lib/earnings/statement';
import { monthlyStatementResponse, respondWithStatement } from '@/lib/earnings/statement-formats';

export const GET = route(
  {
    access: 'seller',
    summary:
      'Returns the entries of one month (UTC) in the order in which they were made, with the balance after each. `account` chooses what can be paid out (`available`, the default) or what is not payable yet (`pending`).',
    response: monthlyStatementResponse,
    query: monthlyStatementQuery,
    errors: ['rate_limited'],
  },
  ({ actor, query }) => respondWithStatement(actor, query),
);
