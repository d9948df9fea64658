import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';

/** The class of the advisory locks; unique within this application. */
const domainLocks = 77_003;

/**
 * Locks domains until the transaction ends, before any of their listings is locked: exclusively to change the figures of
 * all their listings, shared to add a listing that gets their figures. A listing that is being added is in no list of the
 * domain's listings yet, so without the lock it would miss figures that are written at the same time.
 * @param domains a query of names, as 64 locks cover all domains
 */
export async function lockDomains(tx: Executor, mode: 'exclusive' | 'shared', domains: SQL): Promise<void> {
  const lock = sql.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  // In order, to prevent deadlocks.
  await tx.execute(sql`
    select ${lock}(${domainLocks}, slot)
    from (select distinct hashtext(domain) & 63 as slot from (${domains}) as named (domain) order by 1) as slots`);
}

/** Builds a query of names, for `lockDomains`. */
export const namesOf = (domains: readonly string[]): SQL =>
  sql`select jsonb_array_elements_text(${JSON.stringify(domains)}::text::jsonb)`;
