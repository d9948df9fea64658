import { max, sql } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { niches, postTypes } from '../../db/schema/taxonomy';
import type { Actor } from '../access/actor';
import { recordAudit } from '../platform/audit/record';
import { type TaxonomyName, taxonomyLabels } from './schemas';

/**
 * Creates a niche or a post type. Ignores a blank name and an existing one, compared case-insensitively. A new post type
 * becomes the last tab.
 * @returns whether the name was created
 */
export async function createTaxonomyName(actor: Actor, { type, name }: TaxonomyName): Promise<boolean> {
  if (name === '') return false;
  return db().transaction(async (tx) => {
    // Serializes creation, so that concurrent requests cannot insert two spellings of a name.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`taxonomy ${type}`}))`);
    if (!(await insert(tx, type, name))) return false;
    await recordAudit(tx, actor, {
      action: `${taxonomyLabels[type].entity}.created`,
      details: `The ${taxonomyLabels[type].noun} “${name}” was added.`,
      entityType: taxonomyLabels[type].entity,
      entityId: name,
      after: { name },
    });
    return true;
  });
}

async function insert(tx: Executor, type: TaxonomyName['type'], name: string): Promise<boolean> {
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
