import { sql } from 'drizzle-orm';
import { allowedRoutes } from '@/lib/ledger/routes';
import type { CheckGroup } from './check';
import type { Scope } from './scope';

const routeRows = sql.join(
  Object.entries(allowedRoutes).flatMap(([kind, routes]) =>
    routes.map(([from, to]) => sql`(${kind}::text, ${from}::text, ${to}::text)`),
  ),
  sql`, `,
);

/** Checks of each transfer's accounts against its kind. */
export const routeChecks = ({ ofAccount }: Scope): CheckGroup => ({
  parts: null,
  checks: [
    {
      name: 'Both sides of a transfer match its kind',
      broken: sql`
      select t.id from scope t
      join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
      where f.guarded <> (t.from_version is not null) or g.guarded <> (t.to_version is not null)`,
    },
    {
      name: 'Money moved only between accounts that its kind allows',
      broken: sql`
      select t.id from scope t
      join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
      where (t.kind <> 'reversal' and (t.kind, f.kind, g.kind) not in (values ${routeRows}))
        -- A user repays only their own debt, and a provider settles only its own account.
        or (t.kind in ('receivable', 'provider_fee', 'payout', 'payout_failure', 'exchange') and f.owner <> g.owner)`,
    },
    {
      name: 'Every reversal mirrors the transfer it reverses',
      broken: sql`
      select t.id from scope t
      left join ledger.transfers o on o.id = t.reverses_id
      join ledger.accounts back on back.id = t.to_account
      where (t.reverses_id is not null or t.kind = 'reversal') and (
        o.id is null or t.from_account <> o.to_account or t.amount_cents <> o.amount_cents or t.currency <> o.currency
        -- Money that a provider received stays with it: a deleted credit goes to suspense.
        or (t.to_account <> o.from_account and not (o.kind = 'topup' and back.kind = 'suspense')))`,
    },
    {
      name: 'No buyer paid more than they owed',
      broken: sql`
      select a.id::text from ledger.accounts a join ledger.transfers t on a.id in (t.from_account, t.to_account)
      where a.kind = 'receivable' and ${ofAccount(sql`a.id`)}
      group by a.id having sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end) > 0`,
    },
  ],
});
