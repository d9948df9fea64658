import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { niches, postTypes } from '@/db/schema/taxonomy';
import type { Actor } from '@/lib/access/actor';
import { route } from '@/lib/auth/route';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { type TaxonomyKind, type TaxonomyName, taxonomyLabels, taxonomyParams } from './schemas';

/**
 * Deletes a niche or a post type. Sites keep their value, because it is text and not a reference.
 * @throws AppError not_found
 */
export async function deleteTaxonomyName(actor: Actor, { type, name }: TaxonomyName): Promise<void> {
  const { noun, entity } = taxonomyLabels[type];
  const table = type === 'niche' ? niches : postTypes;
  await db().transaction(async (tx) => {
    const [gone] = await tx.delete(table).where(eq(table.name, name)).returning({ name: table.name });
    if (!gone) throw new AppError('not_found', `The ${noun} “${name}” does not exist.`);
    await recordAudit(tx, actor, {
      action: `${entity}.deleted`,
      details: `The ${noun} “${name}” was deleted.`,
      entityType: entity,
      entityId: name,
      before: { name },
    });
  });
}

/** Creates the DELETE route of a niche or a post type; the API has two paths for it. */
export function deleteNameRoute(type: TaxonomyKind) {
  return route(
    {
      access: 'ManageSites',
      summary: 'Deletes a niche or a post type.',
      errors: ['not_found'],
      params: taxonomyParams,
    },
    async ({ actor, params }) => {
      await deleteTaxonomyName(actor, { type, name: params.name });
    },
  );
}
