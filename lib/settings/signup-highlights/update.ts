import { and, eq, ne, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { features } from '@/db/schema/features';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import type { UpdateHighlightInput } from './schemas';

/** @throws AppError not_found, conflict for a stale `version` or a name that exists */
export async function updateHighlight(actor: Actor, { id, version, ...after }: UpdateHighlightInput): Promise<void> {
  await db().transaction(async (tx) => {
    await lockHighlights(tx);
    const { name, description } = await requireHighlight(tx, { id, version });
    await requireUniqueName(tx, after.name, id);
    await tx
      .update(features)
      .set({ ...after, version: version + 1 })
      .where(eq(features.id, id));
    await recordAudit(tx, actor, {
      action: 'feature.changed',
      details: `Feature “${after.name}” changed.`,
      entityType: 'feature',
      entityId: id,
      before: { name, description },
      after,
    });
  });
}

/** Serializes writers of highlights until the commit, because names are compared before they are written. */
export async function lockHighlights(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('features'))`);
}

/**
 * Finds the highlight of an edit and checks its version.
 * @throws AppError not_found, conflict for a stale `version`
 */
export async function requireHighlight(tx: Executor, { id, version }: { id: string; version: number }) {
  const [row] = await tx.select().from(features).where(eq(features.id, id));
  if (!row) throw new AppError('not_found', 'This feature was deleted in the meantime.');
  requireVersion(row, version, `“${row.name}”`);
  return row;
}

/** @throws AppError conflict */
export async function requireUniqueName(tx: Executor, name: string, id = ''): Promise<void> {
  const [holder] = await tx
    .select({ id: features.id })
    .from(features)
    .where(and(sql`lower(${features.name}) = ${name.toLowerCase()}`, ne(features.id, id)));
  if (!holder) return;
  const text = 'A feature with this name already exists.';
  throw new AppError('conflict', text, { fields: { name: text } });
}
