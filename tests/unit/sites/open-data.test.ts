import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { AppError } from '@/lib/errors';
import { DomainIndex } from '@/lib/sites/domain-figures/domain-index';
import { findReleaseDay } from '@/lib/sites/domain-figures/find-release-day';
import { maxLineBytes } from '@/lib/sites/domain-figures/line-splitter';
import { type OpenDataKind, openDataKinds } from '@/lib/sites/domain-figures/open-data-formats';
import { OpenDataParser, reverseLabels } from '@/lib/sites/domain-figures/parse-open-data';
import { readChunks } from '@/lib/sites/domain-figures/read-chunks';

const catalogue = ['acme.com', 'garden.example.org', 'a.blogspot.com', 'blogspot.com', 'xn--mnchen-3ya.de', 'b.co.uk'];
const majesticHeader =
  'GlobalRank,TldRank,Domain,TLD,RefSubNets,RefIPs,IDN_Domain,IDN_TLD,PrevGlobalRank,PrevTldRank,PrevRefSubNets,PrevRefIPs';
const ranksHeader = '#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\t#n_hosts';
const majesticRow = (rank: number, domain: string, subnets: number) =>
  `${rank},1,${domain},com,${subnets},3120968,${domain},com,1,1,491732,3118138`;

function createParser(kind: OpenDataKind, domains: readonly string[] = catalogue) {
  const names = domains.map((name) => (kind === 'common-crawl' ? reverseLabels(Buffer.from(name)) : Buffer.from(name)));
  const index = new DomainIndex(names.length, Buffer.concat(names).length);
  for (const name of names) index.add(name);
  return new OpenDataParser(kind, index);
}

function parse(kind: OpenDataKind, content: string | Uint8Array, chunkBytes = Number.POSITIVE_INFINITY) {
  const parser = createParser(kind);
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += chunkBytes) parser.push(bytes.subarray(at, at + chunkBytes));
  parser.end();
  return {
    lines: parser.lines,
    broken: parser.brokenLines.map(({ line }) => line),
    figures: [...parser.figures()].map(({ domain, metric, value }) => `${domain} ${metric} ${value}`).sort(),
  };
}

describe('lists of open data', () => {
  it.each<[string, OpenDataKind, string, string[], number[]]>([
    [
      'the best rank over the origins of a registrable domain, private suffixes kept apart',
      'crux',
      'origin,rank\nhttps://www.acme.com,5000\nhttps://a.www.acme.com,1000\nhttp://acme.com:8080,10000\nhttps://b.blogspot.com,500\nhttps://www.a.blogspot.com,1000\nhttps://www.b.co.uk/,50000\nhttps://notacme.com,1000\nhttps://EXAMPLE.org,1000\n',
      ['a.blogspot.com crux_rank 1000', 'b.co.uk crux_rank 50000', 'acme.com crux_rank 1000'],
      [],
    ],
    [
      'a byte order mark, CRLF, other columns, blank lines, a missing last newline',
      'crux',
      '\uFEFF"Rank",note,"origin"\r\n\r\n1000,x,https://acme.com\r\n5000,,"https://www.garden.example.org"\r\n\r\n10000,"a, ""b""",https://a.blogspot.com',
      ['a.blogspot.com crux_rank 10000', 'acme.com crux_rank 1000', 'garden.example.org crux_rank 5000'],
      [],
    ],
    [
      'names in letters as in their encoding',
      'crux',
      'origin,rank\nhttps://www.münchen.de,1000\nhttps://xn--mnchen-3ya.de,5000\n',
      ['xn--mnchen-3ya.de crux_rank 1000'],
      [],
    ],
    [
      'broken origins',
      'crux',
      `origin,rank\nacme.com,1000\nhttps://acme.com\nhttps://acme.com,1000,2\nhttps://acme.com,0\nhttps://acme.com,1e3\nhttps://acme.com,-1\nhttps://acme.com,99999999999\nhttps://exa mple.com,5\nhttps://,5\nhttps://.com,5\nhttps://a..com,5\n"https://acme.com,5\nhttps://${'a'.repeat(maxLineBytes)}.com,5\nftp://acme.com,5\nhttps://acme.com/path,5\nhttps://acme.com,2000000001\nhttps://b.co.uk,5\n`,
      ['b.co.uk crux_rank 5'],
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17],
    ],
    [
      'the position by harmonic centrality of reversed names',
      'common-crawl',
      `${ranksHeader}\n1\t3.4626736E7\t3\t0.005384977821460953\tcom.facebook\t3668\n20\t3.1E7\t3\t0.001\tcom.acme\t4\n21\t3.1E7\t1\t0.001\tcom.blogspot\t900\n22\t3.1E7\t1\t0.001\torg.example.garden\t1\n23\t3.1E7\t1\t0.001\tde.xn--mnchen-3ya\t1\nx\t3.1E7\t1\t0.001\tuk.co.b\t1\n24\t3.1E7\t1\t0.001\tcom.acme.www\t1\n`,
      [
        'blogspot.com cc_rank 21',
        'acme.com cc_rank 20',
        'garden.example.org cc_rank 22',
        'xn--mnchen-3ya.de cc_rank 23',
      ],
      [7],
    ],
    [
      'rank and referring subnets; a subdomain is not its domain',
      'majestic',
      `${majesticHeader}\n${majesticRow(3, 'acme.com', 437532)}\n${majesticRow(2, 'www2.acme.com', 5)}\n${majesticRow(9, '"b.co.uk"', 0)}\n${majesticRow(10, 'a.blogspot.com', 1).replace(',1,3120968', ',many,3120968')}\n`,
      ['b.co.uk majestic_rank 9', 'b.co.uk ref_subnets 0', 'acme.com majestic_rank 3', 'acme.com ref_subnets 437532'],
      [5],
    ],
  ])('read %s', (_, kind, content, figures, broken) => {
    expect(parse(kind, content)).toMatchObject({ figures: figures.toSorted(), broken });
    expect(parse(kind, content, 7)).toEqual(parse(kind, content));
  });

  it.each<[string, OpenDataKind, string, RegExp]>([
    ['an empty file', 'crux', '', /empty/],
    ['a byte order mark alone', 'crux', '\uFEFF\n', /empty/],
    ['a header alone', 'crux', 'origin,rank\n', /only a header/],
    ['no readable line', 'crux', 'origin,rank\nx\ny\n', /Line 2: Expected 2 columns, found 1/],
    ['another list', 'crux', `${majesticHeader}\n${majesticRow(1, 'acme.com', 1)}\n`, /import it with "majestic"/],
    ['another list', 'majestic', 'origin,rank\nhttps://acme.com,1000\n', /import it with "crux"/],
    ['another list', 'majestic', `${ranksHeader}\n`, /import it with "common-crawl"/],
    ['ranks of hosts', 'common-crawl', `${ranksHeader.replace('\t#n_hosts', '')}\n1\t1\t1\t1\tcom.acme\n`, /n_hosts/],
    ['no header', 'crux', 'https://acme.com,1000\n', /must name the columns rank, origin/],
    ['an archive', 'majestic', 'PK\u0003\u0004\n', /ZIP/],
    ['one long line', 'majestic', 'a'.repeat(100_000), /must name the columns/],
  ])('refuse %s', (_, kind, content, message) => {
    expect(() => parse(kind, content)).toThrow(message);
  });

  it('are read or refused whatever they contain, however they are divided', () => {
    const known = fc.constantFrom(
      ...[majesticHeader, ranksHeader, 'origin,rank', '', '"', 'https://www.acme.com,1000', ',', '\t\r', 'https://x,7'],
    );
    const line = fc.oneof(
      fc.uint8Array({ maxLength: 30 }),
      known.map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...openDataKinds),
        fc.array(line, { maxLength: 8 }),
        fc.integer({ min: 1, max: 40 }),
        (kind, lines, size) => {
          const content = Buffer.concat(lines.flatMap((bytes) => [bytes, Buffer.from('\n')]));
          const outcome = (chunkBytes?: number) => {
            try {
              return parse(kind, content, chunkBytes);
            } catch (thrown) {
              if (!(thrown instanceof AppError)) throw thrown;
              return thrown.message;
            }
          };
          expect(outcome(size)).toEqual(outcome());
        },
      ),
    );
  });

  it('are indexed without loss', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.domain(), { maxLength: 60 }), fc.array(fc.domain()), (domains, others) => {
        const content = ['origin,rank', ...[...domains, ...others].map((domain) => `https://${domain},7`)].join('\n');
        const parser = createParser('crux', domains);
        parser.push(Buffer.from(`${content}\nhttps://x.com,7`));
        parser.end();
        const found = new Set([...parser.figures()].map(({ domain }) => domain));
        expect([...found].sort()).toEqual(domains.map((domain) => domain.toLowerCase()).sort());
      }),
      { numRuns: 20 },
    );
  });
});

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'open-data-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const whole = gzipSync('origin,rank\n');
  const rest = gzipSync('https://acme.com,1000\n'.repeat(500));
  const text = `origin,rank\n${'https://acme.com,1000\n'.repeat(500)}`;

  it.each<[string, Uint8Array, string | RegExp]>([
    ['plain text', Buffer.from(text), text],
    ['an empty file', Buffer.alloc(0), ''],
    ['gzip of several members', Buffer.concat([whole, rest]), text],
    ['gzip with zeros after it', Buffer.concat([whole, rest, Buffer.alloc(9)]), text],
    ['a truncated file', Buffer.concat([whole, rest.subarray(0, -9)]), /ends too early/],
    ['a header alone', whole.subarray(0, 8), /ends too early/],
    ['a corrupt member', Buffer.concat([whole, Buffer.from('corrupt'), rest]), /corrupt/],
    ['a wrong checksum', Buffer.concat([rest.subarray(0, -8), Buffer.alloc(8, 1)]), /corrupt/],
  ])('are read by content, or refused: %s', async (_, content, expected) => {
    const path = join(folder, 'list.csv');
    writeFileSync(path, content);
    let read = '';
    const reading = readChunks(path, (chunk) => {
      read += Buffer.from(chunk).toString();
    });
    if (expected instanceof RegExp) return expect(reading).rejects.toThrow(expected);
    await reading;
    expect(read).toBe(expected);
  });

  it.each<[string, string | undefined, string, string]>([
    ['list.csv', '2025-09-14', '2025-09-14', 'option'],
    ['202509.csv.gz', '2024-02-29', '2024-02-29', 'option'],
    ['202509.csv.gz', undefined, '2025-09-30', 'name'],
    ['crux-2024-02.csv', undefined, '2024-02-29', 'name'],
    ['majestic_million_2025-09-14.csv', undefined, '2025-09-14', 'name'],
    ['majestic_million_20250914.csv', undefined, '2025-09-14', 'name'],
    ['cc-main-2025-sep-oct-nov-domain-ranks.txt.gz', undefined, '2025-11-30', 'name'],
    ['cc-main-2024-25-dec-jan-feb-domain-ranks.txt.gz', undefined, '2025-02-28', 'name'],
    ['202613.csv', undefined, '2026-03-04', 'file'],
    ['20250931.csv', undefined, '2026-03-04', 'file'],
    ['209909.csv', undefined, '2026-03-04', 'file'],
    ['majestic_million.csv', undefined, '2026-03-04', 'file'],
  ])('%s with --as-of %s is of %s', (path, given, day, from) => {
    const now = new Date('2026-05-06T12:00:00Z');
    expect(findReleaseDay(`/2020-01/${path}`, given, new Date('2026-03-04T23:59:00Z'), now)).toEqual({ day, from });
    expect(findReleaseDay('list.csv', undefined, new Date('2027-01-01'), now).day).toBe('2026-05-06');
  });

  it.each(['2026-05-07', '2025-02-29', '2025-13-01', '1999-12-31', '', '14.09.2025', '2025-9-1'])(
    'a day is refused: %j',
    (given) => {
      const now = new Date('2026-05-06T12:00:00Z');
      expect(() => findReleaseDay('202509.csv', given, now, now)).toThrow(/2026-05-06: YYYY-MM-DD/);
    },
  );
});
