import { Readable } from 'node:stream';
import { and, asc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { type LinkSource, projectAnchors, projectLinkedDomains } from '@/db/schema/project-domains';
import { clearLinkedDomains } from '@/lib/projects/linked-domains/clear-linked';
import { listLinkedDomainsQuery, maxNamedSkips } from '@/lib/projects/linked-domains/contract';
import { importLinkedDomains } from '@/lib/projects/linked-domains/import-linked';
import { listLinkedDomains, listLinkSources } from '@/lib/projects/linked-domains/list-linked';
import { makeProject } from '@/tests/factories/make-project';
import { makeUser } from '@/tests/factories/make-user';

let buyer: Awaited<ReturnType<typeof makeUser>>;
let project = '';
beforeAll(async () => {
  buyer = await makeUser();
  project = await makeProject(buyer, { domain: 'brand.com' });
});

const send = (
  content: string,
  { to = project, by = buyer, isDryRun = false, signal = new AbortController().signal } = {},
) => importLinkedDomains(by, to, { file: Readable.from([Buffer.from(content)]), name: 'export.csv', isDryRun, signal });

const stored = async (source: LinkSource, of = project) =>
  (
    await db()
      .select()
      .from(projectLinkedDomains)
      .where(and(eq(projectLinkedDomains.projectId, of), eq(projectLinkedDomains.source, source)))
      .orderBy(asc(projectLinkedDomains.domain))
  ).map(({ domain, state, seenOn }) => `${domain} ${state} ${seenOn}`);

const anchorsOf = async (of = project) =>
  (
    await db()
      .select()
      .from(projectAnchors)
      .where(eq(projectAnchors.projectId, of))
      .orderBy(asc(projectAnchors.anchor), asc(projectAnchors.isImage))
  ).map(
    ({ source, anchor, isImage, firstSeenOn, links }) =>
      `${source} [${anchor}${isImage ? ' (image)' : ''}] ${firstSeenOn} x${links}`,
  );

const audited = () => db().$count(auditLogs, eq(auditLogs.entityId, project));

const backlinks = (rows: readonly string[]) =>
  ['Source url,Anchor,Image,First seen,Last seen,Lost link', ...rows].join('\n');

describe('an import', () => {
  it('reduces links to domains: the newest day, and live if one of the links is', async () => {
    const content = backlinks([
      'https://a.com/1,Brand,false,2025-01-01,2026-01-01,true',
      'https://www.a.com/2,Brand,false,2025-01-01,2025-06-01,false',
      'https://b.com/1,gone,false,2025-01-01,2026-02-02,true',
      'https://c.com/1,Brand,true,2025-01-01,,false',
      'https://d.com/1,Brand,false,2025-01-01,2026-02-02,false',
      'https://shop.brand.com/1,own,false,,,false',
      'nothing,,,,,',
    ]);
    const found = {
      ...{ format: 'semrush_backlinks', rows: 7, domains: 4, live: 3, lost: 1, unknown: 0, anchors: 3 },
      skipped: [
        { row: 6, reason: 'The address is on the project’s own domain.' },
        { row: 7, reason: '“nothing” is not a web address.' },
      ],
      moreSkipped: 0,
    };
    expect(await send(content, { isDryRun: true })).toEqual(found);
    expect([await stored('semrush'), await anchorsOf(), await audited()]).toEqual([[], [], 0]);
    expect(await send(content)).toEqual(found);
    // The same file again changes nothing.
    await send(content);
    expect(await stored('semrush')).toEqual([
      'a.com live 2026-01-01',
      'b.com lost 2026-02-02',
      'c.com live null',
      'd.com live 2026-02-02',
    ]);
    expect(await anchorsOf()).toEqual(['semrush [Brand] 2025-01-01 x2', 'semrush [Brand (image)] 2025-01-01 x1']);
    expect(await audited()).toBe(2);
  });

  it('adds and updates domains of the same source, keeps what is newer, and replaces its anchors', async () => {
    await send(
      backlinks([
        'https://a.com/1,,,,2026-03-03,true',
        'https://b.com/1,,,,2025-12-31,false',
        'https://e.com/1,New,,,2026-03-03,false',
      ]),
    );
    // This one does not say whether its links are in place.
    await send(
      'Domain ascore,Domain,First seen,Last seen\n1,d.com,,2026-04-04\n1,c.com,,2026-04-04\n1,b.com,,2026-04-04\n',
    );
    await send('a.com\nf.com\n');
    expect(await stored('semrush')).toEqual([
      'a.com lost 2026-03-03',
      'b.com unknown 2026-04-04',
      'c.com live 2026-04-04',
      'd.com live 2026-04-04',
      'e.com live 2026-03-03',
    ]);
    expect(await stored('list')).toEqual(['a.com live null', 'f.com live null']);
    expect(await anchorsOf()).toEqual(['semrush [] null x1', 'semrush [New] null x1']);
  });

  it('takes the day of a loss, which is newer than the day a link was seen last', async () => {
    const of = await makeProject(buyer, { domain: 'brand.com' });
    const header = 'Referring page URL,Anchor,Last seen,Lost\n';
    await send(`${header}https://a.com/1,x,2026-02-02,\nhttps://a.com/2,x,2026-03-03,\n`, { to: of });
    await send(`${header}https://a.com/2,x,2026-02-02,2026-04-04\n`, { to: of });
    expect(await stored('ahrefs', of)).toEqual(['a.com lost 2026-04-04']);
    // An older export does not know of the loss.
    await send(`${header}https://a.com/2,x,2026-03-03,\n`, { to: of });
    expect(await stored('ahrefs', of)).toEqual(['a.com lost 2026-04-04']);
  });

  it('of an export of anchors stores anchors only', async () => {
    const of = await makeProject(buyer, { domain: 'brand.com' });
    const content =
      'Anchor text,Ref. domains,Links to target,First seen\nbrand,2,7,2026-01-01\n"two\nlines",1,1,\n,1,2,\n';
    expect(await send(content, { to: of })).toMatchObject({
      format: 'ahrefs_anchors',
      rows: 3,
      domains: 0,
      anchors: 10,
    });
    expect(await anchorsOf(of)).toEqual([
      'ahrefs [] null x2',
      'ahrefs [brand] 2026-01-01 x7',
      'ahrefs [two lines] null x1',
    ]);
    expect(await stored('ahrefs', of)).toEqual([]);
  });

  it('names the first skipped rows and counts the others', async () => {
    const { rows, skipped, moreSkipped, domains } = await send(
      `a.com\n${'not an address\n'.repeat(maxNamedSkips + 5)}`,
    );
    expect([rows, skipped.length, moreSkipped, domains]).toEqual([maxNamedSkips + 6, maxNamedSkips, 5, 1]);
  });

  it.each([
    ['an empty file', ''],
    ['a header without rows', 'Site,Linking pages,Target pages\n'],
    ['a file that is none', '{"a": 1}'],
  ])('refuses %s', async (_, content) => {
    await expect(send(content)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('into a project of another user is not found, and neither is its removal', async () => {
    const other = await makeUser();
    const before = await stored('list');
    await expect(send('z.com\n', { by: other })).rejects.toMatchObject({ code: 'not_found' });
    await expect(clearLinkedDomains(other, project)).rejects.toMatchObject({ code: 'not_found' });
    expect(await stored('list')).toEqual(before);
  });

  it('that the client cancels leaves nothing', async () => {
    await expect(send('cancelled.com\n', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('canceled'),
    });
    expect((await stored('list')).join()).not.toContain('cancelled.com');
  });

  it('at the same time as others counts each anchor once and keeps all domains', async () => {
    const of = await makeProject(buyer, { domain: 'brand.com' });
    const one = backlinks(['https://a.com/1,x,,,2026-01-01,false', 'https://b.com/1,x,,,2026-01-01,false']);
    const other = backlinks(['https://c.com/1,x,,,2026-01-01,false', 'https://a.com/1,x,,,2026-02-02,true']);
    await Promise.all([
      send(one, { to: of }),
      send(other, { to: of }),
      send(one, { to: of }),
      clearLinkedDomains(buyer, of, 'moz'),
    ]);
    expect(await stored('semrush', of)).toEqual([
      'a.com lost 2026-02-02',
      'b.com live 2026-01-01',
      'c.com live 2026-01-01',
    ]);
    expect([['semrush [x] null x1'], ['semrush [x] null x2']]).toContainEqual(await anchorsOf(of));
  });
});

describe('the list', () => {
  const list = (query: Record<string, string> = {}) => listLinkedDomains(project, listLinkedDomainsQuery.parse(query));

  it('is filtered and paged by domain', async () => {
    const { rows, total } = await list({ limit: '2', offset: '1' });
    expect([rows.map(({ domain, source }) => `${domain} ${source}`), total]).toEqual([
      ['a.com semrush', 'b.com semrush'],
      7,
    ]);
    expect((await list({ source: 'list' })).total).toBe(2);
    expect((await list({ state: 'lost' })).rows.map(({ domain }) => domain)).toEqual(['a.com']);
    expect((await list({ q: 'https://F.com/x' })).rows).toMatchObject([
      { domain: 'f.com', source: 'list', state: 'live', seenOn: null },
    ]);
    expect((await list({ q: '%' })).total).toBe(0);
    expect(await listLinkSources(project)).toMatchObject([
      { source: 'list', live: 2, lost: 0, unknown: 0, anchors: 0 },
      { source: 'semrush', live: 3, lost: 1, unknown: 1, anchors: 2 },
    ]);
  });

  it('is cleared by source, with its anchors, and then as a whole', async () => {
    expect(await clearLinkedDomains(buyer, project, 'semrush')).toEqual({ domains: 5 });
    expect([(await list()).total, await anchorsOf()]).toEqual([2, []]);
    expect(await clearLinkedDomains(buyer, project)).toEqual({ domains: 2 });
    const lines = await audited();
    expect(await clearLinkedDomains(buyer, project)).toEqual({ domains: 0 });
    expect([(await list()).total, await audited()]).toEqual([0, lines]);
  });
});
