import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import type { OwnershipMethod } from '@/db/schema/ownership-proofs';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { siteNotFoundError } from '@/lib/sites/lock';
import type { OwnershipCheck } from './contract';
import { type Finding, isDnsReachable, probeDns } from './probe-dns';
import { probeAdsTxt, probeFile, probeMeta } from './probe-web';
import { type OwnershipFinding, recordOwnership } from './record';
import { createTokenCheck } from './token';

/** Checks of this process that are not finished, by seller and domain. */
const running = new Map<string, Promise<OwnershipFinding>>();

/** Tries all methods at the same time, once for simultaneous calls. */
export function findOwnership(sellerId: string, domain: string): Promise<OwnershipFinding> {
  const key = JSON.stringify([sellerId, domain]);
  const check =
    running.get(key) ??
    probeAll(sellerId, domain).finally(() => {
      running.delete(key);
    });
  running.set(key, check);
  return check;
}

async function probeAll(sellerId: string, domain: string): Promise<OwnershipFinding> {
  const isToken = createTokenCheck({ sellerId, domain });
  const [dns, file, adsTxt, meta] = await Promise.all([
    probeDns(domain, isToken),
    probeFile(domain, isToken),
    probeAdsTxt(domain, isToken),
    probeMeta(domain, isToken),
  ]);
  // The strongest first.
  const found: [OwnershipMethod, Finding][] = [
    ['dns', dns],
    ['file', file],
    ['adsTxt', adsTxt],
    ['meta', meta],
  ];
  const [proved] = found.find(([, { message }]) => message === null) ?? [];
  if (proved) return { method: proved, problems: [], isOurs: false };
  const problems = found.flatMap(([method, { message }]) => (message === null ? [] : [{ method, message }]));
  return { method: null, problems, isOurs: await isOurs(domain, found) };
}

/** Checks whether the marketplace is cut off: name servers do not answer for any domain, or its proxy fails. */
async function isOurs(domain: string, found: readonly [OwnershipMethod, Finding][]): Promise<boolean> {
  const ofWeb = found.filter(([method]) => method !== 'dns');
  if (ofWeb.every(([, { isProxyDown }]) => isProxyDown)) return true;
  return found.every(([, { isUnanswered }]) => isUnanswered) && !(await isDnsReachable(domain));
}

/**
 * Checks the ownership of the domain of an own site in any status, by all methods, and records the result.
 * @throws AppError not_found for a deleted site and for one that the actor does not own; rate_limited
 */
export async function checkOwnership(actor: Actor, siteId: number): Promise<OwnershipCheck> {
  const sellerId = actor.userId;
  const [site] = await db()
    .select({ domain: sites.domain })
    .from(sites)
    .where(and(eq(sites.id, siteId), eq(sites.ownerId, sellerId), isNull(sites.deletedAt)));
  if (!site) throw siteNotFoundError(siteId);
  await consumeLimit('ownershipCheck', { account: sellerId, address: actor.ip });
  const finding = await findOwnership(sellerId, site.domain);
  const { method, verifiedAt, checkedAt } = await db().transaction((tx) =>
    recordOwnership(tx, actor, { sellerId, domain: site.domain, ...finding }),
  );
  return {
    state: verifiedAt ? 'verified' : 'unverified',
    method,
    checkedAt: checkedAt.toISOString(),
    problems: finding.problems,
  };
}
