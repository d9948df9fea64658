import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { sites } from '@/db/schema/sites';
import { nicheProposals, niches } from '@/db/schema/taxonomy';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { countNicheProposals, maxShownProposals } from './queries';

const changedRows = z.array(z.object({ niche: z.string(), count: z.number() }));

/**
 * Replaces the niches of proposals by one of the list, also by another spelling of the same name: on the sites that have
 * them and, because the proposals stay as aliases, in later imports.
 * @returns the number of sites that were changed, by the name of the proposal
 */
export async function replaceProposals(
  tx: Transaction,
  proposals: readonly { key: string; name: string }[],
  niche: string,
): Promise<ReadonlyMap<string, number>> {
  await extendStatementTimeout(tx);
  const keys = proposals.map(({ key }) => key);
  await tx.update(nicheProposals).set({ niche }).where(inArray(nicheProposals.key, keys));
  const names = sql.param(proposals.map(({ name }) => name));
  // In one statement, which reads the sites once. Their figures are as old as before, so updated_at stays.
  const rows = await tx.execute(sql`
    with changed as (
      update ${sites} set niche = ${niche}, version = ${sites.version} + 1
      from (select id, niche from ${sites} where niche = any(${names}::text[]) and deleted_at is null) as before
      where ${sites.id} = before.id and ${sites.niche} = before.niche
      returning before.niche
    )
    select niche, count(*)::integer as count from changed group by niche`);
  return new Map(changedRows.parse([...rows]).map((row) => [row.niche, row.count]));
}

const key = z.string().min(1).max(200);

export const reviewNicheInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accept'), key }),
  z.object({
    kind: z.literal('replace'),
    keys: z.array(key).min(1).max(maxShownProposals),
    niche: z.string('Choose a niche.').min(1, 'Choose a niche.').max(100),
  }),
]);
type ReviewNicheInput = z.output<typeof reviewNicheInput>;

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

/** Deletes the proposals of niches that no site has anymore. Reads the sites only while proposals wait. */
export async function dropUnusedProposals(): Promise<{ dropped: number }> {
  if ((await countNicheProposals()) === 0) return { dropped: 0 };
  return db().transaction(async (tx) => {
    // Waits for the imports that add sites to a proposal.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('taxonomy niche'))`);
    await extendStatementTimeout(tx);
    const isUsed = sql`exists (
      select from ${sites} where ${sites.niche} = ${nicheProposals.name} and ${sites.deletedAt} is null
    )`;
    const { count } = await tx.delete(nicheProposals).where(and(isNull(nicheProposals.niche), sql`not ${isUsed}`));
    return { dropped: count };
  });
}
