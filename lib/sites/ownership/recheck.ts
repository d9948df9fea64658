import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { ownershipProofs } from '@/db/schema/ownership-proofs';
import { sites } from '@/db/schema/sites';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { processLeased, secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';
import { findOwnership } from './check';
import { recordOwnership } from './record';
import { refreshAllOwnership } from './refresh';

/** Checks at the same time on an instance. Each waits for foreign servers most of its time. */
const workers = 4;
/** The run ends before its next turn begins. */
const runMs = 50_000;
/** A check that failed by an error is due again then. */
const leaseSeconds = 60 * 60;

type Counts = { checked: number; dropped: number; failed: number };

/**
 * Checks the proofs that are due again. Several instances may run it: each leases other proofs. Deletes the proof of a
 * seller who no longer lists the domain.
 */
export async function recheckOwnership(): Promise<Counts> {
  const counts: Counts = { checked: 0, dropped: 0, failed: 0 };
  await processLeased({ workers, endsAt: Date.now() + runMs }, leaseDue, async (due) => {
    counts[await recheck(due)] += 1;
  });
  return counts;
}

const leased = z.array(z.object({ sellerId: z.string(), domain: z.string(), isListed: z.boolean() }));

async function leaseDue(): Promise<z.output<typeof leased>[number] | undefined> {
  const rows = await db().execute(sql`
    with due as materialized (
      select seller_id, domain from ${ownershipProofs} where next_check_at <= now()
      order by next_check_at limit 1 for no key update skip locked
    )
    update ${ownershipProofs} p set next_check_at = ${secondsFromNow(leaseSeconds)} from due
    where p.seller_id = due.seller_id and p.domain = due.domain
    returning p.seller_id as "sellerId", p.domain, exists (
      select from ${sites} l where l.domain = p.domain and l.owner_id = p.seller_id and l.deleted_at is null
    ) as "isListed"`);
  return leased.parse([...rows])[0];
}

async function recheck({ sellerId, domain, isListed }: z.output<typeof leased>[number]): Promise<keyof Counts> {
  try {
    if (!isListed) {
      await db().execute(sql`delete from ${ownershipProofs} where seller_id = ${sellerId} and domain = ${domain}`);
      return 'dropped';
    }
    const finding = await findOwnership(sellerId, domain);
    const actor = systemActor(systemActors.ownership, 'job');
    await db().transaction((tx) => recordOwnership(tx, actor, { sellerId, domain, ...finding }));
    return 'checked';
  } catch (thrown) {
    log().warn({ domain, err: thrown }, 'A check of an ownership failed.');
    return 'failed';
  }
}

/** Corrects the listings that `refreshOwnership` skipped. */
export async function refreshListings(): Promise<Record<string, number>> {
  await db().transaction(refreshAllOwnership);
  return {};
}
