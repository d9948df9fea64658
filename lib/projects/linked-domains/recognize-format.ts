import { AppError } from '@/lib/errors';
import { type Delimiter, parseFirstRecords } from '@/lib/platform/parse-csv';
import type { LinkFileFormat } from './contract';
import { DomainReader, readDay } from './read-cells';

/** The columns that are read, by their headers in lower case without anything but letters and digits. */
const columnNames = {
  anchor: ['anchor', 'anchortext', 'linkanchor'],
  linkType: ['type', 'linktype'],
  image: ['image', 'flagimages', 'flagimagelink', 'flagimage'],
  links: ['linkstotarget', 'backlinks', 'links'],
  firstSeen: ['firstseen', 'firstindexeddate', 'datefirstseen', 'sourcefirstfounddate', 'found'],
  lastSeen: ['lastseen', 'lastseendate', 'datelastseen', 'lastcrawled', 'lastcheck', 'sourcecrawldate', 'date'],
  lost: ['lostlink', 'flagdeleted', 'lost', 'linkstate'],
  lostOn: ['lost', 'datelost', 'lostdate', 'daylost'],
  lostStatus: ['loststatus'],
  mention: ['flagmention'],
} as const;
type Column = keyof typeof columnNames;

type Definition = {
  format: LinkFileFormat;
  /** The header of the linking address; for anchors that of the anchor. */
  key: readonly string[];
  /** Other headers of the export. */
  marks: readonly string[];
  /** Headers of which one is required, where the key alone is not distinctive. */
  required?: readonly string[];
  /** What an export without its key is refused with: its name, the key as the tool writes it, headers of it alone. */
  keyless: { report: string; column: string; signs: readonly string[] };
};

/** Of several that match a header, the one with the most known headers is chosen, then the first. */
const definitions: readonly Definition[] = [
  {
    format: 'gsc_sites',
    key: ['site'],
    marks: ['linkingpages', 'targetpages'],
    keyless: { report: '“Top linking sites” of Search Console', column: 'Site', signs: ['linkingpages'] },
  },
  {
    format: 'gsc_links',
    key: ['linkingpage'],
    marks: ['lastcrawled'],
    keyless: { report: '“Latest links” of Search Console', column: 'Linking page', signs: ['lastcrawled'] },
  },
  {
    format: 'ahrefs_backlinks',
    key: ['referringpageurl'],
    marks: [
      ...['referringpagetitle', 'domainrating', 'ur', 'domaintraffic', 'targeturl', 'leftcontext', 'anchor'],
      ...['rightcontext', 'type', 'content', 'nofollow', 'ugc', 'sponsored', 'loststatus', 'firstseen', 'lastseen'],
      'lost',
    ],
    keyless: {
      report: '“Backlinks” of Ahrefs',
      column: 'Referring page URL',
      signs: ['referringpagetitle', 'leftcontext', 'loststatus'],
    },
  },
  {
    format: 'ahrefs_domains',
    key: ['domain', 'referringdomain'],
    marks: [
      ...['isspam', 'dr', 'domainrating', 'dofollowrefdomains', 'dofollowlinkeddomains', 'traffic', 'keywords'],
      ...['linkstotarget', 'newlinks', 'lostlinks', 'dofollowlinks', 'firstseen', 'lost'],
    ],
    required: ['isspam', 'dofollowrefdomains', 'dofollowlinkeddomains', 'linkstotarget', 'dofollowlinks', 'lost'],
    keyless: {
      report: '“Referring domains” of Ahrefs',
      column: 'Domain',
      signs: ['dofollowrefdomains', 'dofollowlinkeddomains'],
    },
  },
  {
    format: 'ahrefs_anchors',
    key: ['anchortext', 'anchor'],
    marks: [
      ...['refdomains', 'topdr', 'refpages', 'linkstotarget', 'dofollowlinks', 'newlinks', 'lostlinks'],
      ...['firstseen', 'lastseen', 'lost'],
    ],
    required: ['topdr', 'refpages', 'linkstotarget'],
    keyless: { report: '“Anchors” of Ahrefs', column: 'Anchor text', signs: ['topdr', 'refpages'] },
  },
  {
    format: 'semrush_backlinks',
    key: ['sourceurl'],
    marks: [
      ...['pageascore', 'sourcetitle', 'targeturl', 'anchor', 'externallinks', 'internallinks', 'nofollow'],
      ...['sponsored', 'ugc', 'text', 'frame', 'form', 'image', 'sitewide', 'firstseen', 'lastseen'],
      ...['newlink', 'lostlink'],
    ],
    required: ['pageascore', 'sourcetitle', 'targeturl', 'anchor', 'lostlink'],
    keyless: {
      report: '“Backlinks” of Semrush',
      column: 'Source url',
      signs: ['pageascore', 'sourcetitle', 'lostlink'],
    },
  },
  {
    format: 'semrush_domains',
    key: ['domain', 'rootdomain'],
    marks: ['domainascore', 'backlinks', 'ipaddress', 'country', 'firstseen', 'lastseen'],
    required: ['domainascore', 'ipaddress', 'lastseen'],
    keyless: { report: '“Referring domains” of Semrush', column: 'Domain', signs: ['domainascore'] },
  },
  {
    format: 'majestic',
    key: ['sourceurl'],
    marks: [
      ...['acrank', 'anchortext', 'date', 'targeturl', 'firstindexeddate', 'lastseendate', 'datelost', 'reasonlost'],
      ...['flagredirect', 'flagframe', 'flagnofollow', 'flagimages', 'flagdeleted', 'flagalttext', 'flagmention'],
      ...['linktype', 'sourcetrustflow', 'sourcecitationflow', 'sourcecrawldate', 'sourcefirstfounddate'],
    ],
    required: ['acrank', 'anchortext', 'flagdeleted', 'flagnofollow', 'lastseendate', 'sourcetrustflow'],
    keyless: {
      report: 'Backlinks of Majestic',
      column: 'SourceURL',
      signs: ['acrank', 'flagdeleted', 'flagnofollow', 'sourcetrustflow'],
    },
  },
  {
    format: 'moz',
    key: ['url'],
    marks: [
      ...['title', 'anchortext', 'targeturl', 'pa', 'da', 'pageauthority', 'domainauthority', 'spamscore', 'linktype'],
      ...['linkstate', 'linkingdomainstopage', 'firstseen', 'lastseen', 'datefirstseen', 'datelastseen', 'datelost'],
    ],
    required: ['anchortext', 'targeturl', 'linkingdomainstopage', 'linkstate'],
    keyless: { report: '“Inbound links” of Moz', column: 'URL', signs: ['linkingdomainstopage', 'linkstate'] },
  },
];

/** The header of a list, where its column is not found by its content. */
const listNames = ['domain', 'domains', 'url', 'urls', 'website', 'site', 'host', 'address', 'rootdomain', 'linkurl'];
/** Those that Search Console has in a language. */
const namesOfSearchConsole = ['website', 'site'];
/** Checks whether a cell is the header of a list of domains. */
export const isListName = (cell: string) => listNames.includes(headerKey(cell));

/** How the rows of a file are read. */
export type FileLayout = {
  format: LinkFileFormat;
  delimiter: Delimiter;
  /** The number of the header's row; 0 without one. */
  headerRow: number;
  /** The index of the linking address; for anchors of the anchor. */
  key: number;
  columns: Partial<Record<Column, number>>;
};

const delimiters: readonly Delimiter[] = [',', ';', '\t', '|'];
/** The header is searched in the first rows, because a title may precede it. */
const maxHeaderRow = 10;
const sampleRows = 50;
/** No export has as many. */
const maxColumns = 200;

/**
 * Finds out which export a file is: by the names in its header, else by the position and the content of its columns,
 * which are the same in all languages of Search Console.
 * @param sample the beginning of the file, without the row that it cuts
 * @param ownDomain the project's domain as `sites.domain`, which its own pages are on
 * @throws AppError invalid_input for a list of the project's own pages, and for another table
 */
export function recognizeFormat(sample: { text: string; isWhole: boolean }, ownDomain: string): FileLayout {
  if (sample.text.trim() === '') throw fileError('The file is empty.');
  const tables = delimiters.map((delimiter) => ({
    delimiter,
    records: parseFirstRecords(sample.text, delimiter, sample.isWhole).slice(0, sampleRows),
  }));
  return findByHeader(tables) ?? findByContent(tables, ownDomain);
}

type Table = { delimiter: Delimiter; records: string[][] };

const headerKey = (cell: string) => cell.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

function findByHeader(tables: readonly Table[]): FileLayout | null {
  let best: { layout: FileLayout; known: number } | null = null;
  let listsOwnPages = false;
  let keyless: Definition['keyless'] | undefined;
  for (const { delimiter, records } of tables) {
    for (const [at, cells] of records.slice(0, maxHeaderRow).entries()) {
      const headers = cells.slice(0, maxColumns).map(headerKey);
      const names = new Set(headers);
      listsOwnPages ||= headers[0] === 'targetpage' && !names.has('linkingpage');
      if (names.has('linksfromtarget')) throw outgoingError();
      for (const { format, key, marks, required, keyless: ofExport } of definitions) {
        const keyAt = headers.findIndex((header) => key.includes(header));
        const known = 1 + marks.filter((mark) => names.has(mark)).length;
        if (keyAt === -1 && ofExport.signs.some((sign) => names.has(sign))) keyless ??= ofExport;
        const isMatch = keyAt !== -1 && (!required || required.some((mark) => names.has(mark)));
        if (!isMatch || known <= (best?.known ?? 0)) continue;
        const columns = locateColumns(headers);
        best = { layout: { format, delimiter, headerRow: at + 1, key: keyAt, columns }, known };
      }
    }
  }
  if (!best && listsOwnPages) throw ownPagesError();
  if (!best && keyless) {
    throw fileError(`This is ${keyless.report} without its column “${keyless.column}”. Export it with this column.`);
  }
  return best?.layout ?? null;
}

function locateColumns(headers: readonly string[]): FileLayout['columns'] {
  const columns: FileLayout['columns'] = {};
  for (const [column, names] of Object.entries(columnNames)) {
    const found = names.map((name) => headers.indexOf(name)).find((index) => index !== -1);
    if (found !== undefined && isColumn(column)) columns[column] = found;
  }
  return columns;
}

const isColumn = (name: string): name is Column => name in columnNames;

const isCount = (cell: string) => /^\d[\d.,\s'’]*$/.test(cell.trim());
const isDay = (cell: string) => cell.length <= 40 && (/\d{4}/.test(cell) || readDay(cell) !== null);

function findByContent(tables: readonly Table[], ownDomain: string): FileLayout {
  const reader = new DomainReader();
  const isAddress = (cell: string | undefined) => reader.read(cell ?? '') !== null;
  let best: { layout: FileLayout; found: number } | null = null;
  for (const { delimiter, records } of tables) {
    const filled = records.filter((cells) => cells.some((cell) => cell.trim() !== ''));
    const top = filled.slice(0, maxHeaderRow);
    const start = top.findIndex((cells) => cells.some(isAddress));
    const above = top.slice(0, start === -1 ? 1 : start);
    // Below a title, only a header that is known: another row may be one that is broken.
    const header = above.find((cells) => cells.some(isListName)) ?? above[0];
    const headerRow = header ? records.indexOf(header) + 1 : 0;
    const rows = header ? filled.slice(filled.indexOf(header) + 1) : filled;
    const first = header ?? filled[0] ?? [];
    const named = first.findIndex(isListName);
    // “Domain, DR, Traffic” has the columns of a report, under names that no report has.
    const isNamedList = named !== -1 && !namesOfSearchConsole.includes(headerKey(first[named] ?? ''));
    const ofSearchConsole = isNamedList ? null : findSearchConsole(rows, isAddress);
    if (ofSearchConsole === 'own-pages') throw ownPagesError();
    if (ofSearchConsole) {
      const columns = ofSearchConsole === 'gsc_links' ? { lastSeen: 1 } : {};
      return { format: ofSearchConsole, delimiter, headerRow, key: 0, columns };
    }
    for (let index = 0; index < Math.min(first.length, maxColumns); index += 1) {
      const domains = rows.flatMap((cells) => reader.read(cells[index] ?? '') ?? []);
      // The anchors in a table of other facts can be addresses.
      if (first.length > 1 && index !== named && domains.length * 2 < rows.length) continue;
      const found = domains.filter((domain) => domain !== ownDomain).length;
      // A column that the header names wins, then the first one.
      const weight = found * 2 + (index === named ? 1 : 0);
      if (found === 0 || weight <= (best?.found ?? 0)) continue;
      best = { layout: { format: 'list', delimiter, headerRow, key: index, columns: {} }, found: weight };
    }
    // All rows may be of the project itself: they are then skipped one by one.
    if (!best && rows.some(([cell = '']) => reader.read(cell) === ownDomain)) {
      best = { layout: { format: 'list', delimiter, headerRow, key: 0, columns: {} }, found: 1 };
    }
  }
  if (best) return best.layout;
  throw fileError(
    'This is not a known export of links. Use one of Search Console, Ahrefs, Semrush, Majestic or Moz, or a list with one domain a line.',
  );
}

/** Recognizes reports of Search Console in any language: an address and a day, or a host and two counts. */
function findSearchConsole(
  rows: readonly string[][],
  isAddress: (cell: string | undefined) => boolean,
): 'gsc_links' | 'gsc_sites' | 'own-pages' | null {
  const whole = rows.filter(([first]) => isAddress(first));
  // A few rows may be broken.
  if (whole.length === 0 || whole.length * 2 < rows.length) return null;
  const every = (width: number, test: (cells: readonly string[]) => boolean) =>
    whole.filter((cells) => cells.length === width && test(cells)).length * 10 >= whole.length * 9;
  if (every(2, ([first = '', day = '']) => first.includes('://') && isDay(day))) return 'gsc_links';
  if (!every(3, ([, one = '', other = '']) => isCount(one) && isCount(other))) return null;
  return every(3, ([first = '']) => first.includes('://')) ? 'own-pages' : 'gsc_sites';
}

function ownPagesError(): AppError {
  return fileError(
    'This is “Top linked pages” of Search Console, which lists your own pages. Export “Top linking sites” or “Latest links” instead.',
  );
}

function outgoingError(): AppError {
  return fileError('This lists the sites that your site links to. Export “Backlinks” or “Referring domains” instead.');
}

/** Creates the error of a file that cannot be used as a whole. */
export function fileError(message: string): AppError {
  return new AppError('invalid_input', message, { fields: { file: message } });
}
