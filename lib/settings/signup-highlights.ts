import { and, asc, eq, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { features } from '@/db/schema/features';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import { nameField, versionField } from '@/lib/platform/http/fields';
import { requireVersion } from '@/lib/platform/optimistic-lock';

export const createHighlightInput = z.object({
  name: nameField('Enter a name.', 80, 'The name can have at most 80 characters.'),
  description: z.string().trim().max(300, 'The description can have at most 300 characters.'),
});
type CreateHighlightInput = z.output<typeof createHighlightInput>;

export const updateHighlightInput = createHighlightInput.extend({
  id: z.string(),
  version: versionField,
});
type UpdateHighlightInput = z.output<typeof updateHighlightInput>;

export const deleteHighlightInput = updateHighlightInput.pick({ id: true, version: true });
type DeleteHighlightInput = z.output<typeof deleteHighlightInput>;

export type HighlightView = { id: string; name: string; description: string; version: number };

/** Lists the sign-up highlights in the order of their creation. */
export async function listHighlights(): Promise<HighlightView[]> {
  const { id, name, description, version } = features;
  return db().select({ id, name, description, version }).from(features).orderBy(asc(id));
}

/**
 * Adds a sign-up highlight, which is shown beside the registration form.
 * @throws AppError conflict for a name that exists
 */
export async function createHighlight(actor: Actor, input: CreateHighlightInput): Promise<void> {
  const id = newId();
  await db().transaction(async (tx) => {
    await lockHighlights(tx);
    await requireUniqueName(tx, input.name);
    await tx.insert(features).values({ id, ...input });
    await recordAudit(tx, actor, {
      action: 'feature.created',
      details: `Feature “${input.name}” added.`,
      entityType: 'feature',
      entityId: id,
      after: input,
    });
  });
}

/** Changes a highlight. @throws AppError not_found, conflict for a stale `version` or a name that exists */
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
async function lockHighlights(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('features'))`);
}

/**
 * Finds the highlight of an edit and checks its version.
 * @throws AppError not_found, conflict for a stale `version`
 */
async function requireHighlight(tx: Executor, { id, version }: { id: string; version: number }) {
  const [row] = await tx.select().from(features).where(eq(features.id, id));
  if (!row) throw new AppError('not_found', 'This feature was deleted in the meantime.');
  requireVersion(row, version, `“${row.name}”`);
  return row;
}

/** Requires a name that no other highlight has. @throws AppError conflict */
async function requireUniqueName(tx: Executor, name: string, id = ''): Promise<void> {
  const [holder] = await tx
    .select({ id: features.id })
    .from(features)
    .where(and(sql`lower(${features.name}) = ${name.toLowerCase()}`, ne(features.id, id)));
  if (!holder) return;
  const text = 'A feature with this name already exists.';
  throw new AppError('conflict', text, { fields: { name: text } });
}

/** Deletes a highlight. @throws AppError not_found, conflict for a stale `version` */
export async function deleteHighlight(actor: Actor, input: DeleteHighlightInput): Promise<void> {
  await db().transaction(async (tx) => {
    await lockHighlights(tx);
    const { id, name, description } = await requireHighlight(tx, input);
    await tx.delete(features).where(eq(features.id, id));
    await recordAudit(tx, actor, {
      action: 'feature.deleted',
      details: `Feature “${name}” deleted.`,
      entityType: 'feature',
      entityId: id,
      before: { name, description },
    });
  });
}
