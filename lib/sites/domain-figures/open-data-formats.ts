import type { FigureMetric, MeasuredSource } from '@/db/enums';
import { AppError } from '@/lib/errors';

/** The lists that `npm run figures:import` reads. */
export const openDataKinds = ['crux', 'common-crawl', 'majestic'] as const;
export type OpenDataKind = (typeof openDataKinds)[number];

export type OpenDataFormat = {
  source: MeasuredSource;
  label: string;
  delimiter: ',' | '\t';
  /** The column with the name, and how a name is written. */
  name: string;
  form: 'origin' | 'reversed' | 'domain';
  /** The columns of the figures. The first one is the rank, of which the lowest counts if a domain has several lines. */
  figures: readonly { column: string; metric: FigureMetric; min: number }[];
  /** A further column by which the list is recognized. */
  mark?: string;
};

export const openDataFormats: Record<OpenDataKind, OpenDataFormat> = {
  crux: {
    source: 'crux',
    label: 'Chrome UX Report',
    delimiter: ',',
    name: 'origin',
    form: 'origin',
    figures: [{ column: 'rank', metric: 'crux_rank', min: 1 }],
  },
  'common-crawl': {
    source: 'common_crawl',
    label: 'domain ranks of Common Crawl',
    delimiter: '\t',
    name: 'host_rev',
    form: 'reversed',
    // Common Crawl sorts by harmonic centrality, which is harder to manipulate than PageRank.
    figures: [{ column: 'harmonicc_pos', metric: 'cc_rank', min: 1 }],
    // The ranks of hosts, which are others, have no such column.
    mark: 'n_hosts',
  },
  majestic: {
    source: 'majestic',
    label: 'Majestic Million',
    delimiter: ',',
    name: 'domain',
    form: 'domain',
    figures: [
      { column: 'globalrank', metric: 'majestic_rank', min: 1 },
      { column: 'refsubnets', metric: 'ref_subnets', min: 0 },
    ],
  },
};

/** The places of the columns that are read, and how many columns each line has. */
export type Columns = { count: number; name: number; figures: number[] };

const maxColumns = 200;

/**
 * Finds the columns of a list by its header.
 * @throws AppError invalid_input if the header is that of another file
 */
export function findColumns(header: string, kind: OpenDataKind): Columns {
  const { delimiter, name, figures } = openDataFormats[kind];
  const names = splitHeader(header, delimiter);
  if (!hasColumns(header, kind) || names.length > maxColumns) throw wrongFileError(header, kind);
  return {
    count: names.length,
    name: names.indexOf(name),
    figures: figures.map(({ column }) => names.indexOf(column)),
  };
}

const splitHeader = (header: string, delimiter: string) =>
  header.split(delimiter).map((name) =>
    name
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replace(/^#/, '')
      .trim()
      .toLowerCase(),
  );

function requiredColumns({ name, figures, mark }: OpenDataFormat): string[] {
  return [...figures.map(({ column }) => column), name, ...(mark ? [mark] : [])];
}

function hasColumns(header: string, kind: OpenDataKind): boolean {
  const format = openDataFormats[kind];
  const names = splitHeader(header, format.delimiter);
  return requiredColumns(format).every((column) => names.includes(column));
}

function wrongFileError(header: string, kind: OpenDataKind): AppError {
  const format = openDataFormats[kind];
  const other = openDataKinds.find((candidate) => candidate !== kind && hasColumns(header, candidate));
  const separator = format.delimiter === ',' ? 'commas' : 'tabs';
  const expected = `The first line must name the columns ${requiredColumns(format).join(', ')}, separated by ${separator}.`;
  const hint = other
    ? `This is the file of another list: import it with "${other}".`
    : header.startsWith('PK')
      ? `${expected} This is a ZIP archive: unpack it first.`
      : `${expected} It begins with "${header.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ' ').slice(0, 100)}".`;
  return new AppError('invalid_input', `The file is not the ${format.label} list. ${hint} Nothing was stored.`);
}
