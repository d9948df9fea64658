import { asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import type { TypedSource } from '@/db/enums';
import { sites } from '@/db/schema/sites';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import { isFigureField } from './typed-figures';

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

/** Waits until the transactions that have locked any domain have ended, and locks all of them. */
export async function lockAllDomains(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${domainLocks}, slot) from generate_series(0, 63) as slot`);
}

/** Builds a query of names, for `lockDomains`. */
export const namesOf = (domains: readonly string[]): SQL =>
  sql`select jsonb_array_elements_text(${JSON.stringify(domains)}::text::jsonb)`;

/**
 * Locks what an edit of a listing needs, before the listing itself is locked. Figures of staff change all listings of the
 * domain, which are locked in id order; a new URL may be on another domain, whose figures the listing gets.
 */
export async function lockForEdit(
  tx: Executor,
  id: number,
  changes: { url?: string | undefined },
  source: TypedSource,
): Promise<void> {
  const moved = changes.url === undefined ? [] : [getSiteDomain(changes.url)];
  const hasFigures = Object.entries(changes).some(([name, value]) => value !== undefined && isFigureField(name));
  if (source === 'seller' || !hasFigures) {
    if (moved.length > 0) await lockDomains(tx, 'shared', namesOf(moved));
    return;
  }
  const [site] = await tx.select({ domain: sites.domain }).from(sites).where(eq(sites.id, id));
  const domains = [...moved, ...(site ? [site.domain] : [])];
  await lockDomains(tx, 'exclusive', namesOf(domains));
  await tx
    .select({ id: sites.id })
    .from(sites)
    .where(inArray(sites.domain, domains))
    .orderBy(asc(sites.id))
    .for('no key update');
}
