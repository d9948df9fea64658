import { and, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { sites } from '@/db/schema/sites';
import { nicheProposals } from '@/db/schema/taxonomy';
import { countNicheProposals } from './queries';

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
