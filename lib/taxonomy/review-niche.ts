import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { nicheProposals, niches } from '@/db/schema/taxonomy';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { maxShownProposals } from './queries';
import { replaceProposals } from './replace-proposals';

const key = z.string().min(1).max(200);

export const reviewNicheInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accept'), key }),
  z.object({
    kind: z.literal('replace'),
    keys: z.array(key).min(1).max(maxShownProposals),
    niche: z.string('Choose a niche.').min(1, 'Choose a niche.').max(100),
  }),
]);
export type ReviewNicheInput = z.output<typeof reviewNicheInput>;

/**
 * Decides about niches that imports proposed: adds one to the list, or replaces some by an existing niche, on the sites
 * that have them and in later imports. Accepting a niche that the list has in another spelling replaces it by that.
 * @returns the number of sites whose niche was replaced
 * @throws AppError not_found if none of the niches waits (anymore), or for an unknown niche as their replacement
 */
export async function reviewNiche(actor: Actor, input: ReviewNicheInput): Promise<{ sites: number }> {
  return db().transaction(async (tx) => {
    // The lock of createTaxonomyName, so that the list gets no two spellings of a name.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('taxonomy niche'))`);
    const keys = input.kind === 'accept' ? [input.key] : input.keys;
    const waiting = await tx
      .select()
      .from(nicheProposals)
      .where(and(inArray(nicheProposals.key, keys), isNull(nicheProposals.niche)))
      .for('update');
    const [first] = waiting;
    if (!first) {
      const message = keys.length === 1 ? 'This niche was already reviewed.' : 'These niches were already reviewed.';
      throw new AppError('not_found', message);
    }
    const { name } = first;
    const same = sql`lower(${niches.name}) = lower(${input.kind === 'accept' ? name : input.niche})`;
    const [known] = await tx.select({ name: niches.name }).from(niches).where(same);
    if (input.kind === 'replace') {
      if (!known) throw new AppError('not_found', `The niche “${input.niche}” does not exist.`);
      return replace(tx, actor, waiting, known.name);
    }
    if (known && known.name !== name) return replace(tx, actor, waiting, known.name);
    if (!known) await tx.insert(niches).values({ name });
    await tx.delete(nicheProposals).where(eq(nicheProposals.key, input.key));
    await recordAudit(tx, actor, {
      action: 'niche.created',
      details: `The niche “${name}” of an import was accepted.`,
      entityType: 'niche',
      entityId: name,
      after: { name },
    });
    return { sites: 0 };
  });
}

async function replace(
  tx: Transaction,
  actor: Actor,
  proposals: readonly { key: string; name: string }[],
  niche: string,
): Promise<{ sites: number }> {
  const counts = await replaceProposals(tx, proposals, niche);
  const entries = proposals.map(({ name }) => {
    const count = counts.get(name) ?? 0;
    return {
      action: 'niche.replaced',
      details: `The niche “${name}” of an import was replaced by “${niche}”, on ${count === 1 ? '1 site' : `${count} sites`}.`,
      entityType: 'niche',
      entityId: name,
      before: { name },
      after: { name: niche },
    };
  });
  await recordAudit(tx, actor, ...entries);
  return { sites: [...counts.values()].reduce((sum, count) => sum + count, 0) };
}
