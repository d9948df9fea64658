import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detectEncoding, parseRecords, readText } from '@/lib/platform/parse-csv';
import { DomainReader, readDay } from '@/lib/projects/linked-domains/read-cells';
import { type LinkRow, readLinkRow } from '@/lib/projects/linked-domains/read-row';
import { recognizeFormat } from '@/lib/projects/linked-domains/recognize-format';
import { propertyRuns } from '@/scripts/testing/tier';
import { zipOf } from '@/tests/factories/file-of';

const ownDomain = 'brand.com';
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Reads a file as an import does, without its database. */
async function readFile(content: string | Buffer) {
  const path = join(folder, 'file');
  await writeFile(path, content);
  const encoding = await detectEncoding(path);
  let text = '';
  for await (const piece of readText(path, encoding)) text += piece;
  const layout = recognizeFormat({ text, isWhole: true }, ownDomain);
  const context = { reader: new DomainReader(), ownDomain };
  const rows: (LinkRow | string)[] = [];
  for await (const records of parseRecords(readText(path, encoding), layout.delimiter)) {
    for (const { row, cells } of records) {
      if (row > layout.headerRow && cells.join('').trim() !== '') rows.push(readLinkRow(cells, layout, context));
    }
  }
  return { format: layout.format, rows };
}

/** A row in short: "domain state day", with its anchor; or why it is skipped. */
const inShort = (row: LinkRow | string) => {
  if (typeof row === 'string') return `! ${row}`;
  const { domain, state, seenOn, anchor } = row;
  const worded = anchor
    ? ` [${anchor.text}${anchor.isImage ? ' (image)' : ''}] ${anchor.firstSeenOn ?? '-'} x${anchor.links}`
    : '';
  return `${domain ?? '*'} ${state} ${seenOn ?? '-'}${worded}`;
};

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const quoted = (lines: readonly string[][]) =>
  lines.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join('\t')).join('\n');

const ahrefsHeader = [
  ...['Referring page title', 'Referring page URL', 'Language', 'Platform', 'Referring page HTTP code'],
  ...['Domain rating', 'UR', 'Domain traffic', 'Referring domains', 'Linked domains', 'External links', 'Page traffic'],
  ...['Keywords', 'Target URL', 'Left context', 'Anchor', 'Right context', 'Type', 'Content', 'Nofollow', 'UGC'],
  ...['Sponsored', 'Rendered', 'Raw', 'Lost status', 'Drop reason', 'Discovered status', 'First seen', 'Last seen'],
  'Lost',
];
const ahrefsRow = (values: Record<string, string>) => ahrefsHeader.map((name) => values[name] ?? '');

const files: [name: string, content: string | Buffer, format: string, rows: string[]][] = [
  [
    'Top linking sites',
    '\uFEFFSite,Linking pages,Target pages\r\nblog.example.org,12,3\r\nwww.shop.co.uk,1,1\r\nbrand.com,9,9\r\n',
    'gsc_sites',
    ['blog.example.org live -', 'shop.co.uk live -', '! The address is on the project’s own domain.'],
  ],
  [
    'Top linking sites in Spanish',
    'Sitio web,Páginas de enlace,Páginas de destino\npeppol.org,"1,204",1\nzawya.com,1,1\n',
    'gsc_sites',
    ['peppol.org live -', 'zawya.com live -'],
  ],
  [
    'Latest links, with both kinds of days',
    'Linking page,Last crawled\nhttps://news.site.org/a?b=1,2026-09-15\n"https://old.net/x","Sep 5, 2026"\nhttps://m.brand.com/,2026-09-15\n',
    'gsc_links',
    ['site.org live 2026-09-15', 'old.net live 2026-09-05', '! The address is on the project’s own domain.'],
  ],
  [
    'More sample links',
    'Linking page\nhttps://a.com/1\nnot a page\n',
    'gsc_links',
    ['a.com live -', '! “not a page” is not a web address.'],
  ],
  [
    'Latest links in German, with semicolons',
    'Verlinkende Seite;Letzter Crawl\nhttps://straße.de/a;28. Sept. 2026\nhttps://münchen.de/b;15.09.2026\n',
    'gsc_links',
    ['xn--strae-oqa.de live 2026-09-28', 'xn--mnchen-3ya.de live 2026-09-15'],
  ],
  [
    'Latest links in Japanese',
    'リンク元のページ,前回のクロール日\nhttps://a.co.jp/1,2026年9月5日\n',
    'gsc_links',
    ['a.co.jp live 2026-09-05'],
  ],
  [
    'Ahrefs, Backlinks',
    utf16(
      quoted([
        ahrefsHeader,
        ahrefsRow({
          'Referring page title': 'A "great", long\nguide',
          'Referring page URL': 'https://www.blog.de/guide',
          'Left context': 'see\tthe',
          Anchor: 'best\nspade, "really"',
          Type: 'Text',
          'First seen': '2021-02-03 04:05:06',
          'Last seen': '2026-09-14 10:00:00',
        }),
        ahrefsRow({
          'Referring page URL': 'https://photos.io/x',
          Anchor: 'logo',
          Type: 'Image',
          'Last seen': '2026-01-02 00:00:00',
          Lost: 'false',
        }),
        ahrefsRow({
          'Referring page URL': 'http://gone.com/',
          'Last seen': '2025-01-02 00:00:00',
          Lost: '2025-02-02 00:00:00',
        }),
        ahrefsRow({ 'Referring page URL': 'http://moved.com/', Anchor: 'x', Type: 'Redirect' }),
        ahrefsRow({ 'Referring page title': 'No address' }),
      ]),
    ),
    'ahrefs_backlinks',
    [
      'blog.de live 2026-09-14 [best spade, "really"] 2021-02-03 x1',
      'photos.io live 2026-01-02 [logo (image)] - x1',
      'gone.com lost 2025-02-02',
      'moved.com live -',
      '! The row has no address.',
    ],
  ],
  [
    'Ahrefs, Referring domains',
    utf16(
      quoted([
        [
          'Domain',
          'Is spam',
          'DR',
          'Dofollow ref. domains',
          'Dofollow linked domains',
          'Traffic ',
          'Keywords ',
          'Links to target',
          'New links',
          'Lost links',
          'Dofollow links',
          'First seen',
          'Lost',
        ],
        ['a.com', 'false', '70', '10', '5', '1000', '100', '2', '', '', '1', '2020-01-01 00:00:00', ''],
        ['b.com', 'false', '7', '1', '5', '10', '1', '2', '', '', '1', '2020-01-01 00:00:00', '2026-01-01 00:00:00'],
      ]),
    ),
    'ahrefs_domains',
    ['a.com live -', 'b.com lost 2026-01-01'],
  ],
  [
    'Ahrefs, Anchors',
    utf16(
      quoted([
        [
          'Anchor text',
          'Ref. domains',
          'Top DR',
          'Ref. pages',
          'Links to target',
          'Dofollow links',
          'First seen',
          'Last seen',
        ],
        ['spade shop', '3', '50', '4', '1,204', '4', '2026-01-02 00:00:00', ''],
        ['', '3', '50', '4', '2', '4', '', ''],
        ['broken', '3', '50', '4', 'many', '4', '', ''],
      ]),
    ),
    'ahrefs_anchors',
    ['* unknown - [spade shop] 2026-01-02 x1204', '* unknown - [] - x2', '! “many” is not a number of links.'],
  ],
  [
    'Semrush, Backlinks',
    'Page ascore,Source title,Source url,Target url,Anchor,External links,Internal links,Nofollow,Sponsored,Ugc,Text,Frame,Form,Image,Sitewide,First seen,Last seen,New link,Lost link\n' +
      '10,"Title, one",https://a.com/1,https://brand.com/,Brand,1,2,false,false,false,true,false,false,false,false,2024-01-02,2026-03-04,false,false\n' +
      '10,Two,https://b.com/1,https://brand.com/,,1,2,false,false,false,false,false,false,true,false,2024-01-02,2026-03-04,false,true\n' +
      '10,Three,localhost,https://brand.com/,,1,2,false,false,false,false,false,false,true,false,,,,\n',
    'semrush_backlinks',
    ['a.com live 2026-03-04 [Brand] 2024-01-02 x1', 'b.com lost 2026-03-04', '! “localhost” is not a web address.'],
  ],
  [
    'Semrush, Referring domains',
    'Domain ascore,Domain,Backlinks,IP Address,Country,First seen,Last seen\n30,a.com,3,192.0.2.1,us,2024-01-02,2026-03-04\n1,192.0.2.7,1,192.0.2.7,us,,\n',
    'semrush_domains',
    ['a.com unknown 2026-03-04', '192.0.2.7 unknown -'],
  ],
  [
    'Majestic',
    'SourceURL,ACRank,AnchorText,Date,FlagRedirect,FlagFrame,FlagNoFollow,FlagImages,FlagDeleted,FlagAltText,FlagMention,TargetURL,FirstIndexedDate,LastSeenDate,DateLost\n' +
      'http://a.com/x,3,Brand,2026-01-02,-,-,-,+,-,-,-,http://brand.com/,2020-02-03,2026-05-06,\n' +
      'http://b.com/x,3,Brand,2026-01-02,0,0,0,0,1,0,0,http://brand.com/,2020-02-03,2026-05-06,2026-06-01\n' +
      'http://c.com/x,3,Brand,2026-01-02,-,-,-,-,-,-,+,http://brand.com/,,,\n',
    'majestic',
    [
      'a.com live 2026-05-06 [Brand (image)] 2020-02-03 x1',
      'b.com lost 2026-06-01',
      '! The page mentions the site without a link.',
    ],
  ],
  [
    'Majestic with spaces in its headers',
    '"Target URL","Source URL","Anchor Text","Source Crawl Date","Source First Found Date","Flag No Follow","Flag Image Link","Source Trust Flow"\n"http://brand.com/","http://a.com/x","shop","2026-01-02","2025-01-02","","","20"\n',
    'majestic',
    ['a.com unknown 2026-01-02 [shop] 2025-01-02 x1'],
  ],
  [
    'Majestic with kinds of links',
    'Source URL,Anchor Text,Link Type,Last Seen Date,Date Lost,Source Trust Flow\nhttp://a.com,x,Mention,2026-01-01,,20\nhttp://b.com,x,ImageLink,,2026-01-05,20\n',
    'majestic',
    ['! The page mentions the site without a link.', 'b.com lost 2026-01-05'],
  ],
  [
    'Ahrefs, Backlinks of former years',
    '#\tReferring Page URL\tReferring Page Title\tLink URL\tLink Anchor\tType\tFirst Seen\tLast Check\tDay Lost\n1\thttps://a.com/x\tT\thttps://brand.com/\tshop\tDofollow\t2020-01-02\t2020-03-04\t\n2\thttps://b.com/\tT\thttps://brand.com/\tshop\tDofollow\t2020-01-02\t2020-03-04\t2020-03-09\n',
    'ahrefs_backlinks',
    ['a.com live 2020-03-04 [shop] 2020-01-02 x1', 'b.com lost 2020-03-09'],
  ],
  [
    'Semrush, Backlinks, saved by a spreadsheet in German',
    'Source title;Source url;Anchor;Image;Last seen;Lost link\r\nt;https://my_blog.a.com/;x;FALSCH;04.03.2026 10:00;FALSCH\r\nt;https://b.com/;x;WAHR;4-3-2026;WAHR\r\n',
    'semrush_backlinks',
    ['a.com live 2026-03-04 [x] - x1', 'b.com lost 2026-03-04'],
  ],
  [
    'Moz with the states of links',
    'URL,Anchor Text,Link State,Target URL\na.com/x,a,Newly Discovered,brand.com\nb.com,a,Deleted,brand.com\n',
    'moz',
    ['a.com live - [a] - x1', 'b.com lost -'],
  ],
  [
    'Moz, below a title',
    'Inbound links to brand.com\n\nURL,Title,Anchor Text,Spam Score,PA,DA,Linking Domains to Page,Target URL\na.com/page,Page,brand,1,20,30,4,brand.com/\n//b.com,Page,,1,20,30,4,brand.com/\n',
    'moz',
    ['a.com unknown - [brand] - x1', 'b.com unknown - [] - x1'],
  ],
  [
    'a list',
    'a.com\n\n https://www.B.com:8080/path,with,commas \nhttp://user@c.com\nbrand.com\nthree words here\nсайт.рф\n[2001:db8::1]:80\n',
    'list',
    [
      'a.com live -',
      'b.com live -',
      '! “http://user@c.com” is not a web address.',
      '! The address is on the project’s own domain.',
      '! “three words here” is not a web address.',
      'xn--80aswg.xn--p1ai live -',
      '2001:db8::1 live -',
    ],
  ],
  [
    'a list below a title',
    'sep=;\nOur links\nDomain;Note\na.com;x\nnone;y\n',
    'list',
    ['a.com live -', '! “none” is not a web address.'],
  ],
  ['a list with figures', 'Domain,DR,Traffic\na.com,50,1000\nb.com,4,5\n', 'list', ['a.com live -', 'b.com live -']],
  ['a list with a header and notes', 'Note;Domain\nold;a.com\nnew;b.com\n', 'list', ['a.com live -', 'b.com live -']],
];

describe('an export of links', () => {
  it.each(files)('is read: %s', async (_, content, format, rows) => {
    const read = await readFile(content);
    expect([read.format, ...read.rows.map(inShort)]).toEqual([format, ...rows]);
  });

  it.each([
    ['Top linked pages', 'Target page,Incoming links,Linking sites\nhttps://brand.com/,3,2\n', /your own pages/],
    ['Top linked pages in German', 'Zielseite,Links,Websites\nhttps://brand.com/,3,2\n', /your own pages/],
    [
      'Backlinks of Semrush without their pages',
      'Page ascore,Source title,Target url,Anchor,Lost link\n1,t,https://other.com/,x,false\n',
      /“Backlinks” of Semrush without its column “Source url”/,
    ],
    [
      'Referring domains of Semrush without the domains, whose other addresses are no list',
      'Domain ascore,Backlinks,IP Address,Country\n1,2,192.0.2.1,US\n',
      /without its column “Domain”/,
    ],
    [
      'Backlinks of Ahrefs without their pages',
      'Referring page title\tTarget URL\tLost status\nt\thttps://a.com\t\n',
      /“Referring page URL”/,
    ],
    [
      'the domains that the project links to',
      'Domain,DR,Dofollow ref. domains,Links from target\na.com,1,2,3\n',
      /your site links to/,
    ],
    [
      'anchors of another tool',
      'Anchor Text,Ref Domains,Total External Links\nspade,1,2\nread more,1,2\nwww.a.com,1,2\n',
      /not a known export/,
    ],
    ['a workbook', zipOf([{ name: 'xl/workbook.xml', content: Buffer.from('<x/>') }]), /Excel workbook/],
    ['a compressed file', gzipSync('a.com\n'), /Unpack it/],
    ['another table', 'Name,Age\nAnn,3\n', /not a known export/],
    ['an open quote', `Site,Linking pages,Target pages\n"a.com,1,1\n${'b.com,1,1\n'.repeat(9_000)}`, /never closed/],
  ])('is refused with a reason: %s', async (_, content, reason) => {
    await expect(readFile(content)).rejects.toThrow(reason);
  });

  it('is read alike with any separator, encoding, line ending, spelling of headers and order of columns', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/\p{Cc}/gu, '"\n,;\t'));
    const link = fc.record({
      host: fc.constantFrom('a.com', 'sub.b.co.uk', 'c.io'),
      title: cell,
      anchor: fc.constantFrom('plain', 'with "quotes"', 'a, b; c', 'tab\there', 'Ünïcode 日本'),
      lost: fc.boolean(),
      day: fc.integer({ min: 1, max: 28 }).map((day) => `2026-03-${String(day).padStart(2, '0')}`),
    });
    const names = ['Source title', 'Source url', 'Anchor', 'Last seen', 'Lost link', 'Extra column'];
    const shape = fc.record({
      links: fc.array(link, { minLength: 1, maxLength: 6 }),
      order: fc.shuffledSubarray(names, { minLength: names.length }),
      separator: fc.constantFrom(',', ';', '\t'),
      ending: fc.constantFrom('\n', '\r\n'),
      spell: fc.constantFrom(
        (name: string) => name,
        (name: string) => name.toUpperCase(),
        (name: string) => name.replaceAll(' ', '_'),
      ),
      encode: fc.constantFrom(
        (text: string) => Buffer.from(text),
        (text: string) => Buffer.from(`\uFEFF${text}`),
        (text: string) => utf16(text),
        (text: string) => Buffer.from(text, 'utf16le'),
        (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
        (text: string) => Buffer.from(text, 'utf16le').swap16(),
      ),
    });
    await fc.assert(
      fc.asyncProperty(shape, async ({ links, order, separator, ending, spell, encode }) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const lines = links.map(({ host, title, anchor, lost, day }) => {
          const values = [title, `https://${host}/p`, anchor, `${day} 08:00:00`, String(lost), 'x'];
          return order.map((name) => quote(values[names.indexOf(name)] ?? '')).join(separator);
        });
        const text = [order.map(spell).join(separator), ...lines].join(ending);
        const { format, rows } = await readFile(encode(text));
        expect(format).toBe('semrush_backlinks');
        expect(rows.map(inShort)).toEqual(
          links.map(({ host, anchor, lost, day }) => {
            const worded = lost ? '' : ` [${anchor.replace('\t', ' ')}] - x1`;
            return `${host.replace('sub.', '')} ${lost ? 'lost' : 'live'} ${day}${worded}`;
          }),
        );
      }),
      { numRuns: propertyRuns(150) },
    );
  });
});

it.each([
  ['2026-09-15', '2026-09-15'],
  ['2026-09-15T12:34:56Z', '2026-09-15'],
  ['Sep 15, 2026', '2026-09-15'],
  ['15 Sep 2026', '2026-09-15'],
  ['15 сент. 2026 г.', '2026-09-15'],
  ['15 sept 2026', '2026-09-15'],
  ['2026. 09. 15.', '2026-09-15'],
  ['1789430400', '2026-09-15'],
  ['2026-13-45', null],
  ['0001-01-01', null],
  ['yesterday', null],
  ['', null],
])('reads the day of “%s” as %s', (cell, day) => {
  expect(readDay(cell)).toBe(day);
});

it('limits an anchor to 500 characters without cutting one', () => {
  const layout = recognizeFormat({ text: 'Source url,Anchor\nhttps://a.com,x\n', isWhole: true }, ownDomain);
  const row = readLinkRow(['https://a.com/', `x${'😀'.repeat(600)}`], layout, {
    reader: new DomainReader(),
    ownDomain,
  });
  expect(typeof row === 'object' && row.anchor?.text).toBe(`x${'😀'.repeat(499)}`);
});
