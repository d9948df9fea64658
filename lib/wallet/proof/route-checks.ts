import { sql } from 'drizzle-orm';
import type { AccountKind, TransferKind } from '../../../db/schema/ledger';
import type { Check } from './check';

type Route = readonly [from: AccountKind, to: AccountKind];

/** A provider takes money back from where it stands, or from what its buyer owes for it. */
const takenBack: readonly Route[] = [
  ['wallet', 'clearing'],
  ['receivable', 'clearing'],
  ['suspense', 'clearing'],
];

/** Money that a provider paid out, or took back: of ours, and of other shops at the same account. */
const paidOut: readonly Route[] = [
  ['bank', 'clearing'],
  ['clearing', 'bank'],
  ['bank', 'pass_through'],
  ['pass_through', 'bank'],
];

/** Between which accounts each kind of transfer may move money: what lib/ posts. A reversal mirrors another. */
const allowedRoutes: Readonly<Record<Exclude<TransferKind, 'reversal'>, readonly Route[]>> = {
  topup: [
    ['clearing', 'wallet'],
    ['suspense', 'wallet'],
  ],
  order: [['wallet', 'revenue']],
  order_refund: [['revenue', 'wallet']],
  order_recharge: [['wallet', 'revenue']],
  provider_refund: takenBack,
  dispute: takenBack,
  dispute_reversal: [
    ['clearing', 'wallet'],
    ['clearing', 'suspense'],
  ],
  manual_topup: [['adjustments', 'wallet']],
  suspense: [['clearing', 'suspense']],
  receivable: [['wallet', 'receivable']],
  provider_fee: [
    ['fees', 'clearing'],
    ['clearing', 'fees'],
  ],
  payout: paidOut,
  payout_failure: paidOut,
  exchange: [
    ['exchange', 'clearing'],
    ['clearing', 'exchange'],
  ],
};

const routeRows = sql.join(
  Object.entries(allowedRoutes).flatMap(([kind, routes]) =>
    routes.map(([from, to]) => sql`(${kind}::text, ${from}::text, ${to}::text)`),
  ),
  sql`, `,
);

/** Where money went, by what its transfer says it is. */
export const routeChecks: readonly Check[] = [
  {
    name: 'Both sides of a transfer are what their kind says',
    broken: sql`
      select t.id from ledger.transfers t
      join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
      where f.guarded <> (t.from_version is not null) or g.guarded <> (t.to_version is not null)`,
  },
  {
    name: 'Money moved only between accounts that its kind allows',
    broken: sql`
      select t.id from ledger.transfers t
      join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
      where (t.kind <> 'reversal' and (t.kind, f.kind, g.kind) not in (values ${routeRows}))
        -- Nobody pays another's debt, and no provider settles for another.
        or (t.kind in ('receivable', 'provider_fee', 'payout', 'payout_failure', 'exchange') and f.owner <> g.owner)`,
  },
  {
    name: 'Every reversal mirrors the transfer it undoes',
    broken: sql`
      select t.id from ledger.transfers t
      left join ledger.transfers o on o.id = t.reverses_id
      join ledger.accounts back on back.id = t.to_account
      where (t.reverses_id is not null or t.kind = 'reversal') and (
        o.id is null or t.from_account <> o.to_account or t.amount_cents <> o.amount_cents or t.currency <> o.currency
        -- What a provider was paid stays with it: a deleted credit goes to suspense.
        or (t.to_account <> o.from_account and not (o.kind = 'topup' and back.kind = 'suspense')))`,
  },
  {
    name: 'Nobody paid more than they owed',
    broken: sql`
      select a.id::text from ledger.accounts a join ledger.transfers t on a.id in (t.from_account, t.to_account)
      where a.kind = 'receivable'
      group by a.id having sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end) > 0`,
  },
];
