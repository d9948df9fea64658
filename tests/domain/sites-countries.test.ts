import { and, asc, eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { sites } from '@/db/schema/sites';
import { lockSite } from '@/lib/sites/lock';
import { renameCountries } from '@/lib/sites/rename-countries';
import { makeSite } from '../factories/make-site';
import { makeUser } from '../factories/make-user';

const countriesOf = (ownerId: string) =>
  db()
    .select({ country: sites.country, version: sites.version, updatedAt: sites.updatedAt, createdAt: sites.createdAt })
    .from(sites)
    .where(eq(sites.ownerId, ownerId))
    .orderBy(asc(sites.id));

it('sites of earlier versions get the countries of the catalog, without a new version, once', async () => {
  const { userId } = await makeUser('Seller');
  const ids: number[] = [];
  for (const country of ['UK', 'UK', 'Deutschland', 'Atlantis', 'USA'])
    ids.push(await makeSite(userId, 900, { country }));
  await makeSite(userId, 900, { country: 'UK', deletedAt: new Date() });

  // A site that another transaction has locked does not hold up the others.
  await db().transaction(async (tx) => {
    await lockSite(tx, ids[1] ?? 0);
    expect(await renameCountries()).toEqual({ renamed: 2 });
  });
  expect(await renameCountries()).toEqual({ renamed: 1 });
  expect(await renameCountries()).toEqual({ renamed: 0 });

  const found = await countriesOf(userId);
  expect(found.map(({ country }) => country)).toEqual([
    ...['United Kingdom', 'United Kingdom', 'Germany', 'Atlantis', 'USA', 'UK'],
  ]);
  for (const site of found) expect(site).toMatchObject({ version: 1, updatedAt: site.createdAt });
  const lines = await db()
    .select({ details: auditLogs.details })
    .from(auditLogs)
    .where(and(eq(auditLogs.entityType, 'country'), eq(auditLogs.entityId, 'UK')))
    .orderBy(asc(auditLogs.id));
  expect(lines.map(({ details }) => details)).toEqual(
    Array(2).fill('The country “UK” became “United Kingdom” on 1 site.'),
  );
});
