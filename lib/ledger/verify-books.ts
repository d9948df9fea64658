import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { extendStatementTimeout } from '../../db/extend-statement-timeout';
import type { AccountKind, TransferKind } from '../../db/schema/ledger';
import {
  balanceChecks,
  balanceParts,
  type Check,
  orderChecks,
  orderParts,
  reversalChecks,
  reversalParts,
  topupChecks,
  topupParts,
} from './proof/checks';
import { settlementChecks, settlementParts } from './proof/settlement-checks';

type AccountRoute = readonly [from: AccountKind, to: AccountKind];

/** Routes of money that a provider reclaims: from its current account, or from the buyer's receivable. */
const reclaimRoutes: readonly AccountRoute[] = [
  ['wallet', 'clearing'],
  ['receivable', 'clearing'],
  ['suspense', 'clearing'],
];

/** Routes of payouts and returned payouts: of our money, and of other shops on the same provider account. */
const payoutRoutes: readonly AccountRoute[] = [
  ['bank', 'clearing'],
  ['clearing', 'bank'],
  ['bank', 'pass_through'],
  ['pass_through', 'bank'],
];

/**
 * The account kinds between which each kind of transfer may move money. A reversal mirrors the transfer it reverses.
 */
const allowedRoutes: Readonly<Record<Exclude<TransferKind, 'reversal'>, readonly AccountRoute[]>> = {
  topup: [
    ['clearing', 'wallet'],
    ['suspense', 'wallet'],
  ],
  order: [['wallet', 'revenue']],
  order_refund: [['revenue', 'wallet']],
  order_recharge: [['wallet', 'revenue']],
  provider_refund: reclaimRoutes,
  dispute: reclaimRoutes,
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
  payout: payoutRoutes,
  payout_failure: payoutRoutes,
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

/** Checks of each transfer's accounts against its kind. */
const routeChecks: readonly Check[] = [
  {
    name: 'Both sides of a transfer match its kind',
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
        -- A user repays only their own debt, and a provider settles only its own account.
        or (t.kind in ('receivable', 'provider_fee', 'payout', 'payout_failure', 'exchange') and f.owner <> g.owner)`,
  },
  {
    name: 'Every reversal mirrors the transfer it reverses',
    broken: sql`
      select t.id from ledger.transfers t
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
      where a.kind = 'receivable'
      group by a.id having sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end) > 0`,
  },
];

const check = z.object({ name: z.string(), broken: z.coerce.number(), sample: z.string().nullable() });
const total = z.object({
  kind: z.string(),
  currency: z.string(),
  balance_cents: z.coerce.number(),
  stored_cents: z.coerce.number().nullable(),
});

export type BookCheck = { name: string; broken: number; sample: string | null };
export type BooksReport = {
  isSound: boolean;
  checks: BookCheck[];
  /**
   * Sums of transfers by account kind and currency, in minor units; all kinds of a currency add up to 0. `storedCents`
   * is the sum of the stored wallet balances; null for kinds without stored balances.
   */
  totals: { kind: string; currency: string; balanceCents: number; storedCents: number | null }[];
};

/**
 * Verifies the ledger from its rows. Every wallet's stored balance is the sum of its transfers, and none is negative.
 * Versions and balances follow each other without a gap. Sources equal uses. Every order, top-up, refund and dispute
 * moved exactly its amount, and every fee and payout is a line of a provider's statement. The checks are in ./proof, by
 * subject. Reads one snapshot, so that concurrent transfers do not appear as differences.
 */
export async function verifyBooks(): Promise<BooksReport> {
  return db().transaction(
    async (tx) => {
      await extendStatementTimeout(tx);
      const checks = z.array(check).parse(await tx.execute(checksQuery));
      const totals = z.array(total).parse(await tx.execute(totalsQuery));
      return {
        isSound: checks.every((one) => one.broken === 0),
        checks,
        totals: totals.map(({ balance_cents, stored_cents, ...rest }) => ({
          ...rest,
          balanceCents: balance_cents,
          storedCents: stored_cents,
        })),
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

const allChecks = [
  ...balanceChecks,
  ...routeChecks,
  ...orderChecks,
  ...topupChecks,
  ...reversalChecks,
  ...settlementChecks,
];

const checksQuery = sql`
  with ${sql.join([balanceParts, orderParts, topupParts, reversalParts, settlementParts], sql`, `)},
  failures as (
    ${sql.join(
      allChecks.map(({ name, broken }) => sql`select ${name}::text as name, f.sample from (${broken}) as f(sample)`),
      sql` union all `,
    )}
  )
  select names.name, count(failures.name)::int as broken, min(failures.sample) as sample
  from (values ${sql.join(
    allChecks.map(({ name }) => sql`(${name}::text)`),
    sql`, `,
  )}) as names(name)
  left join failures on failures.name = names.name
  group by names.name order by names.name`;

const totalsQuery = sql`
  select a.kind, a.currency,
    coalesce(sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end), 0)::bigint as balance_cents,
    (select sum(s.balance_cents) from ledger.accounts s
     where s.guarded and s.kind = a.kind and s.currency = a.currency)::bigint as stored_cents
  from ledger.accounts a
  join ledger.transfers t on a.id in (t.from_account, t.to_account)
  group by a.kind, a.currency order by a.kind, a.currency`;
