import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownershipProofs } from '@/db/schema/ownership-proofs';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import { type OwnershipProof, proofColumns } from './show';

/** A seller who lists a domain. */
export type OwnershipClaim = {
  sellerId: string;
  sellerName: string;
  sellerEmail: string;
  /** The number of the seller's listings of the domain, in any status. */
  listings: number;
  /** The last check of the seller; null if there was none. `verifiedAt` is null while the domain is not proved. */
  proof: OwnershipProof | null;
};

/** Lists who lists a domain, those who proved it first. For staff with ManageSites. */
export function listOwnershipClaims(domain: string): Promise<OwnershipClaim[]> {
  const { sellerId, verifiedAt } = ownershipProofs;
  return db()
    .select({
      sellerId: users.id,
      sellerName: users.name,
      sellerEmail: users.email,
      listings: sql<number>`count(*)`.mapWith(Number),
      proof: proofColumns,
    })
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId))
    .leftJoin(ownershipProofs, and(eq(sellerId, sites.ownerId), eq(ownershipProofs.domain, sites.domain)))
    .where(and(eq(sites.domain, domain), isNull(sites.deletedAt)))
    .groupBy(users.id, sellerId, ownershipProofs.domain)
    .orderBy(sql`${verifiedAt} nulls last`, asc(users.name), asc(users.id))
    .limit(100);
}
