import { asc, eq, isNull } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { ownershipMethods, ownershipProofs } from '@/db/schema/ownership-proofs';
import { sites } from '@/db/schema/sites';
import { env } from '@/lib/env';
import { refreshOwnership } from '@/lib/sites/ownership/refresh';
import { graceDays, marketplaceHost, proofName, proofPlaces } from '@/lib/sites/ownership/show';
import { createOwnershipToken } from '@/lib/sites/ownership/token';
import { daysBefore } from './days';
import type { People } from './people';

/** The share of other sellers' sites whose domain is proved: one of so many. */
const otherShare = 8;
const intervalDays = 30;

/**
 * Seeds proofs of domains: some sites of the demo seller are proved, one proof is failing, and another seller proved the
 * domain of one more.
 */
export async function seedOwnership(tx: Executor, { seller }: People, now: Date): Promise<void> {
  const approved = await tx.select().from(sites).where(eq(sites.status, 'Approved')).orderBy(asc(sites.id));
  const own = approved.filter(({ ownerId }) => ownerId === seller.id);
  const others = approved.filter(({ ownerId }) => ownerId !== seller.id);
  const contested = own.at(-1);
  const rival = others.at(-1);
  const failing = own.at(-2);
  if (!contested || !rival || !failing) return;
  const { name, url, urlKey, domain, niche, country, language } = contested;
  await tx.update(sites).set({ name, url, urlKey, domain, niche, country, language }).where(eq(sites.id, rival.id));
  const proved = [
    ...own.slice(0, -2).filter((_, index) => index % 3 === 0),
    ...others.slice(0, -1).filter((_, index) => index % otherShare === 0),
    { ...rival, domain },
  ];
  const rows = proved.map(({ ownerId, createdAt, ...proof }, index) => {
    const checkedAt = daysBefore(now, 1 + (index % (intervalDays - 2)));
    return {
      sellerId: ownerId,
      domain: proof.domain,
      method: ownershipMethods[index % ownershipMethods.length],
      verifiedAt: new Date(Math.min(createdAt.getTime() + 3_600_000, checkedAt.getTime())),
      checkedAt,
      nextCheckAt: daysBefore(checkedAt, -intervalDays),
    };
  });
  const failedAt = daysBefore(now, 3);
  await tx.insert(ownershipProofs).values([
    ...rows,
    {
      ...{ sellerId: failing.ownerId, domain: failing.domain, method: 'file' as const },
      verifiedAt: daysBefore(now, 33),
      ...{ checkedAt: failedAt, failedAt, nextCheckAt: daysBefore(failedAt, -graceDays) },
      problems: [{ method: 'file', message: `${proofPlaces(failing.domain).file} answered with the status 404.` }],
    },
  ]);
  await refreshOwnership(tx, [...new Set([...proved, failing].map((proof) => proof.domain))]);
}

/**
 * Publishes the proofs that hold in the sandbox, so that the job finds them again. Existing pages stay as they are.
 * @throws Error if the publisher refuses one
 */
export async function seedPublishedOwnership(): Promise<void> {
  const { PUBLISHER_BASE_URL } = env();
  if (!PUBLISHER_BASE_URL) return;
  const put = async (path: string, body: object) => {
    const response = await fetch(new URL(path, PUBLISHER_BASE_URL), {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', 'If-None-Match': '*' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(2_000),
    });
    // 412 for a page that exists.
    if (!response.ok && response.status !== 412) throw new Error(`The publisher returned ${response.status}.`);
  };
  const publishText = (url: string, html: string) =>
    put('/control/pages', { url, html, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
  const holding = await db().select().from(ownershipProofs).where(isNull(ownershipProofs.failedAt));
  for (const { sellerId, domain, method } of holding) {
    const token = createOwnershipToken({ sellerId, domain });
    const places = proofPlaces(domain);
    const line = `${proofName}=${token}`;
    if (method === 'dns') await put('/control/names', { txt: { [places.dns]: [line] } });
    if (method === 'file') await publishText(places.file, `${line}\n`);
    if (method === 'adsTxt') await publishText(places.adsTxt, `${marketplaceHost()}, ${token}, DIRECT\n`);
    if (method === 'meta') {
      const head = `<title>${domain}</title><meta name="${proofName}" content="${token}">`;
      await put('/control/pages', {
        url: places.meta,
        html: `<!doctype html><html lang="en"><head>${head}</head><body><h1>${domain}</h1></body></html>`,
      });
    }
  }
}
