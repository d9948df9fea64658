import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { balanceChecks, rollupChecks, routeChecks } from './proof/balance-checks';
import { bankChecks } from './proof/bank-checks';
import { orderChecks, reversalChecks, topupChecks } from './proof/order-checks';
import { payoutChecks, sourceRefundChecks } from './proof/payout-checks';
import { placementChecks } from './proof/placement-checks';
import { type CheckGroup, type ProofStart, type Scope, scopeSince, wholeScope } from './proof/scope';
import { settlementChecks, statementChecks } from './proof/settlement-checks';
import { taxChecks } from './proof/tax-checks';

export type { ProofStart } from './proof/scope';

const check = z.object({ name: z.string(), broken: z.coerce.number(), sample: z.string().nullable() });
/**
 * The sum of transfers of an account kind in a currency, in minor units; all kinds of a currency add up to 0.
 * `storedCents` is the sum of the stored balances of wallets and sellers; null for kinds without stored balances.
 */
const total = z.object({
  kind: z.string(),
  currency: z.string(),
  balanceCents: z.coerce.number(),
  storedCents: z.coerce.number().nullable(),
});
export const booksReport = z.object({ isSound: z.boolean(), checks: z.array(check), totals: z.array(total) });
const summary = z.object({
  started_at: z.coerce.date(),
  position: z.coerce.number().nullable(),
  totals: z.array(total),
});

export type BookCheck = z.output<typeof check>;
export type BooksReport = z.output<typeof booksReport>;
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
export async function verifyBooks({ since, onChecks }: VerifyOptions = {}) {
  const scope = since ? scopeSince(since) : wholeScope;
  const groups = [
    balanceChecks,
    routeChecks,
    orderChecks,
    taxChecks,
    placementChecks,
    payoutChecks,
    topupChecks,
    bankChecks,
    reversalChecks,
    sourceRefundChecks,
    settlementChecks,
    statementChecks,
  ].map((group) => group(scope));
  if (scope.isWhole) groups.push(rollupChecks());
  // A partial proof finds the rows that it covers once, for all checks.
  const statements = scope.isWhole ? groups : [joinGroups(groups)];
  return db().transaction(
    async (tx) => {
      await extendStatementTimeout(tx);
      // Planning takes most of the time on small books. The plans of a whole proof do not depend on its parameters, which
      // are constants, so each connection makes them once; those of a partial proof depend on where it begins.
      if (scope.isWhole) await tx.execute(sql`set local plan_cache_mode = force_generic_plan`);
      const checks: BookCheck[] = [];
      for (const [number, group] of statements.entries()) {
        const query = tx
          .select({ name: sql`name`, broken: sql`broken`, sample: sql`sample` })
          .from(sql`(${checksQuery(scope, group)}) as checks`);
        const found = z
          .array(check)
          .parse(await (scope.isWhole ? query.prepare(`books_proof_${number}`).execute() : query));
        checks.push(...found);
        await onChecks?.(found, (number + 1) / statements.length);
      }
      const [row] = await tx.execute(summaryQuery(scope));
      const { started_at, position, totals } = summary.parse(row);
      return {
        isSound: checks.every((one) => one.broken === 0),
        checks: checks.sort((one, other) => one.name.localeCompare(other.name, 'en')),
        totals,
        startedAt: started_at,
        /** Where the next proof can begin; null before the first roll-up. */
        position,
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

const joinGroups = (groups: readonly CheckGroup[]): CheckGroup => ({
  parts: sql.join(
    groups.flatMap(({ parts }) => parts ?? []),
    sql`, `,
  ),
  checks: groups.flatMap(({ checks }) => checks),
});

/**
 * Builds the statement of a group. One for all groups of a whole proof takes longer to plan, and 20 seconds to compile
 * where PostgreSQL does so (jit).
 */
const checksQuery = (scope: Scope, { parts, checks }: CheckGroup): SQL => {
  const failures = checks.map(
    ({ name, broken }) => sql`select ${name}::text as name, f.sample from (${broken}) as f(sample)`,
  );
  return sql`
  with ${sql.join(parts ? [scope.parts, parts] : [scope.parts], sql`, `)},
  failures as (${sql.join(failures, sql` union all `)})
  select names.name, count(failures.name)::int as broken, min(failures.sample) as sample
  from (values ${sql.join(
    checks.map(({ name }) => sql`(${name}::text)`),
    sql`, `,
  )}) as names(name)
  left join failures on failures.name = names.name
  group by names.name order by names.name`;
};

const summaryQuery = (scope: Scope): SQL => sql`
  with ${scope.parts},
  totals as (
    select k.kind, k.currency, k.balance::bigint as "balanceCents",
      (select sum(s.balance_cents) from ledger.accounts s
       where s.guarded and s.kind = k.kind and s.currency = k.currency)::bigint as "storedCents"
    from kind_totals k
  )
  select now() as started_at, (select position from ledger_rollup) as position,
    coalesce((select json_agg(totals order by kind, currency) from totals), '[]') as totals`;
