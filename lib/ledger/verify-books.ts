import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { extendStatementTimeout } from '../../db/extend-statement-timeout';
import { balanceChecks, totalsPart } from './proof/balance-checks';
import type { CheckGroup } from './proof/check';
import { orderChecks, reversalChecks, topupChecks } from './proof/checks';
import { payoutChecks } from './proof/payout-checks';
import { placementChecks } from './proof/placement-checks';
import { rollupChecks } from './proof/rollup-checks';
import { routeChecks } from './proof/route-checks';
import { type ProofStart, type Scope, scopeSince, wholeScope } from './proof/scope';
import { settlementChecks } from './proof/settlement-checks';
import { sourceRefundChecks } from './proof/source-refund-checks';
import { statementChecks } from './proof/statement-checks';

export type { ProofStart } from './proof/scope';

const check = z.object({ name: z.string(), broken: z.coerce.number(), sample: z.string().nullable() });
const total = z.object({
  kind: z.string(),
  currency: z.string(),
  balance_cents: z.coerce.number(),
  stored_cents: z.coerce.number().nullable(),
});
const snapshot = z.object({ started_at: z.coerce.date(), position: z.coerce.number().nullable() });

export type BookCheck = { name: string; broken: number; sample: string | null };
export type BooksReport = {
  isSound: boolean;
  checks: BookCheck[];
  /**
   * Sums of transfers by account kind and currency, in minor units; all kinds of a currency add up to 0. `storedCents`
   * is the sum of the stored balances of wallets and sellers; null for kinds without stored balances.
   */
  totals: { kind: string; currency: string; balanceCents: number; storedCents: number | null }[];
};
export type Verification = BooksReport & {
  startedAt: Date;
  /** Where the next proof can begin; null if the roll-up has not reached all transfers of earlier versions. */
  position: number | null;
};

type VerifyOptions = {
  /** Verifies what is new since this proof; without it, everything. */
  since?: ProofStart | undefined;
  /** Receives the results of each group of checks, and the share of the groups that ran. */
  onChecks?: (checks: BookCheck[], share: number) => Promise<void> | void;
};

/**
 * Verifies the ledger from its rows. Every stored balance is the sum of its transfers, and none is negative. Versions and
 * balances follow each other without a gap. Sources equal uses. Every order, placement, top-up, refund and dispute moved
 * exactly its amount, and every fee and payout is a line of a provider's statement. The checks are in ./proof, by subject.
 * Reads one snapshot, so that concurrent transfers do not appear as differences. The database adds up; the process
 * receives one row per check.
 */
export async function verifyBooks({ since, onChecks }: VerifyOptions = {}): Promise<Verification> {
  const scope = since ? scopeSince(since) : wholeScope;
  const groups = [
    balanceChecks,
    routeChecks,
    orderChecks,
    placementChecks,
    payoutChecks,
    topupChecks,
    reversalChecks,
    sourceRefundChecks,
    settlementChecks,
    statementChecks,
  ].map((group) => group(scope));
  if (scope.isWhole) groups.push(rollupChecks());
  return db().transaction(
    async (tx) => {
      await extendStatementTimeout(tx);
      const [start] = await tx.execute(sql`
        select now() as started_at, (select position from ledger_rollup where is_unnumbered_done) as position`);
      const { started_at, position } = snapshot.parse(start);
      const checks: BookCheck[] = [];
      for (const [done, group] of groups.entries()) {
        const found = z.array(check).parse(await tx.execute(checksQuery(scope, group)));
        checks.push(...found);
        await onChecks?.(found, (done + 1) / groups.length);
      }
      const totals = z.array(total).parse(await tx.execute(totalsQuery(scope)));
      return {
        isSound: checks.every((one) => one.broken === 0),
        checks: checks.sort((one, other) => one.name.localeCompare(other.name, 'en')),
        totals: totals.map(({ balance_cents, stored_cents, ...rest }) => ({
          ...rest,
          balanceCents: balance_cents,
          storedCents: stored_cents,
        })),
        startedAt: started_at,
        position,
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

const checksQuery = (scope: Scope, { parts, checks }: CheckGroup): SQL => sql`
  with ${sql.join(parts ? [scope.parts, parts] : [scope.parts], sql`, `)},
  failures as (
    ${sql.join(
      checks.map(({ name, broken }) => sql`select ${name}::text as name, f.sample from (${broken}) as f(sample)`),
      sql` union all `,
    )}
  )
  select names.name, count(failures.name)::int as broken, min(failures.sample) as sample
  from (values ${sql.join(
    checks.map(({ name }) => sql`(${name}::text)`),
    sql`, `,
  )}) as names(name)
  left join failures on failures.name = names.name
  group by names.name order by names.name`;

const totalsQuery = (scope: Scope): SQL => sql`
  with ${scope.parts}, ${totalsPart(scope)}
  select k.kind, k.currency, k.balance::bigint as balance_cents,
    (select sum(s.balance_cents) from ledger.accounts s
     where s.guarded and s.kind = k.kind and s.currency = k.currency)::bigint as stored_cents
  from kind_totals k order by k.kind, k.currency`;
