import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { advisoryLock } from '@/db/advisory-locks';
import { openSnapshot, type Snapshot } from '@/db/snapshot';
import { AppError } from '@/lib/errors';
import { unpaginatedLists } from './limits';

// On globalThis, because pages and route handlers are bundled separately.
const holder: typeof globalThis & { linkmarketOpenLists?: number } = globalThis;

/**
 * Opens a snapshot for a list of any length. The number of open lists is limited per user and for the installation.
 * They are counted with advisory locks that end with the snapshot's transaction, so that all instances share the count
 * and a process that dies leaves no locks.
 * @throws AppError rate_limited
 */
export async function openListSnapshot(userId: string): Promise<Snapshot> {
  const opened = holder.linkmarketOpenLists ?? 0;
  // Rejected without a connection: one instance must not open more connections than the installation allows lists.
  if (opened >= unpaginatedLists.perInstallation) throw tooMany('on this marketplace');
  holder.linkmarketOpenLists = opened + 1;
  let isOpen = true;
  const release = () => {
    if (isOpen) holder.linkmarketOpenLists = (holder.linkmarketOpenLists ?? 1) - 1;
    isOpen = false;
  };
  let snapshot: Snapshot | undefined;
  try {
    snapshot = await openSnapshot();
    const own = sql`hashtext(${userId} || ':' || slot)`;
    if (!(await tryAcquireSlot(snapshot, 'list-of-person', own, unpaginatedLists.perPerson))) throw tooMany('for you');
    if (!(await tryAcquireSlot(snapshot, 'list', sql`slot`, unpaginatedLists.perInstallation))) {
      throw tooMany('on this marketplace');
    }
  } catch (thrown) {
    await snapshot?.close();
    release();
    throw thrown;
  }
  const { close, ...rest } = snapshot;
  return { ...rest, close: () => close().finally(release) };
}

const slots = z.array(z.object({ slot: z.number() }));

/** @param key the second key of the lock, computed from the column `slot` */
async function tryAcquireSlot(
  { on }: Snapshot,
  name: 'list' | 'list-of-person',
  key: SQL,
  max: number,
): Promise<boolean> {
  const rows = await on.execute(sql`
    select slot from generate_series(1, ${max}::int) slot
    where pg_try_advisory_xact_lock(${advisoryLock(name)}::int, ${key}) limit 1`);
  return slots.parse([...rows]).length > 0;
}

function tooMany(where: string): AppError {
  return new AppError(
    'rate_limited',
    `Several full lists are being sent ${where} right now. Please wait a few seconds and try again, or request pages with limit and offset.`,
    { retryAfterSeconds: unpaginatedLists.retryAfterSeconds },
  );
}
