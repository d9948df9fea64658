import { inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { sites } from '@/db/schema/sites';
import { nicheProposals } from '@/db/schema/taxonomy';
import type { Transaction } from '@/db/transaction';

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
