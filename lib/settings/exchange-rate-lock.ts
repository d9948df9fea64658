import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client';

const name = sql`hashtext('exchange rates')`;

/**
 * Whoever prices a site by a rate holds this until their commit, so that no new rate slips in between; taken before any
 * row of a site is locked, as `lockRates` is.
 */
export async function shareRates(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${name})`);
}

/** Whoever sets a rate waits for those who price by the old one, and keeps new ones waiting. */
export async function lockRates(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${name})`);
}
