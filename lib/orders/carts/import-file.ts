import type { Readable } from 'node:stream';
import { and, inArray, or } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { formatUsd } from '@/lib/money';
import { parseDay, parseRel, parseWords, parseWriter } from '@/lib/orders/briefs/parse-cells';
import { requireValidBrief, saveBriefBody } from '@/lib/orders/briefs/schemas';
import { csvLine } from '@/lib/platform/csv';
import { parsePrice } from '@/lib/platform/parse-number';
import { parseBlockedDomain } from '@/lib/projects/block-list';
import { findBlocked } from '@/lib/projects/blocked-domains';
import { findLinked } from '@/lib/projects/linked-domains/find-linked';
import { isListed } from '@/lib/sites/catalogue/filter-sql';
import { parseSiteAddress } from '@/lib/sites/field-values';
import { mappingFields } from '@/lib/sites/import/map-header';
import type { Linked } from '@/lib/sites/responses';
import { type Cart, type CartBriefInput, maxCartItems } from './contract';
import { getCart } from './queries';
import { type CartFile, type CartFileField, type CartFileRow, cartFileFields, readCartFile } from './read-file';
import { saveCartItems } from './save-items';

/** The result for a row; only a match is added. */
const rowStates = [
  'match',
  'several',
  'not_on_sale',
  'above_max_price',
  'already_linked',
  'blocked',
  'invalid',
] as const;

const rowResponse = z.object({
  row: z.int().describe('From 1 for the first row of data.'),
  state: z.enum(rowStates),
  siteId: z.int().optional(),
  message: z.string().optional(),
});
type RowResult = z.output<typeof rowResponse>;

/** The response of POST /api/user/carts/{id}/import. */
export const cartImportResponse = z
  .object({
    rows: z.array(rowResponse),
    added: z.int().describe('The number of sites that were added; 0 with `dryRun=1`.'),
    ...mappingFields,
  })
  .meta({ title: 'CartImport' });

export type CartImportInput = { file: Readable; choices: ReadonlyMap<number, CartFileField | null> };

/**
 * Adds the sites of a CSV file with their briefs to a cart of the actor, at its end. A site that the cart has keeps its
 * place and gets the brief of the file. Blocked sites and those that link to the project are left out.
 * @param isDryRun changes nothing
 * @throws AppError not_found, invalid_input for a file without rows, too_large; conflict if the cart keeps changing
 */
export async function importCart(
  actor: Actor,
  cartId: string,
  { file, choices }: CartImportInput,
  isDryRun: boolean,
): Promise<z.output<typeof cartImportResponse>> {
  const read = await readCartFile(file, choices);
  const columns = read.headers.map((header, index) => ({
    index,
    header,
    sample: read.samples[index] ?? '',
    field: read.fields[index] ?? null,
  }));
  const facts = { columns, fields: cartFileFields };
  for (let attempt = 0; ; attempt += 1) {
    const cart = await getCart(actor, cartId);
    const { rows, briefs } = await matchRows(actor, cart, read);
    if (isDryRun) return { ...facts, rows, added: 0 };
    const kept = cart.items.map(({ siteId, brief }) => ({ siteId, brief: briefs.get(siteId) ?? brief }));
    const added = [...briefs].filter(([siteId]) => !cart.items.some((item) => item.siteId === siteId));
    try {
      if (briefs.size > 0)
        await saveCartItems(actor, cartId, {
          items: [...kept, ...added.map(([siteId, brief]) => ({ siteId, brief }))],
          version: cart.version,
        });
      return { ...facts, rows, added: added.length };
    } catch (thrown) {
      // Another tab changed the cart meanwhile: match again.
      if (!(thrown instanceof AppError) || thrown.code !== 'conflict' || attempt === 2) throw thrown;
    }
  }
}

/** Formats the rows of a file that an import would not add, with the reason, as a CSV file that can be imported again. */
export async function formatRejectedRows(
  actor: Actor,
  cartId: string,
  { file, choices }: CartImportInput,
): Promise<string> {
  const read = await readCartFile(file, choices);
  const { rows } = await matchRows(actor, await getCart(actor, cartId), read);
  const results = new Map(rows.map((result) => [result.row, result]));
  const lines = read.rows.flatMap(({ row, cells }) => {
    const result = results.get(row);
    if (!result || result.state === 'match') return [];
    return csvLine([...read.headers.map((_, index) => cells[index] ?? ''), row, result.message ?? result.state]);
  });
  // The byte order mark marks the file as UTF-8 for spreadsheets.
  return `\uFEFF${csvLine([...read.headers, 'Import row', 'Import reason'])}${lines.join('')}`;
}

type ListedSite = { id: number; url: string; urlKey: string; domain: string; priceCents: number };
type Context = {
  listed: readonly ListedSite[];
  linked: ReadonlyMap<string, NonNullable<Linked>>;
  blocked: ReadonlySet<string>;
};

/** Matches the rows with the catalog. @returns what becomes of each, and the briefs of the matches by site */
async function matchRows(
  actor: Actor,
  cart: Cart,
  { rows, fields }: CartFile,
): Promise<{ rows: RowResult[]; briefs: Map<number, CartBriefInput> }> {
  if (!fields.includes('site')) {
    const message = 'No column names the site. Choose the column with the domains or the ids of the listings.';
    return { rows: rows.map(({ row }) => ({ row, state: 'invalid', message })), briefs: new Map() };
  }
  const context = await findSites(actor, cart.projectId, rows);
  const briefs = new Map<number, CartBriefInput>();
  const rowOf = new Map<number, number>();
  const inCart = new Set(cart.items.map(({ siteId }) => siteId));
  const results = rows.map((record): RowResult => {
    const { row } = record;
    const found = matchSite(record, context);
    if ('state' in found) return { row, ...found };
    const siteId = found.id;
    const earlier = rowOf.get(siteId);
    if (earlier !== undefined) return { row, siteId, state: 'invalid', message: `Row ${earlier} has the same site.` };
    const refusal = refuseSite(record, found, context);
    if (refusal) return { row, siteId, ...refusal };
    const brief = parseBrief(record.values);
    if ('problem' in brief) return { row, siteId, state: 'invalid', message: brief.problem };
    if (!inCart.has(siteId) && inCart.size >= maxCartItems)
      return { row, siteId, state: 'invalid', message: `A cart holds at most ${maxCartItems} sites.` };
    rowOf.set(siteId, row);
    briefs.set(siteId, brief.brief);
    const isReplaced = inCart.has(siteId);
    inCart.add(siteId);
    return {
      row,
      siteId,
      state: 'match',
      ...(isReplaced && { message: 'The cart has this site; its brief is replaced.' }),
    };
  });
  return { rows: results, briefs };
}

const listingId = /^#?(\d{1,9})$/;

async function findSites(actor: Actor, projectId: string | null, rows: readonly CartFileRow[]): Promise<Context> {
  const typed = [...new Set(rows.map(({ values }) => values.site ?? ''))];
  const ids = typed.flatMap((text) => listingId.exec(text)?.[1] ?? []).map(Number);
  const domains = typed.flatMap((text) => parseBlockedDomain(text) ?? []);
  const listed = await db()
    .select({
      id: sites.id,
      url: sites.url,
      urlKey: sites.urlKey,
      domain: sites.domain,
      priceCents: sites.publicPriceUsdCents,
    })
    .from(sites)
    .where(and(isListed, or(inArray(sites.id, ids), inArray(sites.domain, domains))));
  const known = [...new Set(listed.map(({ domain }) => domain))];
  const [linked, blocked] = await Promise.all([
    projectId === null ? new Map() : findLinked(projectId, known),
    findBlocked({ accountId: actor.accountId, projectId: projectId ?? undefined }, known),
  ]);
  return { listed: listed.map((site) => ({ ...site, priceCents: site.priceCents ?? 0 })), linked, blocked };
}

/** Finds the listing that a row names by its id, its address or its domain. */
function matchSite(
  { values: { site = '' }, isMalformed }: CartFileRow,
  { listed }: Context,
): ListedSite | Pick<RowResult, 'state' | 'message'> {
  if (isMalformed) return { state: 'invalid', message: 'A quote (") in this row is not doubled.' };
  const id = listingId.exec(site)?.[1];
  const domain = parseBlockedDomain(site);
  if (id === undefined && domain === null)
    return { state: 'invalid', message: 'Enter a domain, e.g. example.com, or the id of a listing.' };
  const candidates = listed.filter((one) => (id === undefined ? one.domain === domain : one.id === Number(id)));
  const urlKey = parseSiteAddress(site)?.urlKey;
  const exact = candidates.filter((one) => one.urlKey === urlKey);
  const [match, ...others] = exact.length === 1 ? exact : candidates;
  if (!match) return { state: 'not_on_sale', message: 'No site on sale has this address.' };
  if (others.length === 0) return match;
  const choices = [match, ...others].slice(0, 5).map((one) => `#${one.id} ${one.url} for ${formatUsd(one.priceCents)}`);
  return { state: 'several', message: `Enter the id of one of these listings: ${choices.join(', ')}.` };
}

const linkedTexts: Record<NonNullable<Linked>, string> = {
  live: 'This site links to the project already.',
  lost: 'This site linked to the project; the link was lost.',
  ordered: 'A link on this site is ordered for the project.',
};

/** Returns why a listing is left out; null for one that is added. */
function refuseSite(
  { values: { maxPrice = '' } }: CartFileRow,
  { domain, priceCents }: ListedSite,
  { linked, blocked }: Context,
): Pick<RowResult, 'state' | 'message'> | null {
  if (blocked.has(domain)) return { state: 'blocked', message: 'You block this domain.' };
  const link = linked.get(domain);
  if (link) return { state: 'already_linked', message: linkedTexts[link] };
  if (maxPrice === '') return null;
  const limit = parsePrice(maxPrice, 'unknown');
  if ('reason' in limit) return { state: 'invalid', message: `Max price: ${limit.reason}` };
  if (limit.currency !== null && limit.currency !== 'USD')
    return { state: 'invalid', message: 'Max price: Enter an amount in USD.' };
  if (priceCents <= limit.cents) return null;
  return { state: 'above_max_price', message: `It costs ${formatUsd(priceCents)}.` };
}

/** Parses the cells of a brief, as people write them. */
function parseBrief(values: CartFileRow['values']): { brief: CartBriefInput } | { problem: string } {
  const { targetUrl = '', anchor = '', rel = '', words = '', notBefore = '', article = '', notes = '' } = values;
  const number = parseWords(words);
  const brief: CartBriefInput = {
    ...(targetUrl !== '' && { targetUrl }),
    ...(anchor !== '' && { anchor }),
    ...(rel !== '' && { rel: parseRel(rel) }),
    ...(words !== '' && { words: /^\d+$/.test(number) ? Number(number) : number }),
    ...(notBefore !== '' && { notBefore: parseDay(notBefore) ?? notBefore }),
    ...(article !== '' && { writer: parseWriter(article) }),
    ...(notes !== '' && { notes }),
  };
  const parsed = saveBriefBody.safeParse(brief);
  if (!parsed.success) return { problem: describeIssue(parsed.error.issues[0]) };
  try {
    requireValidBrief(parsed.data, null);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return { problem: thrown.message };
  }
  return { brief };
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  const name = String(issue?.path[0] ?? '');
  const label = cartFileFields.find(({ field }) => field === (name === 'writer' ? 'article' : name))?.label ?? name;
  return `${label}: ${issue?.message ?? 'Invalid value.'}`;
}
