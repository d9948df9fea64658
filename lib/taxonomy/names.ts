import { eq, max, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { nicheProposals, niches, postTypes } from '@/db/schema/taxonomy';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import { route } from '@/lib/auth/route';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { nicheKey, type TaxonomyKind, type TaxonomyName, taxonomyLabels, taxonomyParams } from './contract';
import { replaceProposals } from './proposals';

/**
 * Creates a niche or a post type. Ignores a blank name and an existing one, compared case-insensitively. A new post type
 * becomes the last tab. A new niche decides the proposal of an import with the same name in any spelling.
 * @returns whether the name was created
 */
export async function createTaxonomyName(actor: Actor, { type, name }: TaxonomyName): Promise<boolean> {
  if (name === '') return false;
  return db().transaction(async (tx) => {
    // Serializes creation, so that concurrent requests cannot insert two spellings of a name.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`taxonomy ${type}`}))`);
    if (!(await insert(tx, type, name))) return false;
    const replaced = type === 'niche' ? await decideProposal(tx, name) : '';
    await recordAudit(tx, actor, {
      action: `${taxonomyLabels[type].entity}.created`,
      details: `The ${taxonomyLabels[type].noun} “${name}” was added.${replaced}`,
      entityType: taxonomyLabels[type].entity,
      entityId: name,
      after: { name },
    });
    return true;
  });
}

async function insert(tx: Transaction, type: TaxonomyName['type'], name: string): Promise<boolean> {
  const table = type === 'niche' ? niches : postTypes;
  const same = sql`lower(${table.name}) = lower(${name})`;
  const [known] = await tx.select({ name: table.name }).from(table).where(same);
  if (known) return false;
  if (type === 'niche') {
    await tx.insert(niches).values({ name });
    return true;
  }
  const [last] = await tx.select({ position: max(postTypes.position) }).from(postTypes);
  await tx.insert(postTypes).values({ name, position: (last?.position ?? 0) + 1 });
  return true;
}

/**
 * Decides the proposal that a new niche names: sites with another spelling get the one of the list, by which buyers filter.
 * @returns a sentence about the change for the audit log
 */
async function decideProposal(tx: Transaction, niche: string): Promise<string> {
  const named = eq(nicheProposals.key, nicheKey(niche));
  const [proposal] = await tx.select().from(nicheProposals).where(named).for('update');
  if (!proposal) return '';
  if (proposal.niche !== null || proposal.name === niche) {
    await tx.delete(nicheProposals).where(named);
    return '';
  }
  const count = (await replaceProposals(tx, [proposal], niche)).get(proposal.name) ?? 0;
  return ` It replaces “${proposal.name}” of an import, on ${count === 1 ? '1 site' : `${count} sites`}.`;
}

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
