import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { asc, desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { advisoryLock } from '@/db/advisory-locks';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { domainFigures } from '@/db/schema/domain-figures';
import { sites } from '@/db/schema/sites';
import { systemActor } from '@/lib/access/actor';
import { importOpenData } from '@/lib/sites/domain-figures/import-open-data';
import type { OpenDataKind } from '@/lib/sites/domain-figures/open-data-formats';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

const folder = mkdtempSync(join(tmpdir(), 'figures-import-'));
const script = systemActor('Tests', 'script');

beforeAll(async () => {
  const { userId: owner } = await makeUser('Seller');
  const add = (url: string, values = {}) => makeSite(owner, 1_000, { url, urlKey: url, ...values });
  await add('https://www.acme.de/blog');
  await add('https://shop.acme.de', { status: 'Pending' });
  await add('https://garden.blogspot.com');
  await add('https://münchen.de');
  await add('https://gone.de', { deletedAt: new Date() });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function importText(kind: OpenDataKind, text: string, asOf?: string, name = '202509.csv.gz') {
  const path = join(folder, name);
  writeFileSync(path, name.endsWith('gz') ? gzipSync(text) : text);
  return importOpenData(script, { kind, path, asOf });
}

async function listFigures() {
  const rows = await db().select().from(domainFigures).orderBy(asc(domainFigures.id));
  return rows.map((row) => `${row.domain} ${row.metric} ${row.value} ${row.source} ${row.asOf} ${row.siteId}`);
}

const listed = [
  'acme.de crux_rank 1000 crux 2025-09-30 null',
  'garden.blogspot.com crux_rank 5000 crux 2025-09-30 null',
  'xn--mnchen-3ya.de crux_rank 10000 crux 2025-09-30 null',
];

it('stores the figures of the catalog once, and names the lines that it cannot read', async () => {
  const text =
    'origin,rank\nhttps://www.acme.de,5000\nhttps://acme.de,1000\nhttps://garden.blogspot.com,5000\nhttps://other.blogspot.com,500\nbroken\nhttps://xn--mnchen-3ya.de,10000\nhttps://gone.de,1000\nhttps://elsewhere.de,1000\n';
  expect(await importText('crux', text)).toEqual({
    ...{ day: '2025-09-30', from: 'name', lines: 8, domains: 3, matched: 3, stored: 3, unchanged: 0, broken: 1 },
    brokenLines: [{ line: 6, reason: 'Expected 2 columns, found 1.' }],
  });
  expect((await listFigures()).toSorted()).toEqual(listed);
  const [line] = await db().select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1);
  expect(line).toMatchObject({ action: 'figures.imported', user: 'Tests', source: 'script', entityId: 'crux' });
  expect(line?.details).toContain('3 figures of 3 domains as of 2025-09-30');

  expect(await importText('crux', text)).toMatchObject({ stored: 0, unchanged: 3 });
  // A later list, and then the same one again: each day has its figure once.
  const later = text.replaceAll(/,\d+$/gm, ',500');
  expect(await importText('crux', later, '2025-10-31')).toMatchObject({ stored: 3, from: 'option' });
  expect(await importText('crux', text)).toMatchObject({ stored: 0, unchanged: 3 });
  // A corrected list of the same day.
  expect(await importText('crux', later)).toMatchObject({ stored: 3, unchanged: 0 });
  expect(await listFigures()).toHaveLength(9);
  const lines = await db().select({ id: auditLogs.id }).from(auditLogs).where(eq(auditLogs.action, 'figures.imported'));
  expect(lines).toHaveLength(3);
});

it('stores ranks of reversed names, and two figures of a line', async () => {
  const before = (await listFigures()).length;
  const ranks =
    '#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\t#n_hosts\n7\t3.1E7\t2\t0.001\tde.acme\t4\n';
  await importText('common-crawl', ranks, undefined, 'cc-main-2025-sep-oct-nov-domain-ranks.txt');
  const million = 'GlobalRank,TldRank,Domain,TLD,RefSubNets\n9,1,acme.de,de,492996\n';
  await importText('majestic', million, undefined, 'majestic_million_2025-09-14.csv');
  expect((await listFigures()).slice(before)).toEqual([
    'acme.de cc_rank 7 common_crawl 2025-11-30 null',
    'acme.de majestic_rank 9 majestic 2025-09-14 null',
    'acme.de ref_subnets 492996 majestic 2025-09-14 null',
  ]);
});

it('stores nothing of a file that is another, is cut off, or is interrupted, or while another import runs', async () => {
  const before = await listFigures();
  const text = 'origin,rank\nhttps://acme.de,7\n';
  await expect(importText('majestic', text)).rejects.toThrow('import it with "crux"');
  const path = join(folder, 'cut.csv.gz');
  writeFileSync(path, gzipSync(text).subarray(0, -4));
  await expect(importOpenData(script, { kind: 'crux', path })).rejects.toThrow('ends too early');
  await expect(importText('crux', text, '2999-01-01')).rejects.toThrow('--as-of');
  await expect(importOpenData(script, { kind: 'crux', path: join(folder, 'none') })).rejects.toThrow('does not exist');
  await expect(importOpenData(script, { kind: 'crux', path: folder })).rejects.toThrow('is not a file');

  const controller = new AbortController();
  writeFileSync(path, gzipSync(text));
  const interrupted = importOpenData(script, {
    ...{ kind: 'crux', path, signal: controller.signal },
    onProgress: () => controller.abort(),
  });
  await expect(interrupted).rejects.toThrow('aborted');

  await db().transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLock('figures-import')})`);
    await expect(importText('crux', text)).rejects.toThrow('Another import of figures is running');
  });
  expect(await listFigures()).toEqual(before);
  expect(await db().select().from(sites).where(eq(sites.domain, 'acme.de'))).toHaveLength(2);
});
