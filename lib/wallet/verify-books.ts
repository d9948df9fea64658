import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { letTakeLong } from '../../db/let-take-long';
import { balanceChecks, balanceParts } from './proof/balance-checks';
import { orderChecks, orderParts } from './proof/order-checks';
import { reversalChecks, reversalParts } from './proof/reversal-checks';
import { routeChecks } from './proof/route-checks';
import { settlementChecks, settlementParts } from './proof/settlement-checks';
import { topupChecks, topupParts } from './proof/topup-checks';

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
   * Sum of the transfers by kind of account and currency, in minor units; all kinds of a currency add up to 0.
   * `storedCents`: the sum of the balances that wallets store; null for kinds that store none.
   */
  totals: { kind: string; currency: string; balanceCents: number; storedCents: number | null }[];
};

/**
 * Proves the books from their rows: every wallet's stored balance is the sum of its transfers, none is below zero,
 * versions and balances run without a gap, money in equals money owed, and every order, top-up, refund and dispute has
 * moved exactly what it says, and every fee and payout is a line of a provider's statement; ./proof has the checks by subject.
 * Reads one snapshot, so that transfers in flight cannot look like a difference.
 */
export async function verifyBooks(): Promise<BooksReport> {
  return db().transaction(
    async (tx) => {
      await letTakeLong(tx);
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
