import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import type { Ownership } from '@/db/enums';
import { ownershipProofs } from '@/db/schema/ownership-proofs';
import { sites } from '@/db/schema/sites';
import { env } from '@/lib/env';
import { siteNotFoundError } from '@/lib/sites/lock';
import type { OwnershipInstructions } from './contract';
import { createOwnershipToken } from './token';

/** The name of the TXT record's value, of the line in the file, and of the meta element. */
export const proofName = 'linkmarket-site-verification';

/** Returns the name by which ads.txt calls this marketplace. */
export const marketplaceHost = (): string => new URL(env().APP_URL).hostname;

/** Where the proofs of a domain are. */
export const proofPlaces = (domain: string) => ({
  dns: `_linkmarket.${domain}`,
  file: `https://${domain}/.well-known/linkmarket.txt`,
  meta: `https://${domain}/`,
  adsTxt: `https://${domain}/ads.txt`,
});

/** A proof is lost by two failed checks that are so far apart. */
export const graceDays = 7;

const countsUntil: SQL<Date | null> = sql`${ownershipProofs.failedAt} + make_interval(days => ${graceDays})`.mapWith(
  ownershipProofs.failedAt,
);

/** The last check of a domain for a seller. After a left join, Drizzle takes the row for absent if its first column is null. */
export const proofColumns = {
  checkedAt: ownershipProofs.checkedAt,
  method: ownershipProofs.method,
  verifiedAt: ownershipProofs.verifiedAt,
  countsUntil,
  problems: ownershipProofs.problems,
};
type Proof = typeof ownershipProofs.$inferSelect;
export type OwnershipProof = Pick<Proof, 'checkedAt' | 'method' | 'verifiedAt' | 'problems'> & {
  /** When a failing proof can be lost; null for one that holds, and without one. */
  countsUntil: Date | null;
};

export type SiteOwnership = OwnershipInstructions & {
  /** The last check; null before the first. */
  proof: OwnershipProof | null;
  /** What the listing shows: `contributor` if only other sellers proved the domain. */
  ownership: Ownership | null;
};

/**
 * Returns how a seller proves the domain of an own site, in any status, and the last check.
 * @throws AppError not_found for a deleted site and for one that the seller does not own
 */
export async function getSiteOwnership(sellerId: string, siteId: number): Promise<SiteOwnership> {
  const [row] = await db()
    .select({ domain: sites.domain, ownership: sites.ownership, proof: proofColumns })
    .from(sites)
    .leftJoin(
      ownershipProofs,
      and(eq(ownershipProofs.sellerId, sites.ownerId), eq(ownershipProofs.domain, sites.domain)),
    )
    .where(and(eq(sites.id, siteId), eq(sites.ownerId, sellerId), isNull(sites.deletedAt)));
  if (!row) throw siteNotFoundError(siteId);
  const { domain, ownership, proof } = row;
  const token = createOwnershipToken({ sellerId, domain });
  const places = proofPlaces(domain);
  const line = `${proofName}=${token}`;
  return {
    ...{ domain, token },
    state: proof?.verifiedAt ? 'verified' : 'unverified',
    methods: {
      dns: { name: places.dns, value: line },
      file: { url: places.file, content: line },
      meta: { html: `<meta name="${proofName}" content="${token}">` },
      adsTxt: { url: places.adsTxt, line: `${marketplaceHost()}, ${token}, DIRECT` },
    },
    ...{ proof, ownership },
  };
}

/** Returns the instructions as POST /api/seller/sites/{id}/ownership does. */
export const ownershipView = ({ domain, token, state, methods }: SiteOwnership): OwnershipInstructions => ({
  ...{ domain, token, state, methods },
});
