import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { niches, postTypes } from '../../db/schema/taxonomy';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import type { TaxonomyName } from './schemas';
import { taxonomyWords } from './words';

/**
 * Takes a niche or a post type out of its list. Sites keep the name they carry: it is text, not a reference.
 * @throws AppError not_found
 */
export async function deleteTaxonomyName(actor: Actor, { type, name }: TaxonomyName): Promise<void> {
  const { noun, entity } = taxonomyWords[type];
  const table = type === 'niche' ? niches : postTypes;
  await db().transaction(async (tx) => {
    const [gone] = await tx.delete(table).where(eq(table.name, name)).returning({ name: table.name });
    if (!gone) throw new AppError('not_found', `There is no ${noun} “${name}”.`);
    await recordAudit(tx, actor, {
      action: `${entity}.deleted`,
      details: `The ${noun} “${name}” was deleted.`,
      entityType: entity,
      entityId: name,
      before: { name },
    });
  });
}
