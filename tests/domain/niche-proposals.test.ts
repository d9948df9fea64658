import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { asc, eq, inArray, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { sites } from '@/db/schema/sites';
import { nicheProposals } from '@/db/schema/taxonomy';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { lockRates } from '@/lib/settings/exchange-rates';
import { importSites } from '@/lib/sites/import/import-sites';
import { previewImport } from '@/lib/sites/import/preview-import';
import { streamRejectedRows } from '@/lib/sites/import/rejected-rows';
import { nicheKey } from '@/lib/taxonomy/contract';
import { createTaxonomyName, deleteTaxonomyName } from '@/lib/taxonomy/names';
import { dropUnusedProposals, reviewNiche } from '@/lib/taxonomy/proposals';
import { getTaxonomy, listNicheProposals } from '@/lib/taxonomy/queries';
import { makeUser } from '@/tests/factories/make-user';
import { settle } from '@/tests/setup/settle';

/** A word that no other test has, without a plural. */
const word = () => `Niche ${newId()}x`;
const send = (actor: Actor, ...names: string[]) => {
  const rows = names.map((niche) => `${newId()}.example,"${niche}"\n`).join('');
  return importSites(actor, { file: Readable.from([`URL,Niche\n${rows}`]), name: 'sites.csv', audience: 'seller' });
};
const nichesOf = async ({ userId }: Actor) =>
  (await db().select({ niche: sites.niche }).from(sites).where(eq(sites.ownerId, userId)).orderBy(asc(sites.id))).map(
    ({ niche }) => niche,
  );
const countWaiting = async () => {
  const waits = sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
  return (await db().execute(waits)).length;
};
const proposalOf = async (name: string) => (await listNicheProposals()).find((proposal) => proposal.name === name);

describe('a niche of an import', () => {
  it('that the list has in another spelling becomes the one of the list', async () => {
    const [admin, seller] = [await makeUser('Admin'), await makeUser('Seller')];
    const name = `Home & ${word()}`;
    await createTaxonomyName(admin, { type: 'niche', name });
    const result = await send(seller, name.toUpperCase(), name.replace('&', 'and'), `${name}s`, name);
    expect(result).toMatchObject({ inserted: 4 });
    expect(result).not.toHaveProperty('newNiches');
    expect(await nichesOf(seller)).toEqual(Array(4).fill(name));
  });

  it('that is new waits for review, and does not enter the list', async () => {
    const [seller, other] = [await makeUser('Seller'), await makeUser('Seller')];
    const name = word();
    expect(await send(seller, name, name.toLowerCase(), 'General')).toMatchObject({ inserted: 3, newNiches: [name] });
    expect(await send(other, name.toUpperCase())).not.toHaveProperty('newNiches');
    expect([...(await nichesOf(seller)), ...(await nichesOf(other))]).toEqual([name, name, 'General', name]);
    expect((await getTaxonomy()).niches).not.toContain(name);
    expect(await proposalOf(name)).toMatchObject({ name, proposedBy: seller.email, sites: 3 });
  });

  it('enters the list when staff accept it, once', async () => {
    const [admin, seller] = [await makeUser('Admin'), await makeUser('Seller')];
    const name = word();
    await send(seller, name);
    const accept = () => reviewNiche(admin, { kind: 'accept', key: nicheKey(name) });
    const { values, codes } = await settle([accept(), accept(), accept()]);
    expect([values.length, codes]).toEqual([1, ['not_found', 'not_found']]);
    expect((await getTaxonomy()).niches.filter((known) => known === name)).toHaveLength(1);
    expect(await proposalOf(name)).toBeUndefined();
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, name));
    expect(lines.map(({ action }) => action)).toEqual(['niche.created']);
  });

  it('is replaced on its sites and in later imports, until its replacement is deleted', async () => {
    const [admin, seller] = [await makeUser('Admin'), await makeUser('Seller')];
    const [name, known] = [word(), word()];
    await createTaxonomyName(admin, { type: 'niche', name: known });
    await send(seller, name, 'General');
    const keys = [nicheKey(name)];
    await expect(reviewNiche(admin, { kind: 'replace', keys, niche: word() })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await reviewNiche(admin, { kind: 'replace', keys, niche: known })).toEqual({ sites: 1 });
    const [site] = await db().select().from(sites).where(eq(sites.ownerId, seller.userId)).orderBy(asc(sites.id));
    expect(site).toMatchObject({ niche: known, version: 2 });
    expect(await send(seller, name.toLowerCase())).not.toHaveProperty('newNiches');
    expect(await nichesOf(seller)).toEqual([known, 'General', known]);
    expect((await getTaxonomy()).niches).not.toContain(name);

    await deleteTaxonomyName(admin, { type: 'niche', name: known });
    expect(await send(seller, name)).toMatchObject({ newNiches: [name] });
  });

  it('no longer waits when staff add it themselves', async () => {
    const [admin, seller] = [await makeUser('Admin'), await makeUser('Seller')];
    const name = word();
    await send(seller, name, 'General');
    const added = name.toUpperCase();
    await createTaxonomyName(admin, { type: 'niche', name: added });
    expect(await proposalOf(name)).toBeUndefined();
    expect(await nichesOf(seller)).toEqual([added, 'General']);
    const [site] = await db().select().from(sites).where(eq(sites.ownerId, seller.userId)).orderBy(asc(sites.id));
    expect(site).toMatchObject({ version: 2, updatedAt: site?.createdAt });
    expect(await send(seller, name)).not.toHaveProperty('newNiches');
    expect(await nichesOf(seller)).toEqual([added, 'General', added]);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, added));
    expect(lines.map(({ details }) => details)).toEqual([
      `The niche “${added}” was added. It replaces “${name}” of an import, on 1 site.`,
    ]);
  });

  it('gets the spelling of the list when staff accept it and the list has another one', async () => {
    const [admin, seller] = [await makeUser('Admin'), await makeUser('Seller')];
    const [name, key] = [word(), newId()];
    await createTaxonomyName(admin, { type: 'niche', name: name.toUpperCase() });
    // A proposal and a site beside the niche of the list.
    await send(seller, 'General');
    await db().update(sites).set({ niche: name }).where(eq(sites.ownerId, seller.userId));
    await db().insert(nicheProposals).values({ key, name, proposedBy: seller.userId });
    expect(await reviewNiche(admin, { kind: 'accept', key })).toEqual({ sites: 1 });
    expect(await nichesOf(seller)).toEqual([name.toUpperCase()]);
    expect(await proposalOf(name)).toBeUndefined();
  });

  it('is the one of the list when staff review it while a file is read', async () => {
    const [admin, seller, other] = [await makeUser('Admin'), await makeUser('Seller'), await makeUser('Seller')];
    const [known, replaced, accepted, added, fresh] = [word(), word(), word(), word(), word()];
    await createTaxonomyName(admin, { type: 'niche', name: known });
    await send(other, replaced);
    // The import reads the known niches, and then waits for the exchange rates.
    const importing = await db().transaction(async (tx) => {
      await lockRates(tx);
      const started = send(seller, replaced, accepted, added, fresh, 'General');
      await expect.poll(countWaiting).toBe(1);
      await reviewNiche(admin, { kind: 'replace', keys: [nicheKey(replaced)], niche: known });
      const key = nicheKey(accepted);
      await db().insert(nicheProposals).values({ key, name: accepted.toUpperCase(), proposedBy: other.userId });
      await reviewNiche(admin, { kind: 'accept', key });
      await createTaxonomyName(admin, { type: 'niche', name: added.toUpperCase() });
      return { started };
    });
    expect(await importing.started).toMatchObject({ inserted: 5, newNiches: [fresh] });
    expect(await nichesOf(seller)).toEqual([known, accepted.toUpperCase(), added.toUpperCase(), fresh, 'General']);
  });

  it('is replaced on the sites of imports that run at the same time', async () => {
    const [admin, first] = [await makeUser('Admin'), await makeUser('Seller')];
    const sellers = await Promise.all(Array.from({ length: 5 }, () => makeUser('Seller')));
    const [name, known] = [word(), word()];
    await createTaxonomyName(admin, { type: 'niche', name: known });
    await send(first, name);
    const importing = sellers.map((seller) => send(seller, name, name.toUpperCase()));
    await Promise.race(importing);
    await reviewNiche(admin, { kind: 'replace', keys: [nicheKey(name)], niche: known });
    await Promise.all(importing);
    const found = await Promise.all([first, ...sellers].map(nichesOf));
    expect([...new Set(found.flat())]).toEqual([known]);
  });

  it('has one spelling after concurrent imports', async () => {
    const name = word();
    const sellers = await Promise.all(Array.from({ length: 6 }, () => makeUser('Seller')));
    await Promise.all(
      sellers.map((seller, index) => send(seller, index % 2 ? name : name.toUpperCase(), word(), 'General')),
    );
    const spellings = new Set((await Promise.all(sellers.map(nichesOf))).map(([niche]) => niche));
    expect(spellings.size).toBe(1);
    const [stored] = await db()
      .select()
      .from(nicheProposals)
      .where(eq(nicheProposals.key, nicheKey(name)));
    expect([...spellings]).toEqual([stored?.name]);
  });

  it('is refused in the rows of a seller of whom twenty wait, in the preview as in the import', async () => {
    const seller = await makeUser('Seller');
    const names = Array.from({ length: 25 }, word);
    const rows = names.map((niche) => `${newId()}.example,"${niche}",$5\n`).join('');
    // A row that cannot be imported proposes nothing.
    const content = `URL,Niche,Price\nnowhere,"${word()}",$5\n${rows}`;
    const upload = () => ({ file: Readable.from([content]), name: 'sites.csv', audience: 'seller' as const });
    const reason = 'At most 20 new niches of your imports can wait for review. Use an existing niche.';
    const refused = names.slice(20).map((_, at) => ({ row: at + 23, column: 'Niche', reason }));
    const expected = { skipped: 6, newNiches: names.slice(0, 20), errors: [expect.anything(), ...refused] };
    expect(await previewImport(seller, upload())).toMatchObject({ ready: 20, ...expected });
    expect((await text(await streamRejectedRows(seller, upload()))).trimEnd().split('\r\n')).toHaveLength(7);
    expect(await importSites(seller, upload())).toMatchObject({ inserted: 20, ...expected });
    expect(await nichesOf(seller)).toEqual(names.slice(0, 20));

    // What waits already can be repeated, and a review makes room.
    expect(await send(seller, names[3] ?? '', names[24] ?? '')).toMatchObject({ inserted: 1, skipped: 1 });
    const admin = await makeUser('Admin');
    const keys = names.slice(0, 3).map(nicheKey);
    await reviewNiche(admin, { kind: 'replace', keys, niche: 'General' });
    expect(await send(seller, names[24] ?? '', names[0] ?? '')).toMatchObject({ inserted: 2, newNiches: [names[24]] });
    await db().delete(nicheProposals).where(eq(nicheProposals.proposedBy, seller.userId));
  });

  it('is replaced together with others, except for those that were reviewed in the meantime', async () => {
    const [admin, seller] = [await makeUser('Admin'), await makeUser('Seller')];
    const [one, two, reviewed] = [word(), word(), word()];
    await send(seller, one, two, two.toUpperCase(), reviewed);
    await reviewNiche(admin, { kind: 'accept', key: nicheKey(reviewed) });
    const replace = () =>
      reviewNiche(admin, { kind: 'replace', keys: [one, two, reviewed].map(nicheKey), niche: 'General' });
    expect(await replace()).toEqual({ sites: 3 });
    expect(await nichesOf(seller)).toEqual(['General', 'General', 'General', reviewed]);
    const lines = await db()
      .select()
      .from(auditLogs)
      .where(inArray(auditLogs.entityId, [one, two]));
    expect(lines.map(({ details }) => details).sort()).toEqual(
      [
        `The niche “${one}” of an import was replaced by “General”, on 1 site.`,
        `The niche “${two}” of an import was replaced by “General”, on 2 sites.`,
      ].sort(),
    );
    await expect(replace()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('no longer waits when its last site is deleted', async () => {
    const [seller, admin] = [await makeUser('Seller'), await makeUser('Admin')];
    const [kept, gone, alias] = [word(), word(), word()];
    await send(seller, kept, gone, gone, alias);
    await reviewNiche(admin, { kind: 'replace', keys: [nicheKey(alias)], niche: 'General' });
    await db().update(sites).set({ deletedAt: new Date() }).where(eq(sites.niche, gone));
    expect(await dropUnusedProposals()).toEqual({ dropped: 1 });
    expect(await proposalOf(kept)).toMatchObject({ sites: 1 });
    expect(await proposalOf(gone)).toBeUndefined();
    expect(await send(seller, alias)).not.toHaveProperty('newNiches');
    expect(await dropUnusedProposals()).toEqual({ dropped: 0 });
  });
});

describe('a country of an import', () => {
  it('becomes the one of the catalog, or is the reason for skipping the row', async () => {
    const seller = await makeUser('Seller');
    const rows = ['UK', 'united kingdom', 'GBR', '', 'Worldwide', 'Atlantis', 'US/UK'];
    const text = `URL,Country\n${rows.map((country, row) => `c${row}.example,${country}\n`).join('')}`;
    const file = Readable.from([text]);
    const result = await importSites(seller, { file, name: 'sites.csv', audience: 'seller' });
    expect(result).toMatchObject({
      ...{ inserted: 5, skipped: 2 },
      errors: [
        { row: 7, column: 'Country', reason: expect.stringContaining('ISO code') },
        { row: 8, column: 'Country', reason: expect.stringContaining('ISO code') },
      ],
    });
    const stored = await db().select().from(sites).where(eq(sites.ownerId, seller.userId)).orderBy(asc(sites.id));
    expect(stored.map(({ country }) => country)).toEqual([
      ...['United Kingdom', 'United Kingdom', 'United Kingdom', 'USA', 'Worldwide'],
    ]);
  });
});
