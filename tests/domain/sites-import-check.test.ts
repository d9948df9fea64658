import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { asc, eq } from 'drizzle-orm';
import fc from 'fast-check';
import Papa from 'papaparse';
import { afterAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { sites } from '@/db/schema/sites';
import { nicheProposals } from '@/db/schema/taxonomy';
import type { Actor } from '@/lib/access/actor';
import { importSites } from '@/lib/sites/import/import-sites';
import type { ImportUpload } from '@/lib/sites/import/import-upload';
import { columnChoices, type ImportAudience } from '@/lib/sites/import/map-header';
import { previewImport } from '@/lib/sites/import/preview-import';
import { streamRejectedRows } from '@/lib/sites/import/rejected-rows';
import { propertyRuns } from '@/scripts/testing/tier';
import { makeUser } from '@/tests/factories/make-user';

const temporary = mkdtempSync(join(tmpdir(), 'linkmarket-check-'));
process.env.TMPDIR = temporary;
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const upload = (content: string | Buffer, columns = '', audience: ImportAudience = 'staff'): ImportUpload => ({
  file: Readable.from([Buffer.from(content)]),
  name: 'sites.csv',
  audience,
  choices: columnChoices.parse(columns),
});
const sitesOf = (actor: Actor) =>
  db().select().from(sites).where(eq(sites.ownerId, actor.userId)).orderBy(asc(sites.id));

const mixed = [
  'Website,DR,Price,Authority of Moz,Contact',
  'one.example,40,$25,12,ann@example.com',
  'https://www.ONE.example/,41,$26,13,',
  'nowhere,1,2,,',
  'two.example,abc,2,,',
  'three.example,7,9,8,',
].join('\n');

describe('the preview of an import', () => {
  it('reports what the import would do, and changes nothing', async () => {
    const admin = await makeUser('Admin');
    const check = await previewImport(admin, upload(mixed));
    expect(check).toMatchObject({
      rows: 5,
      ready: 2,
      duplicates: 1,
      skipped: 2,
      errors: [
        { row: 4, column: 'Website', reason: expect.stringContaining('Enter a web address') },
        { row: 5, column: 'DR', reason: '“abc” is not a number: enter DR as 0–100.' },
      ],
      unknownHeaders: ['Authority of Moz', 'Contact'],
      columns: [
        { index: 0, header: 'Website', field: 'url', sample: 'one.example' },
        { index: 1, header: 'DR', field: 'dr', sample: '40' },
        { index: 2, header: 'Price', field: 'sellerPrice', sample: '$25' },
        { index: 3, header: 'Authority of Moz', field: null, sample: '12' },
        { index: 4, header: 'Contact', field: null, sample: 'ann@example.com' },
      ],
    });
    expect(await sitesOf(admin)).toEqual([]);
    expect(await db().$count(auditLogs, eq(auditLogs.userId, admin.userId))).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);

    const { inserted, duplicates, skipped, errors, unknownHeaders } = await importSites(admin, upload(mixed));
    expect([inserted, duplicates, skipped]).toEqual([check.ready, check.duplicates, check.skipped]);
    expect([errors, unknownHeaders]).toEqual([check.errors, check.unknownHeaders]);
    expect(await previewImport(admin, upload(mixed))).toMatchObject({ ready: 0, duplicates: 3 });
  });

  it('has the same counts as the import, for any file', { timeout: 60_000 }, async () => {
    const admin = await makeUser('Admin');
    const url = fc.constantFrom('a.example', 'https://www.A.example/', 'b.example', 'c.example#x', 'nowhere', '', '"q');
    const cell = fc.constantFrom('1', '40,5', '$12.50', '1,234', 'many', '', 'Sitewide links', 'Homepage link', 'x');
    const row = fc.tuple(url, cell, cell, cell);
    const field = fc.constantFrom('none', 'dr', 'sellerPrice', 'postType', 'name');
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(',', ';', '\t'),
        fc.option(fc.tuple(fc.integer({ min: 1, max: 3 }), field), { nil: null }),
        async (rows, delimiter, choice) => {
          const file = Papa.unparse([['URL', 'DR', 'Kind', 'Unheard of'], ...rows], { delimiter, quotes: true });
          const columns = choice ? choice.join(':') : '';
          if (rows.every((cells) => cells.every((text) => text === ''))) return;
          const { ready, duplicates, skipped, errors } = await previewImport(admin, upload(file, columns));
          const result = await importSites(admin, upload(file, columns));
          expect(result).toMatchObject({ inserted: ready, duplicates, skipped, errors });
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  });

  it('names new niches, and proposes none', async () => {
    const check = await previewImport(await makeUser('Admin'), upload('URL,Niche\na.example,Only looked at\n'));
    expect(check.newNiches).toEqual(['Only looked at']);
    expect(await db().$count(nicheProposals, eq(nicheProposals.name, 'Only looked at'))).toBe(0);
  });

  it("treats another owner's site, a deleted one and another post type as new", async () => {
    const [admin, other] = [await makeUser('Admin'), await makeUser('Seller')];
    const file = 'URL,Type\nsame.example,Guest posts\n';
    await importSites(other, upload(file, '', 'seller'));
    expect(await previewImport(admin, upload(file))).toMatchObject({ ready: 1, duplicates: 0 });
    await importSites(admin, upload(file));
    expect(await previewImport(admin, upload('URL,Type\nsame.example,Sitewide links\n'))).toMatchObject({ ready: 1 });
    expect(await previewImport(admin, upload(file))).toMatchObject({ ready: 0, duplicates: 1 });
    await db().update(sites).set({ deletedAt: new Date() }).where(eq(sites.ownerId, admin.userId));
    expect(await previewImport(admin, upload(file))).toMatchObject({ ready: 1, duplicates: 0 });
  });

  it('offers sellers no staff-only fields', async () => {
    const { fields } = await previewImport(await makeUser('Seller'), upload('URL\na.example\n', '', 'seller'));
    expect(fields.map(({ field }) => field)).not.toEqual(expect.arrayContaining(['status']));
    expect(fields).not.toContainEqual(expect.objectContaining({ field: 'publicPrice' }));
    const staff = await previewImport(await makeUser('Admin'), upload('URL\na.example\n'));
    expect(staff.fields).toContainEqual({ field: 'publicPrice', label: 'Public price' });
  });
});

describe('user-defined column mappings', () => {
  it("override the header's names, in the preview and the import alike", async () => {
    const admin = await makeUser('Admin');
    const columns = '3:da,2:none,4:name';
    expect(await previewImport(admin, upload(mixed, columns))).toMatchObject({
      ready: 2,
      unknownHeaders: ['Price'],
      columns: [{ field: 'url' }, { field: 'dr' }, { field: null }, { field: 'da' }, { field: 'name' }],
    });
    await importSites(admin, upload(mixed, columns));
    expect(await sitesOf(admin)).toMatchObject([
      { urlKey: 'one.example', da: 12, name: 'ann@example.com', sellerPriceCents: null },
      { urlKey: 'three.example', da: 8 },
    ]);
  });

  it('assign the URL to a file whose header names none', async () => {
    const admin = await makeUser('Admin');
    const file = '\n"Blog";"DA";"Asking"\r\n"blog.example";"12,5";"1.200,50"\r\n';
    const check = await previewImport(admin, upload(file));
    expect(check).toMatchObject({
      rows: 1,
      ready: 0,
      skipped: 0,
      columns: [
        { header: 'Blog', field: null, sample: 'blog.example' },
        { header: 'DA', field: 'da' },
        { header: 'Asking', field: null },
      ],
    });
    await expect(importSites(admin, upload(file))).rejects.toMatchObject({
      message: expect.stringContaining('no usable header'),
    });
    expect(await previewImport(admin, upload(file, '0:url,2:sellerPrice'))).toMatchObject({ ready: 1 });
    await importSites(admin, upload(file, '0:url,2:sellerPrice'));
    expect(await sitesOf(admin)).toMatchObject([{ urlKey: 'blog.example', da: 12.5, sellerPriceCents: 120_050 }]);
  });

  it.each([
    ['9:dr', 'staff', 'do not match this file'],
    ['4:status', 'seller', 'do not match this file'],
    ['0:none', 'staff', 'no usable header'],
  ] as const)('%s of %s is rejected', async (columns, audience, message) => {
    await expect(importSites(await makeUser('Seller'), upload(mixed, columns, audience))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(message),
    });
  });

  it.each(['x', '1', '1:nothing', '1:dr,1:da', '1:dr,2:dr', '1:constructor', '-1:dr', '1:dr,'])(
    'reject %j',
    (columns) => expect(columnChoices.safeParse(columns).success).toBe(false),
  );
});

describe('rejected rows', () => {
  it('are a CSV with the reason of each, which can be corrected and imported again', async () => {
    const admin = await makeUser('Admin');
    const csv = await text(await streamRejectedRows(await makeUser('Admin'), upload(mixed)));
    expect(csv).toBe(
      'Website,DR,Price,Authority of Moz,Contact,Import row,Import column,Import reason\r\n' +
        'nowhere,1,2,,,4,Website,"Enter a web address, e.g. https://example.com."\r\n' +
        'two.example,abc,2,,,5,DR,“abc” is not a number: enter DR as 0–100.\r\n',
    );
    await expect.poll(() => readdirSync(temporary)).toEqual([]);
    const mended = csv.replace('nowhere', 'somewhere.example').replace('abc', '50');
    expect(await importSites(admin, upload(mended))).toMatchObject({
      inserted: 2,
      skipped: 0,
      unknownHeaders: ['Authority of Moz', 'Contact'],
    });
  });

  it('contain all rows, where the response lists the first hundred', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => `bad ${at}`).join('\n');
    const csv = await text(await streamRejectedRows(await makeUser('Admin'), upload(`URL\n${rows}\n`)));
    expect(csv.split('\r\n').length).toBe(5_002);
  });

  it('escape formulas and lose nothing else, for any file', async () => {
    const start = fc.constantFrom('=', '+', '-', '@', '\t', '\r', ' =', '|', '%', '"', ',', ';', '');
    const cell = fc.tuple(start, fc.string({ unit: 'binary', maxLength: 8 })).map(([sign, rest]) => sign + rest);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }), async (rows) => {
        const clean = rows.map(([one, two]) => [one, two].map((raw) => raw.replaceAll(/[\0\uFEFF]/g, '')));
        const file = Papa.unparse([['URL', 'Name', 'DR'], ...clean.map((cells) => [...cells, 'bad'])], {
          quotes: true,
        });
        const back = Papa.parse<string[]>(await text(await streamRejectedRows(await makeUser('Admin'), upload(file))), {
          skipEmptyLines: true,
        });
        expect(back.errors).toEqual([]);
        for (const cells of back.data) for (const shown of cells) expect(shown).not.toMatch(/^\s*[=+\-@|%]/);
        const bare = (shown: string | undefined) => (shown ?? '').replace(/^'/, '');
        expect(back.data.slice(1).map(([one, two]) => [bare(one), bare(two)])).toEqual(
          clean.map((cells) => cells.map((raw) => bare(raw.replace(/\r\n?/g, '\n')))),
        );
      }),
      { numRuns: propertyRuns(60) },
    );
    await expect.poll(() => readdirSync(temporary)).toEqual([]);
  });

  it('of a rejected file are rejected as well', async () => {
    await expect(streamRejectedRows(await makeUser('Admin'), upload('Name\na\n'))).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('leave no temporary file when the download is aborted', async () => {
    const rows = Array.from({ length: 50_000 }, (_, at) => `bad ${at}`).join('\n');
    const answer = await streamRejectedRows(await makeUser('Admin'), upload(`URL\n${rows}\n`));
    for await (const piece of answer) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    await expect.poll(() => readdirSync(temporary)).toEqual([]);
  });
});

describe('an import with an Idempotency-Key', () => {
  it('returns the first result to a repeat and inserts nothing, also concurrently', async () => {
    const admin = await makeUser('Admin');
    const send = () => importSites(admin, upload(mixed), 'key-1');
    const [one, two] = await Promise.all([send(), send()]);
    expect(one).toMatchObject({ inserted: 2, duplicates: 1, skipped: 2 });
    expect(two).toEqual(one);
    await db().update(sites).set({ deletedAt: new Date() }).where(eq(sites.ownerId, admin.userId));
    expect(await send()).toEqual(one);
    expect(await sitesOf(admin)).toHaveLength(2);
    expect(await db().$count(auditLogs, eq(auditLogs.userId, admin.userId))).toBe(1);
  });

  it('is rejected for another file or mapping, and belongs to one user', async () => {
    const [admin, other] = [await makeUser('Admin'), await makeUser('Admin')];
    await importSites(admin, upload(mixed), 'key-2');
    const conflict = { code: 'conflict', message: 'This Idempotency-Key was already used for another file.' };
    await expect(importSites(admin, upload(`${mixed}\nz.example,1,2,,`), 'key-2')).rejects.toMatchObject(conflict);
    await expect(importSites(admin, upload(mixed, '3:da'), 'key-2')).rejects.toMatchObject(conflict);
    expect(await importSites(other, upload(mixed), 'key-2')).toMatchObject({ inserted: 2 });
  });

  it('can be reused after a failure', async () => {
    const admin = await makeUser('Admin');
    const gone = new AbortController();
    gone.abort();
    await expect(importSites(admin, { ...upload(mixed), signal: gone.signal }, 'key-3')).rejects.toMatchObject({
      message: expect.stringContaining('canceled'),
    });
    expect(await sitesOf(admin)).toEqual([]);
    expect(await importSites(admin, upload(mixed), 'key-3')).toMatchObject({ inserted: 2 });
  });
});
