import { and, eq, isNull } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { announcements } from '../../db/schema/announcements';
import { requireVersion } from '../settings/require-version';

/**
 * The announcement that an edit means, locked.
 * @throws AppError not_found, conflict for a stale `version`
 */
export async function editedAnnouncement(tx: Executor, { id, version }: { id: string; version: number }) {
  const [row] = await tx
    .select()
    .from(announcements)
    .where(and(eq(announcements.id, id), isNull(announcements.deletedAt)))
    .for('no key update');
  return requireVersion(row, { version, noun: 'notification', nameOf: ({ title }) => title });
}
