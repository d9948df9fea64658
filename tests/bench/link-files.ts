/** The number of rows of each benchmarked file. */
export const linkFileRows = 1_000_000;

const rowsPerChunk = 500;
const dayOf = (at: number) =>
  `2026-${String((at % 12) + 1).padStart(2, '0')}-${String((at % 28) + 1).padStart(2, '0')}`;
/** Most domains link more than once, as in a real file. */
const hostOf = (at: number) => `www.site-${(at * 7_919) % 200_000}.com`;

const ahrefsHeader = [
  ...['Referring page title', 'Referring page URL', 'Domain rating', 'UR', 'Domain traffic', 'Target URL'],
  ...['Left context', 'Anchor', 'Right context', 'Type', 'Nofollow', 'First seen', 'Last seen', 'Lost'],
];

const ahrefsRow = (at: number) => [
  ...[`A long title of page ${at}, with ""quotes""`, `https://${hostOf(at)}/blog/article-${at}`, '45', '12', '3400'],
  ...[
    'https://brand.com/page',
    'the words before it, on',
    `anchor ${at % 5_000}`,
    'and those after it',
    'Text',
    'false',
  ],
  ...[`${dayOf(at)} 01:02:03`, `${dayOf(at + 1)} 01:02:03`, at % 10 === 0 ? `${dayOf(at)} 01:02:03` : ''],
];

function* chunksOf(head: string, row: (at: number) => string, encoding: BufferEncoding = 'utf8') {
  yield Buffer.from(head, encoding);
  for (let at = 0; at < linkFileRows; at += rowsPerChunk) {
    yield Buffer.from(Array.from({ length: rowsPerChunk }, (_, more) => row(at + more)).join(''), encoding);
  }
}

const tabbed = (cells: readonly string[]) => `${cells.map((cell) => `"${cell}"`).join('\t')}\n`;

/** Generates the files in chunks. */
export const linkFiles = {
  'Search Console': () =>
    chunksOf('Linking page,Last crawled\n', (at) => `https://${hostOf(at)}/blog/article-${at},${dayOf(at)}\n`),
  'Ahrefs, UTF-16': () => chunksOf(`\uFEFF${tabbed(ahrefsHeader)}`, (at) => tabbed(ahrefsRow(at)), 'utf16le'),
  'a list of as many domains': () => chunksOf('', (at) => `site-${at}.com\n`),
};
