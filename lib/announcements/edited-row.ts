import { and, eq, isNull } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { announcements } from '../../db/schema/announcements';
import { AppError } from '../errors';

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
  if (!row) throw new AppError('not_found', 'This notification was taken back in the meantime.');
  if (row.version !== version) {
    throw new AppError(
      'conflict',
      `“${row.title}” was changed by somebody else in the meantime. Nothing was saved; look at their changes and save again.`,
    );
  }
  return row;
}
