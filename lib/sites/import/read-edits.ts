import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { importCancelledError } from '@/lib/platform/import-slot';
import type { CsvRecord } from '@/lib/platform/parse-csv';
import {
  isFigureField,
  omitTypedFigures,
  readTypedFigures,
  type TypedFigures,
} from '@/lib/sites/domain-figures/typed-figures';
import { normalizeSiteUrl, parseSiteAddress } from '@/lib/sites/field-values';
import type { SiteRow } from '@/lib/sites/views';
import type { RowProblem } from './copy-line';
import { addNiche, postTypeKey, type RowContext } from './known-names';
import { parseEdit, type SiteEdit } from './parse-edit';
import { type CellReader, createCellReader, findBrokenRow } from './parse-row';
import { type RejectedRow, readRows } from './rejected-rows';

/** A row that changes a site. */
export type RowEdit = { row: number; site: SiteRow; changes: SiteEdit };

/** The result of a row: what it changes, null if nothing, or why it is rejected. */
type ReadRow = { edit: RowEdit | null } | RejectedRow;

/**
 * Reads a file of edits in batches and compares each row with the seller's site that it names. Locks no site.
 * @param context the file's new niches are added to its known niches
 * @throws AppError invalid_input if `signal` is aborted
 */
export async function* readEdits(
  tx: Executor,
  path: string,
  context: RowContext,
  signal?: AbortSignal,
): AsyncGenerator<ReadRow[]> {
  const seen: SeenRows = { sites: new Map(), addresses: new Map() };
  for await (const records of inBatches(readRows(path, context.analysis))) {
    if (signal?.aborted) throw importCancelledError();
    const rows = records.map((record) => readKey(record, context));
    const listed = await findNamedSites(tx, context.userId, rows);
    const read = rows.map((row) => ({ ...row, result: readEdit(row, listed, seen, context) }));
    const edits = read.flatMap(({ result }) => ('edit' in result ? [result.edit] : []));
    const taken = await findTakenAddresses(tx, context.userId, edits);
    const typed = await readTypedFigures(
      tx,
      edits.flatMap(({ site, changes }) => (Object.keys(changes).some(isFigureField) ? [site.id] : [])),
    );
    yield read.map(({ record, cells, result }) => {
      if ('problem' in result) return { ...result, cells: record.cells };
      const edit = omitRepeated(result.edit, typed);
      if (edit) acceptEdit(edit, cells, { taken, seen, context });
      const problem = cells.problem();
      return problem ? { problem, cells: record.cells } : { edit };
    });
  }
}

/** The number of rows whose sites are read by one query. */
const batchRows = 500;

async function* inBatches(chunks: AsyncIterable<CsvRecord[]>): AsyncGenerator<CsvRecord[]> {
  let held: CsvRecord[] = [];
  for await (const records of chunks) {
    held.push(...records);
    if (held.length < batchRows) continue;
    yield held;
    held = [];
  }
  if (held.length > 0) yield held;
}

/** The rows of a file by what they are about. */
type SeenRows = {
  /** By site. */
  sites: Map<number, number>;
  /** By the address and the post type that they give a site. */
  addresses: Map<string, number>;
};

/** A row with the site that it names: by its id, or by its address where the row has no id. */
type NamedRow = { record: CsvRecord; cells: CellReader; id: number | null; urlKey: string | null };

function readKey(record: CsvRecord, { analysis }: RowContext): NamedRow {
  const cells = createCellReader(record, analysis);
  const id = cells.text('id');
  if (id !== '') {
    const [, digits] = /^#?(\d{1,9})$/.exec(id) ?? [];
    if (digits === undefined) cells.fail('id', `“${id}” is not an ID. Leave the IDs as they were exported.`);
    return { record, cells, id: Number(digits ?? 0), urlKey: null };
  }
  const url = cells.text('url', 500);
  const urlKey = parseSiteAddress(url)?.urlKey ?? null;
  if (url === '') cells.fail('id', 'The row names no site: it has neither an ID nor a URL.');
  else if (urlKey === null) cells.fail('url', 'Enter a web address, e.g. https://example.com.');
  return { record, cells, id: null, urlKey };
}

/** Finds the sites that rows name, of this owner only. */
async function findNamedSites(tx: Executor, ownerId: string, rows: readonly NamedRow[]): Promise<SiteRow[]> {
  const named = or(
    inArray(
      sites.id,
      rows.flatMap(({ id }) => id ?? []),
    ),
    inArray(
      sites.urlKey,
      rows.flatMap(({ urlKey }) => urlKey ?? []),
    ),
  );
  return tx
    .select()
    .from(sites)
    .where(and(eq(sites.ownerId, ownerId), isNull(sites.deletedAt), named));
}

function readEdit(
  { record, cells, id, urlKey }: NamedRow,
  listed: readonly SiteRow[],
  seen: SeenRows,
  context: RowContext,
): { edit: RowEdit } | { problem: RowProblem } {
  const { row } = record;
  const broken = findBrokenRow(record, context.analysis) ?? cells.problem();
  if (broken) return { problem: broken };
  const rejected = (reason: string) => ({ problem: { row, column: '', reason } });
  const found = id === null ? chooseByAddress(cells, listed, urlKey) : listed.find((site) => site.id === id);
  if (typeof found === 'string') return rejected(found);
  // The same for a site of another seller and for one that does not exist.
  if (!found) return rejected(`You list no site with the ID ${id}. Add new sites with “Upload CSV”.`);
  const first = seen.sites.get(found.id);
  if (first !== undefined) return rejected(`Row ${first} is about the same site.`);
  seen.sites.set(found.id, row);
  const parsed = parseEdit({ cells, site: found, isByAddress: id === null, known: context.known }, record);
  if ('problem' in parsed) return parsed;
  return { edit: { row, site: found, changes: parsed.changes } };
}

/** Returns an edit without the figures that the seller typed before. @returns null if it changes nothing */
function omitRepeated({ row, site, changes }: RowEdit, typed: TypedFigures): RowEdit | null {
  const kept = Object.entries(omitTypedFigures(site, changes, typed)).filter(([, value]) => value !== undefined);
  return kept.length === 0 ? null : { row, site, changes: Object.fromEntries(kept) };
}

/** Chooses the site with an address, by the post type where several have it. @returns why none can be chosen */
function chooseByAddress(cells: CellReader, listed: readonly SiteRow[], urlKey: string | null): SiteRow | string {
  const sites = listed.filter((site) => site.urlKey === urlKey);
  const [site, ...others] = sites;
  if (!site) return 'You do not list this address. Add new sites with “Upload CSV”.';
  const text = cells.text('postType');
  if (text !== '') {
    const types = sites.map((one) => one.postType).join(', ');
    return (
      sites.find(({ postType }) => postTypeKey(postType) === postTypeKey(text)) ??
      `You list this address for ${types}. Enter the ID of the site to change its post type.`
    );
  }
  return others.length === 0 ? site : 'You list this address for several post types. Enter the ID or the post type.';
}

/** Returns the address that a row gives its site; null if it changes neither the URL nor the post type. */
function getNewAddress({ site, changes }: RowEdit): { urlKey: string; key: string } | null {
  if (changes.url === undefined && changes.postType === undefined) return null;
  const urlKey = changes.url === undefined ? site.urlKey : normalizeSiteUrl(changes.url);
  return { urlKey, key: addressKey({ urlKey, postType: changes.postType ?? site.postType }) };
}

const addressKey = ({ urlKey, postType }: Pick<SiteRow, 'urlKey' | 'postType'>) => `${urlKey} ${postType}`;

/** Finds which of the addresses and post types that rows give to sites the owner already lists. */
async function findTakenAddresses(
  tx: Executor,
  ownerId: string,
  edits: readonly RowEdit[],
): Promise<ReadonlyMap<string, number>> {
  const urlKeys = edits.flatMap((edit) => getNewAddress(edit)?.urlKey ?? []);
  if (urlKeys.length === 0) return new Map();
  const found = await tx
    .select({ id: sites.id, urlKey: sites.urlKey, postType: sites.postType })
    .from(sites)
    .where(and(eq(sites.ownerId, ownerId), isNull(sites.deletedAt), inArray(sites.urlKey, urlKeys)));
  return new Map(found.map((site) => [addressKey(site), site.id]));
}

type Accepted = { taken: ReadonlyMap<string, number>; seen: SeenRows; context: RowContext };

/** Fails a row of an outdated file, or that gives a site the address of another one, or a niche that is one too many. */
function acceptEdit(edit: RowEdit, cells: CellReader, { taken, seen, context }: Accepted): void {
  const { row, site, changes } = edit;
  const version = cells.text('version');
  if (version !== '' && version !== String(site.version))
    cells.fail('version', 'The site was changed after this file was exported. Export it again and repeat the edit.');
  const address = getNewAddress(edit);
  if (address && !cells.problem()) {
    const owner = taken.get(address.key) ?? site.id;
    const isTaken = owner !== site.id || seen.addresses.has(address.key);
    if (isTaken) cells.fail(changes.url === undefined ? 'postType' : 'url', 'You already list this site.');
    else seen.addresses.set(address.key, row);
  }
  if (changes.niche === undefined || cells.problem()) return;
  const reason = addNiche(context.known, changes.niche);
  if (reason !== null) cells.fail('niche', reason);
}
