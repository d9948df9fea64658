import { and, eq, inArray, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownershipProofs } from '@/db/schema/ownership-proofs';
import { sites } from '@/db/schema/sites';
import { proofColumns, type SiteOwnership } from './show';

/** What the list of a seller's sites shows of each. */
export type ListedOwnership = Pick<SiteOwnership, 'domain' | 'ownership' | 'proof'>;

/** Lists what is known of the domains of a seller's own sites, by the id of the site. Leaves out sites of others. */
export async function listOwnOwnership(
  sellerId: string,
  siteIds: readonly number[],
): Promise<ReadonlyMap<number, ListedOwnership>> {
  if (siteIds.length === 0) return new Map();
  const rows = await db()
    .select({ id: sites.id, domain: sites.domain, ownership: sites.ownership, proof: proofColumns })
    .from(sites)
    .leftJoin(
      ownershipProofs,
      and(eq(ownershipProofs.sellerId, sites.ownerId), eq(ownershipProofs.domain, sites.domain)),
    )
    .where(and(inArray(sites.id, [...siteIds]), eq(sites.ownerId, sellerId), isNull(sites.deletedAt)));
  return new Map(rows.map(({ id, ...known }) => [id, known]));
}
