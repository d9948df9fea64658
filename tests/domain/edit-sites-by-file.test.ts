import { Readable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { and, eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import Papa from 'papaparse';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { commissionRules, followTypes, siteStatuses, sites } from '@/db/schema/sites';
import { nicheProposals } from '@/db/schema/taxonomy';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { currencies } from '@/lib/money';
import { recordFigures } from '@/lib/sites/domain-figures/record';
import { refreshSiteFigures } from '@/lib/sites/domain-figures/refresh';
import { normalizeSiteUrl } from '@/lib/sites/field-values';
import { editSitesByFile, formatRejectedEdits } from '@/lib/sites/import/edit-sites';
import { columnChoices } from '@/lib/sites/import/map-header';
import { exportOwnSites } from '@/lib/sites/seller-queries';
import { isFullRun, testSeed } from '@/scripts/testing/tier';
import { makeSite, typedSources, withFacts } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

const uploadOf = (content: string, columns = '') => ({
  file: Readable.from([Buffer.from(content)]),
  name: 'my-sites.csv',
  choices: columnChoices.parse(columns),
});
const preview = (actor: Actor, content: string, columns = '') =>
  editSitesByFile(actor, uploadOf(content, columns), true);
const save = (actor: Actor, content: string, columns = '') => editSitesByFile(actor, uploadOf(content, columns), false);
const exportOf = (actor: Actor) => readAll(Readable.from(exportOwnSites(actor.userId, {})));
const siteOf = async (id: number) => {
  const [site] = await db().select().from(sites).where(eq(sites.id, id));
  if (!site) throw new Error('The site is gone.');
  return site;
};

/** Texts as sellers, other tools and attackers write them. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          '"',
          '""',
          ',',
          ';',
          '\t',
          '|',
          '\n',
          '\r\n',
          '\r',
          "'",
          "'=",
          '=1+1',
          '+',
          '-',
          '@cmd',
          '%',
          '＝',
          ' ',
          '  ',
        ],
        ...['n/a', '-', 'Smith & Söhne', '1,234.50', '\u00a0', '\u200b', '\ufeff', 'null', '日本', '0', '€', '2-Mar'],
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('')),
);
/** Characters that PostgreSQL does not store. */
const stored = anyText.map((text) => text.replaceAll('\0', ''));
const score = fc.option(fc.double({ min: 0, max: 100, noNaN: true }).map((value) => (value === 0 ? 0 : value)));
const count = (max: number) => fc.option(fc.nat(max));
const site = fc.record({
  ...{ name: stored, niche: stored, postType: stored, country: stored, language: stored, tat: stored, rules: stored },
  ...{ dr: score, da: score, authorityScore: score, spam: score, traffic: fc.option(fc.maxSafeNat()) },
  ...{ keywordsCount: count(2_000_000_000), refDomains: count(2_000_000_000), words: fc.nat(100_000) },
  ...{ sellerPriceCents: count(100_000_000), publicCurrency: fc.constantFrom(...currencies) },
  ...{ status: fc.constantFrom(...siteStatuses), followType: fc.constantFrom(...followTypes) },
  path: fc.constantFrom('', '/', '/a%20b', '/?q=1', '/é'),
  samples: fc.nat(5),
});

describe('the export of own sites', () => {
  const rows = isFullRun ? 10_000 : 1_500;

  it(`changes nothing when ${rows} of any content are imported again`, { timeout: 60_000 }, async () => {
    const seller = await makeUser('Seller');
    const values = fc.sample(site, { numRuns: rows, seed: testSeed }).map(({ path, samples, ...values }, at) => {
      const host = `https://www.s${at}-${seller.userId}.example.com`;
      const url = `${host}${path}`;
      const samplePosts = Array.from({ length: samples }, (_, post) => `${host}/${post}`).join('\n');
      return withFacts({
        ...{ ...values, url, urlKey: normalizeSiteUrl(url), ownerId: seller.userId, samplePosts },
        figureSources: JSON.parse(typedSources),
      });
    });
    for (let at = 0; at < rows; at += 1_000)
      await db()
        .insert(sites)
        .values(values.slice(at, at + 1_000));
    const file = await exportOf(seller);
    const read = await save(seller, file);
    expect(read).toMatchObject({ rows, changed: 0, unchanged: rows, rejected: 0, errors: [], changes: [] });
    expect(read.unknownHeaders).toEqual([]);
    const saved = z.tuple([z.object({ versions: z.int() })]);
    expect(
      saved.parse([
        ...(await db().execute(
          sql`select sum(version)::integer as versions from sites where owner_id = ${seller.userId}`,
        )),
      ])[0].versions,
    ).toBe(rows);
    // As a spreadsheet in another language saves it, without the apostrophes before formulas.
    const cells = Papa.parse<string[]>(file.replace(/^\ufeff/, '')).data.slice(0, 501);
    const again = Papa.unparse(
      cells.map((row) => row.map((cell) => cell.replace(/^'(?=\s*[=+\-@＝＋－＠|%])/, ''))),
      { delimiter: ';', newline: '\n' },
    );
    expect(await preview(seller, again)).toMatchObject({ changed: 0, rejected: 0 });
    await db().delete(sites).where(eq(sites.ownerId, seller.userId));
  });
});

describe('an edit by file', () => {
  let seller: Actor;
  let other: Actor;
  beforeAll(async () => {
    [seller, other] = await Promise.all([makeUser('Seller'), makeUser('Seller')]);
  });

  const facts = {
    ...{ name: 'Garden', niche: 'General', country: 'Norway', language: 'Norwegian', tat: '5 Days', tatDays: 5 },
    ...{ sellerPriceCents: 5_000, dr: 40, traffic: 1_000, rules: 'No casino.\nTwo links.', words: 800 },
  };
  const make = (values: Partial<typeof sites.$inferInsert> = {}, owner = seller) =>
    makeSite(owner.userId, 10_000, { ...facts, ...values });

  it('changes the cells that differ, shows them before, and returns the sites to review', async () => {
    const [id, same] = [await make(), await make()];
    const rows = [
      'ID,Name,DR,Traffic,Price,TAT,Country,Rules,Notes',
      `${id},"Garden ""A""",DR 45,12.5k,"60,50 €",3–5 Tage,DE,"No casino.\nNo loans.",x`,
      `${same},Garden,40,1000,50.00,5 Days,Norway,"No casino.\nTwo links.",x`,
    ].join('\n');
    const inUsd = rows.replace('60,50 €', '60,50 $');
    const inEuros = await preview(seller, rows);
    expect(inEuros).toMatchObject({ changed: 0, rejected: 1, unchanged: 1 });
    expect(inEuros.errors).toEqual([{ row: 2, column: 'Price', reason: 'This price is in EUR: enter it in USD.' }]);
    const before = await preview(seller, inUsd);
    expect(before).toMatchObject({
      rows: 2,
      changed: 1,
      unchanged: 1,
      rejected: 0,
      review: 1,
      unknownHeaders: ['Notes'],
    });
    expect(before.changes).toEqual([
      {
        ...{ row: 2, id, name: 'Garden' },
        cells: [
          { field: 'name', label: 'Name', before: 'Garden', after: 'Garden "A"' },
          { field: 'dr', label: 'DR', before: '40', after: '45' },
          { field: 'traffic', label: 'Traffic', before: '1000', after: '12500' },
          { field: 'country', label: 'Country', before: 'Norway', after: 'Germany' },
          { field: 'sellerPrice', label: 'Price', before: '50.00', after: '60.50' },
          { field: 'rules', label: 'Rules', before: 'No casino.\nTwo links.', after: 'No casino.\nNo loans.' },
        ],
      },
    ]);
    expect(await siteOf(id)).toMatchObject({ ...facts, version: 1, status: 'Approved' });
    expect(await save(seller, inUsd)).toEqual(before);
    expect(await siteOf(id)).toMatchObject({
      ...{ name: 'Garden "A"', dr: 45, traffic: 12_500, sellerPriceCents: 6_050, country: 'Germany', tatDays: 5 },
      ...{
        rules: 'No casino.\nNo loans.',
        niche: 'General',
        words: 800,
        status: 'Pending',
        isPriceStale: true,
        version: 2,
      },
    });
    expect(await siteOf(same)).toMatchObject({ status: 'Approved', version: 1 });
    expect(
      await db()
        .select({ action: auditLogs.action })
        .from(auditLogs)
        .where(and(eq(auditLogs.entityType, 'site'), eq(auditLogs.entityId, String(id)))),
    ).toEqual([{ action: 'site.updated' }]);
    // The same file twice at once, e.g. by a double click.
    expect(await Promise.all([save(seller, inUsd), save(seller, inUsd)])).toMatchObject([
      { changed: 0, unchanged: 2 },
      { changed: 0, unchanged: 2 },
    ]);
  });

  it('names a site by its id, then by its address and post type', async () => {
    const host = `by-address-${seller.userId}.example.com`;
    const at = { url: `https://www.${host}/`, urlKey: normalizeSiteUrl(host) };
    const [posts, links] = [await make(at), await make({ ...at, postType: 'Link insertion' })];
    const single = await make();
    const { url } = await siteOf(single);
    const foreign = await make({}, other);
    const read = await save(
      seller,
      [
        'ID,URL,Post Type,DR',
        `,http://${host},Guest post,51`,
        `,${host},link insertions,52`,
        `,${host},,53`,
        `,${host},Homepage links,54`,
        `,${url}/,,55`,
        `#${posts},${at.url},Guest posts,56`,
        `${foreign},,,57`,
        `999999999,,,57`,
        `abc,,,58`,
        `,nowhere.example,,59`,
        `,nowhere,,60`,
        `,,,61`,
      ].join('\n'),
    );
    expect(read).toMatchObject({ changed: 3, unchanged: 0, rejected: 9 });
    expect(read.errors.map(({ row, column, reason }) => `${row} ${column}: ${reason}`)).toEqual([
      '4 : You list this address for several post types. Enter the ID or the post type.',
      expect.stringMatching(/^5 : You list this address for .+ Enter the ID of the site to change its post type\.$/),
      '7 : Row 2 is about the same site.',
      `8 : You list no site with the ID ${foreign}. Add new sites with “Upload CSV”.`,
      '9 : You list no site with the ID 999999999. Add new sites with “Upload CSV”.',
      '10 ID: “abc” is not an ID. Leave the IDs as they were exported.',
      '11 : You do not list this address. Add new sites with “Upload CSV”.',
      '12 URL: Enter a web address, e.g. https://example.com.',
      '13 ID: The row names no site: it has neither an ID nor a URL.',
    ]);
    expect(await Promise.all([posts, links, single].map(siteOf))).toMatchObject([
      { dr: 51, url: at.url },
      { dr: 52, url: at.url },
      { dr: 55, url },
    ]);
    expect((await siteOf(foreign)).dr).toBe(40);
  });

  it.each<[field: string, header: string, cell: string, after: unknown]>([
    ['dr', 'DR', '', null],
    ['traffic', 'Traffic', 'n/a', null],
    ['rules', 'Rules', '', ''],
    ['samplePosts', 'Sample Posts', '', ''],
    ['name', 'Name', ' ', 'This cell cannot be empty.'],
    ['sellerPriceCents', 'Price', '-', 'This cell cannot be empty.'],
    ['tat', 'TAT', '', 'This cell cannot be empty.'],
    ['words', 'Words', '', 'This cell cannot be empty.'],
    ['country', 'Country', '', 'This cell cannot be empty.'],
    ['niche', 'Niche', '', 'This cell cannot be empty.'],
    ['dr', 'DR', '450', '“450” is out of range'],
    ['sellerPriceCents', 'Price', '12 %', '“12 %” is not a price'],
    ['sellerPriceCents', 'Price (GBP)', '12', 'This price is in GBP: enter it in USD.'],
    ['publicCurrency', 'Currency', 'EUR', 'The prices of this site are in USD'],
    ['tat', 'TAT', '2-Mar', '“2-Mar” is not a turnaround'],
    ['country', 'Country', 'Nowhere', 'Use the name of one country'],
    ['rules', 'Rules', 'Write to me@mail.example.com', 'Remove email addresses'],
    ['samplePosts', 'Sample Posts', 'https://elsewhere.example.net/a', 'Use posts on the site itself.'],
    ['url', 'URL', 'https://elsewhere.example.net/', 'Use posts on the site itself.'],
    ['followType', 'Follow Type', 'nf', 'NoFollow'],
    ['postType', 'Post Type', 'Nothing', 'Use one of'],
  ])('of %s in the column %s to “%s” gives %s', async (field, header, cell, after) => {
    const host = `${seller.userId}-${field}.example.com`;
    const id = await make({
      samplePosts: `https://${host}/a`,
      url: `https://${host}/`,
      urlKey: normalizeSiteUrl(host),
    });
    const before = await siteOf(id);
    const read = await save(
      seller,
      Papa.unparse([
        ['ID', header],
        [id, cell],
      ]),
    );
    const now = await siteOf(id);
    const isRefused = typeof after === 'string' && /\s/.test(after);
    expect(read).toMatchObject({ changed: isRefused ? 0 : 1, rejected: isRefused ? 1 : 0 });
    if (isRefused) {
      expect(read.errors).toEqual([{ row: 2, column: header, reason: expect.stringContaining(after) }]);
      expect(now).toEqual(before);
    } else expect({ ...now }).toMatchObject({ [field]: after, name: 'Garden', status: 'Pending' });
    await db().update(sites).set({ deletedAt: new Date() }).where(eq(sites.id, id));
  });

  it('reviews and counts what an edit of the site alone reviews: no price that a rule moves, and no figure again', async () => {
    const own = await makeUser('Seller');
    const [priced, measured] = [await make({}, own), await make({ dr: 45 }, own)];
    const domain = `s${measured}.example.com`;
    await db()
      .update(sites)
      .set({ url: `https://${domain}`, domain })
      .where(eq(sites.id, measured));
    await db().transaction(async (tx) => {
      await recordFigures(tx, [
        { domain, metric: 'dr', value: 60, source: 'ahrefs', asOf: new Date().toISOString().slice(0, 10) },
      ]);
      await refreshSiteFigures(tx, [domain]);
    });
    expect(await siteOf(measured)).toMatchObject({ dr: 60, version: 2 });
    await db().insert(commissionRules).values({ id: newId(), sellerId: own.userId, marginBasisPoints: 2_500 });
    const file = `ID,Version,Price,DR\n${priced},1,80,40\n${measured},1,50,45`;
    const counts = { changed: 1, unchanged: 1, review: 0, rejected: 0 };
    expect(await preview(own, file)).toMatchObject(counts);
    expect(await save(own, file)).toMatchObject(counts);
    expect(await siteOf(priced)).toMatchObject({
      status: 'Approved',
      sellerPriceCents: 8_000,
      publicPriceCents: 10_000,
    });
    expect(await siteOf(measured)).toMatchObject({ status: 'Approved', version: 2 });
    await db().delete(commissionRules).where(eq(commissionRules.sellerId, own.userId));
  });

  it('refuses a row whose site was changed after the export, unless it changes nothing', async () => {
    const own = await makeUser('Seller');
    const [id, same] = [await make({ dr: 10 }, own), await make({ dr: 10 }, own)];
    const file = await exportOf(own);
    await save(own, `ID,DR\n${id},20\n${same},20`);
    await save(own, `ID,DR\n${same},10`);
    const read = await save(own, file);
    expect(read).toMatchObject({ changed: 0, unchanged: 1, rejected: 1 });
    expect(read.errors).toMatchObject([
      { column: 'Version', reason: expect.stringContaining('The site was changed after this file was exported.') },
    ]);
    expect(await siteOf(id)).toMatchObject({ dr: 20 });
    expect(await formatRejectedEdits(own, uploadOf(file))).toContain('The site was changed after this file');
  });

  it('keeps every address of a seller unique, and the columns behind a short row', async () => {
    const [first, second, third] = [await make(), await make(), await make()];
    const taken = (await siteOf(first)).url;
    const read = await save(
      seller,
      `ID,URL,DR,Rules\n${second},${taken}/,41,x\n${third},https://new-${first}.example.com\n${first},https://NEW-${first}.example.com/,41,x`,
    );
    expect(read).toMatchObject({ changed: 1, rejected: 2 });
    expect(read.errors.map(({ reason }) => reason)).toEqual([
      'You already list this site.',
      'You already list this site.',
    ]);
    expect(await siteOf(third)).toMatchObject({ url: `https://new-${first}.example.com`, dr: 40, rules: facts.rules });
  });

  it('lets a new niche wait for review, and needs a column that names the sites', async () => {
    const id = await make();
    const niche = `Niche of ${seller.userId}`;
    const read = await save(seller, `Number,Niche\n${id},${niche}`, '0:id');
    expect(read).toMatchObject({ changed: 1, newNiches: [niche] });
    expect(await siteOf(id)).toMatchObject({ niche });
    expect(await db().select().from(nicheProposals).where(eq(nicheProposals.name, niche))).toHaveLength(1);
    await expect(preview(seller, `Number,Niche\n${id},Travel`)).rejects.toThrow('no usable header');
    await expect(preview(seller, `ID,Niche\n${id},Travel`, '0:none')).rejects.toThrow('no usable header');
    await expect(preview(seller, `ID,Price\n${id},1`, '1:publicPrice')).rejects.toThrow('do not match');
  });
});
