import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { and, asc, eq, like } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { exchangeRates } from '@/db/schema/settings';
import { sites } from '@/db/schema/sites';
import { niches } from '@/db/schema/taxonomy';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { importSites } from '@/lib/sites/import/import-sites';
import type { ImportAudience } from '@/lib/sites/import/map-header';
import { zipOf } from '@/tests/factories/file-of';
import { makeUser } from '@/tests/factories/make-user';

// An own folder for temporary files, to check that none is left.
const temporary = mkdtempSync(join(tmpdir(), 'linkmarket-import-'));
process.env.TMPDIR = temporary;
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const send = (actor: Actor, content: string | Buffer, audience: ImportAudience = 'staff', name = 'sites.csv') =>
  importSites(actor, { file: Readable.from([Buffer.from(content)]), name, audience });

const sitesOf = (actor: Actor) =>
  db().select().from(sites).where(eq(sites.ownerId, actor.userId)).orderBy(asc(sites.id));
const auditOf = (actor: Actor) =>
  db()
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.userId, actor.userId), eq(auditLogs.action, 'sites.imported')));

describe('realistic files', () => {
  it("an agency's list with a status, imported by staff", async () => {
    const admin = await makeUser('Admin');
    const result = await send(
      admin,
      [
        'Site URL,DA,DR,Traffic,SS,Category,Country,Language,TAT,Base Price,Status',
        'https://www.First-Daily.example/,45,52.5,"12,400",3,Travel notes,Canada,French,5 days,$35,Approved',
        'second.example/blog,N/A,-,1.2M,5 %,general,,,,"$1,200.50",',
        'third.example,1,2,12K,0,Travel Notes,UK,English,24 hours,80,rejected',
      ].join('\r\n'),
    );
    expect(result).toEqual({
      ...{ inserted: 3, duplicates: 0, skipped: 0, errors: [], unknownHeaders: [] },
      newNiches: ['Travel notes'],
    });
    const [first, second, third] = await sitesOf(admin);
    expect(first).toMatchObject({
      url: 'https://www.First-Daily.example/',
      urlKey: 'first-daily.example',
      name: 'first-daily.example',
      da: 45,
      dr: 52.5,
      traffic: 12_400,
      spam: 3,
      niche: 'Travel notes',
      country: 'Canada',
      language: 'French',
      tat: '5 Days',
      tatDays: 5,
      sellerPriceCents: 3_500,
      adminPriceCents: null,
      publicPriceCents: null,
      publicPriceUsdCents: null,
      publicCurrency: 'USD',
      status: 'Approved',
      postType: 'Guest posts',
      followType: 'DoFollow',
      words: 600,
      version: 1,
      deletedAt: null,
    });
    expect(second).toMatchObject({
      url: 'https://second.example/blog',
      da: null,
      dr: null,
      traffic: 1_200_000,
      spam: 5,
      niche: 'General',
      country: 'USA',
      language: 'English',
      tatDays: 3,
      sellerPriceCents: 120_050,
      status: 'Pending',
    });
    expect(third).toMatchObject({
      ...{ niche: 'Travel notes', country: 'United Kingdom', traffic: 12_000, tatDays: 1, status: 'Rejected' },
    });
    expect(await db().$count(niches, like(niches.name, 'Travel%'))).toBe(0);
  });

  it('a short list with tool names in the header and an unknown column', async () => {
    const admin = await makeUser('Admin');
    const result = await send(
      admin,
      'Website URL,Moz DA,Ahrefs DR,Traffic,Niche/Category,Price,Contact\na.example,10,20,300,SEO & "Ads",15,me\nb.example,1,2,3,"Home, Garden",€9,',
    );
    expect(result).toMatchObject({ inserted: 2, skipped: 0, unknownHeaders: ['Contact'] });
    expect(await sitesOf(admin)).toMatchObject([
      { da: 10, dr: 20, traffic: 300, niche: 'SEO & "Ads"', sellerPriceCents: 1_500, publicCurrency: 'USD' },
      { niche: 'Home, Garden', sellerPriceCents: 900, publicCurrency: 'EUR' },
    ]);
  });

  it('a German Excel sheet: byte order mark, semicolons, decimal commas', async () => {
    const seller = await makeUser('Seller');
    const result = await send(
      seller,
      '\uFEFFWebseite;Name;DR;Besucher;Kategorie;Land;Sprache;Preis (€);Lieferzeit;Follow\r\nblatt.example;Grünes Blatt;41,5;12.400;Garten;Deutschland;Deutsch;1.234,56;2-3 Tage;ja\r\nbote.example;Bote;7;1.200.000;Garten;Österreich;Deutsch;35,-;5;nofollow\r\n',
      'seller',
    );
    expect(result).toMatchObject({ inserted: 2, skipped: 0, unknownHeaders: [] });
    expect(await sitesOf(seller)).toMatchObject([
      {
        name: 'Grünes Blatt',
        dr: 41.5,
        traffic: 12_400,
        country: 'Germany',
        sellerPriceCents: 123_456,
        publicCurrency: 'EUR',
        tat: '3 Days',
        tatDays: 3,
        followType: 'DoFollow',
      },
      { traffic: 1_200_000, sellerPriceCents: 3_500, tat: '5 Days', tatDays: 5, followType: 'NoFollow' },
    ]);
  });

  it('an old export in windows-1252 with tabs', async () => {
    const seller = await makeUser('Seller');
    await send(
      seller,
      Buffer.from('URL\tName\tPost Type\ncafe.example\tCaf\xe9 \x80\thomepage link\n', 'latin1'),
      'seller',
    );
    expect(await sitesOf(seller)).toMatchObject([{ name: 'Café €', postType: 'Homepage links' }]);
  });
});

describe('the importing user', () => {
  const file = 'URL,Price,Public Price,Admin Price,Status\nwho.example,10,99,50,Approved\n';

  it('is a seller: sites are Pending with only the seller price', async () => {
    const seller = await makeUser('Seller');
    expect(await send(seller, file, 'seller')).toMatchObject({
      inserted: 1,
      unknownHeaders: ['Public Price', 'Admin Price', 'Status'],
    });
    expect(await sitesOf(seller)).toMatchObject([
      {
        status: 'Pending',
        sellerPriceCents: 1_000,
        adminPriceCents: null,
        publicPriceCents: null,
        publicPriceUsdCents: null,
      },
    ]);
  });

  it('is staff: status and prices are imported, and a public price needs a rate to be listed', async () => {
    await db()
      .insert(exchangeRates)
      .values([
        { id: newId(), currency: 'GBP', usdMicrosPerUnit: 1_250_000 },
        { id: newId(), currency: 'CAD', usdMicrosPerUnit: 400_000 },
      ]);
    const admin = await makeUser('Admin');
    const result = await send(
      admin,
      [
        'URL,Base Price,Selling Price,Admin Price,Currency,Status',
        'usd.example,10,99,50,,Approved',
        'gbp.example,£10,£99.99,50,GBP,Approved',
        'norate.example,10,99,50,INR,Approved',
        'asked-only.example,10,,,INR,Approved',
        'mixed.example,£10,€20,,,Approved',
        'unknown.example,10,20,,PLN,Approved',
        'nothing.example,10,0.01,,CAD,Approved',
      ].join('\n'),
    );
    expect(result).toMatchObject({
      inserted: 3,
      skipped: 4,
      errors: [
        { row: 4, column: 'Selling Price', reason: expect.stringContaining('no exchange rate for INR') },
        { row: 6, column: 'Selling Price', reason: expect.stringContaining('in GBP') },
        { row: 7, column: 'Currency', reason: expect.stringContaining('Use one of USD') },
        { row: 8, column: 'Selling Price', reason: expect.stringContaining('less than one US cent') },
      ],
    });
    expect(await sitesOf(admin)).toMatchObject([
      { publicPriceCents: 9_900, adminPriceCents: 5_000, publicPriceUsdCents: 9_900, status: 'Approved' },
      { publicPriceCents: 9_999, publicCurrency: 'GBP', publicPriceUsdCents: 12_499 },
      { sellerPriceCents: 1_000, publicCurrency: 'INR', publicPriceUsdCents: null },
    ]);
  });
});

describe('rows', () => {
  it('that are invalid are skipped with row, column and reason; the others are imported', async () => {
    const admin = await makeUser('Admin');
    const rows: [string, string, string][] = [
      ['ok.example,10,5,5 days,dofollow,Pending', '', ''],
      [',10,5,,,', 'Site', 'missing'],
      ['localhost,10,5,,,', 'Site', 'Enter a web address'],
      ['http://127.0.0.1/x,10,5,,,', 'Site', 'Enter a web address'],
      ['javascript:alert(1),10,5,,,', 'Site', 'Enter a web address'],
      ['ftp://files.example,10,5,,,', 'Site', 'Enter a web address'],
      ['a.example b.example,10,5,,,', 'Site', 'Enter a web address'],
      ['"=HYPERLINK(""http://x.example"")",10,5,,,', 'Site', 'Enter a web address'],
      ['r1.example,101,5,,,', 'DA', '“101” is out of range: enter DA as 0–100.'],
      ['r2.example,-1,5,,,', 'DA', '“-1” is out of range'],
      ['r3.example,10,cheap,,,', 'Price', '“cheap” is not a price'],
      ['r4.example,10,5,soon,,', 'TAT', 'number of days'],
      ['r5.example,10,5,,maybe,', 'Follow', 'DoFollow or NoFollow'],
      ['r5b.example,10,5,,constructor,', 'Follow', 'DoFollow or NoFollow'],
      ['r6b.example,10,5,,,constructor', 'Status', 'Pending, Approved, Rejected'],
      ['r6.example,10,5,,,Unknown', 'Status', 'Pending, Approved, Rejected'],
      ['r7.example,10,5,,,Pending,1,200', '', 'more cells'],
      ['"r8 "or" so.example",10,5,,,', '', 'not doubled'],
      [`${'x'.repeat(600)}.example,10,5,,,`, 'Site', '500 characters'],
      ['last.example,10,5', '', ''],
    ];
    const result = await send(admin, ['Site,DA,Price,TAT,Follow,Status', ...rows.map(([line]) => line)].join('\n'));
    expect(result).toMatchObject({ inserted: 2, duplicates: 0, skipped: rows.length - 2 });
    expect(result.errors).toEqual(
      rows.flatMap(([, column, reason], at) =>
        reason === '' ? [] : [{ row: at + 2, column, reason: expect.stringContaining(reason) }],
      ),
    );
    expect((await sitesOf(admin)).map(({ name }) => name)).toEqual(['ok.example', 'last.example']);
  });

  it('keep formulas and foreign scripts as text, without control characters', async () => {
    const admin = await makeUser('Admin');
    await send(
      admin,
      'URL,Name,Niche\nbücher.example,"=cmd|\' /C calc\'!A0",@General 👩‍👩‍👧\nb.example,"two\r\nlines\u0007","Robert\'); drop table sites;--"\n',
    );
    expect(await sitesOf(admin)).toMatchObject([
      { name: "=cmd|' /C calc'!A0", niche: '@General 👩‍👩‍👧' },
      { name: 'two lines', niche: "Robert'); drop table sites;--" },
    ]);
  });

  it("count as duplicates in the file and against the owner's sites, by URL key and post type", async () => {
    const [admin, other] = [await makeUser('Admin'), await makeUser('Admin')];
    const file = [
      'URL,Type',
      'https://www.Dup.example/',
      'http://dup.example#top',
      'dup.example,Sitewide link',
      'DUP.EXAMPLE/other',
    ].join('\n');
    expect(await send(admin, file)).toMatchObject({ inserted: 3, duplicates: 1, skipped: 0 });
    expect(await send(admin, file)).toMatchObject({ inserted: 0, duplicates: 4, skipped: 0 });
    expect(await send(other, file)).toMatchObject({ inserted: 3, duplicates: 1 });
    await db().update(sites).set({ deletedAt: new Date() }).where(eq(sites.ownerId, other.userId));
    expect(await send(other, file)).toMatchObject({ inserted: 3, duplicates: 1 });
    expect(await sitesOf(admin)).toHaveLength(3);
    const lines = await auditOf(admin);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ details: '3 sites imported from sites.csv; 1 duplicates, 0 rows skipped.' });
  });

  it('report the first hundred problems and count all', async () => {
    const admin = await makeUser('Admin');
    const result = await send(admin, `URL\n${'nothing\n'.repeat(250)}`);
    expect(result).toMatchObject({ inserted: 0, skipped: 250 });
    expect(result.errors).toHaveLength(100);
  });
});

describe('rejected files leave nothing', () => {
  const many = 'https://site.example,x\n'.repeat(10);

  it.each<[string, string | Buffer, string, string, string]>([
    ['empty', '', 'sites.csv', 'invalid_input', 'empty'],
    [
      'a zip renamed .csv',
      zipOf([{ name: 'a.csv', content: Buffer.from('URL\na.example\n') }]),
      'a.csv',
      'invalid_input',
      'ZIP',
    ],
    ['not named .csv', 'URL\na.example\n', 'sites.xlsx', 'invalid_input', '.csv file'],
    ['without a URL column', 'Name,Price\na,1\n', 'a.csv', 'invalid_input', 'no usable header'],
    ['with an unclosed quote', `URL,Name\n${many}x.example,"y\n${many}`, 'a.csv', 'invalid_input', 'Row 12'],
    ['over 50 MB', Buffer.alloc(50_000_001, 'a.example\n'), 'a.csv', 'too_large', '50 MB'],
    [
      'with a niche in every row',
      `URL,Niche\n${Array.from({ length: 2_500 }, (_, at) => `n${at}.example,Niche ${at}\n`).join('')}`,
      'a.csv',
      'invalid_input',
      'new niches',
    ],
  ])('%s', async (_, content, name, code, message) => {
    const admin = await makeUser('Admin');
    await expect(send(admin, content, 'staff', name)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect(await sitesOf(admin)).toEqual([]);
    expect(await auditOf(admin)).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
