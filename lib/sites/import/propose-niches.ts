import { inArray, sql } from 'drizzle-orm';
import { nicheProposals } from '@/db/schema/taxonomy';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import { nicheKey } from '@/lib/taxonomy/contract';
import { findNiche, getKnownNiches } from './known-names';
import type { ReplacedNiches } from './stage-rows';

/**
 * Maps the niches of the staged rows to those that exist now, because staff may have reviewed some since the file was
 * read, and lets the new ones wait for review, because the list is shared by all users. A niche that another import
 * proposed in the meantime replaces the spelling of the staged rows. Reviews wait until the transaction ends, so that
 * they find its sites.
 * @param staged the niches of the staged rows
 * @returns the new niches, and what `insertStagedRows` replaces
 */
export async function proposeNiches(
  tx: Transaction,
  actor: Actor,
  staged: ReadonlySet<string>,
): Promise<{ newNiches: string[]; replaced: ReplacedNiches }> {
  // Shared: imports do not wait for each other. The verbs of lib/taxonomy take the lock exclusively.
  await tx.execute(sql`select pg_advisory_xact_lock_shared(hashtext('taxonomy niche'))`);
  const known = await getKnownNiches(tx);
  const fresh = new Map<string, string>();
  for (const name of staged) {
    const key = nicheKey(name);
    if (findNiche(known, name) === undefined && !fresh.has(key)) fresh.set(key, name);
  }
  const newNiches = [...fresh.values()];
  for (const [key, niche] of await insertProposals(tx, actor, newNiches)) known.set(key, niche);
  const replaced = new Map<string, string>();
  for (const name of staged) {
    const niche = findNiche(known, name);
    if (niche !== undefined && niche !== name) replaced.set(name, niche);
  }
  return { newNiches, replaced };
}

/** Inserts the proposals of niches. @returns the niches, by key, whose proposal exists now */
async function insertProposals(tx: Transaction, actor: Actor, names: readonly string[]): Promise<[string, string][]> {
  if (names.length === 0) return [];
  // Sorted to prevent deadlocks between imports.
  const rows = names
    .map((name) => ({ key: nicheKey(name), name, proposedBy: actor.userId }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  await tx.insert(nicheProposals).values(rows).onConflictDoNothing();
  const keys = rows.map(({ key }) => key);
  const stored = await tx.select().from(nicheProposals).where(inArray(nicheProposals.key, keys));
  return stored.map(({ key, name, niche }) => [key, niche ?? name]);
}
