import { z } from 'zod';
import { AppError } from '@/lib/errors';
import type { Currency } from '@/lib/money';
import { findOnlyCurrency } from '@/lib/platform/parse-number';

/** The columns of a file and the fields, in the response of an import. */
export const mappingFields = {
  columns: z
    .array(z.object({ index: z.int(), header: z.string(), sample: z.string(), field: z.string().nullable() }))
    .describe('Every column of the file, with the field it is mapped to.'),
  fields: z
    .array(z.object({ field: z.string(), label: z.string() }))
    .describe('The fields that a column can be mapped to.'),
};

/**
 * Recognized header names of each field, best match first. Headers are compared in lower case by letters and digits,
 * without bracketed text: "Price ($)" is `price`, "Niche/Category" is `nichecategory`.
 */
const headerNames = {
  url: [
    ...['url', 'siteurl', 'websiteurl', 'domainurl', 'weburl', 'sitelink', 'websitelink', 'webadresse'],
    ...['website', 'domain', 'domainname', 'rootdomain', 'site', 'webseite', 'internetseite', 'link'],
  ],
  name: [
    ...['name', 'sitename', 'websitename', 'publication', 'publisher', 'title', 'websitetitle', 'sitetitle', 'titel'],
    ...['seitenname', 'website', 'site', 'domain', 'domainname', 'rootdomain', 'webseite'],
  ],
  niche: [
    ...['niche', 'nichecategory', 'categoryniche', 'category', 'categories', 'niches', 'mainniche', 'primaryniche'],
    ...['maincategory', 'topic', 'topics', 'vertical', 'industry', 'kategorie', 'thema', 'themen', 'nische', 'branche'],
  ],
  postType: ['posttype', 'placement', 'placementtype', 'linkplacement', 'typeofpost', 'type'],
  country: ['country', 'countries', 'geo', 'location', 'targetcountry', 'region', 'land'],
  language: ['language', 'lang', 'languages', 'sitelanguage', 'sprache'],
  followType: [
    ...['followtype', 'follow', 'dofollow', 'linktype', 'linkattribute', 'linkattributes', 'dofollownofollow'],
    ...['link', 'links', 'linkart'],
  ],
  dr: ['dr', 'ahrefsdr', 'drahrefs', 'domainrating', 'ahrefsdomainrating'],
  da: ['da', 'mozda', 'damoz', 'domainauthority', 'mozdomainauthority'],
  authorityScore: ['as', 'authorityscore', 'semrushas', 'semrushauthorityscore', 'assemrush'],
  spam: ['spam', 'ss', 'spamscore', 'mozspamscore', 'mozspam', 'mozss', 'spamwert'],
  traffic: [
    ...['traffic', 'organictraffic', 'monthlytraffic', 'ahrefstraffic', 'semrushtraffic', 'ahrefsorganictraffic'],
    ...['semrushorganictraffic', 'monthlyvisits', 'monthlyvisitors', 'visits', 'visitors', 'besucher'],
  ],
  keywordsCount: ['keywords', 'keywordscount', 'organickeywords', 'ahrefskeywords', 'keywordcount', 'rankingkeywords'],
  refDomains: ['refdomains', 'rd', 'referringdomains', 'ahrefsrd', 'ahrefsreferringdomains', 'domainpop'],
  words: ['words', 'wordcount', 'minwords', 'wordlimit', 'contentlength', 'articlelength', 'wortzahl', 'worter'],
  tat: [
    ...['tat', 'turnaround', 'turnaroundtime', 'delivery', 'deliverytime', 'deliverydays', 'lieferzeit'],
    ...['bearbeitungszeit', 'tatdays', 'days', 'turnarounddays'],
  ],
  samplePosts: [
    ...['sampleposts', 'samplepost', 'samplelinks', 'samplelink', 'sampleurls', 'sampleurl', 'sampleguestposts'],
    ...['exampleposts', 'examplepost', 'examplelinks', 'beispiele', 'beispielbeitrage'],
  ],
  rules: ['rules', 'guidelines', 'contentguidelines', 'postingguidelines', 'requirements', 'richtlinien', 'regeln'],
  sellerPrice: [
    ...['baseprice', 'sellerprice', 'yourprice', 'price', 'cost', 'guestpostprice', 'postprice', 'rate'],
    ...['fee', 'gpprice', 'buyingprice', 'netprice', 'preis', 'grundpreis', 'nettopreis'],
  ],
  adminPrice: ['adminprice', 'marginprice'],
  publicPrice: [
    ...['publicprice', 'sellingprice', 'sellprice', 'saleprice', 'salesprice', 'customerprice', 'clientprice'],
    ...['retailprice', 'verkaufspreis'],
  ],
  currency: ['currency', 'pricecurrency', 'publiccurrency', 'wahrung'],
  status: ['status', 'approvalstatus', 'reviewstatus'],
  id: ['id', 'siteid', 'listingid'],
  version: ['version', 'siteversion'],
} as const satisfies Record<string, readonly string[]>;

export type ImportField = keyof typeof headerNames;

/** Fields that only staff may set. A seller's file cannot set them. */
const staffFields: readonly ImportField[] = ['adminPrice', 'publicPrice', 'status'];
/** Fields by which a file of edits finds its sites. */
const editFields: readonly ImportField[] = ['id', 'version'];

export type ImportColumn = {
  index: number;
  /** The header as spelled in the file. */
  header: string;
  /** The currency named in the header: "Price (EUR)". */
  currency: Currency | null;
};
export type HeaderMap = {
  columns: Partial<Record<ImportField, ImportColumn>>;
  /** Headers that match no field, in the order of the file. */
  unknownHeaders: string[];
};
/** The uploader's role; only staff may set prices and status. */
export type ImportAudience = 'staff' | 'seller';
/** What a file contains: new sites, or a seller's edits of own sites. */
export type FileKind = ImportAudience | 'edits';

/** Checks whether a file of a kind can have a field. */
export const hasField = (kind: FileKind, field: ImportField): boolean =>
  !(kind !== 'staff' && staffFields.includes(field)) && !(kind !== 'edits' && editFields.includes(field));

type FieldNames = [field: ImportField, names: readonly string[]];

export const isField = (name: string): name is ImportField => Object.hasOwn(headerNames, name);
const fields = Object.entries(headerNames).flatMap<FieldNames>(([field, names]) =>
  isField(field) ? [[field, names]] : [],
);
const urlNames: ReadonlySet<string> = new Set(headerNames.url);
const idNames: ReadonlySet<string> = new Set(headerNames.id);
/** Columns that the report of rejected rows adds; ignored when the corrected report is imported. */
const reportNames: ReadonlySet<string> = new Set(['importrow', 'importcolumn', 'importreason']);

/**
 * Maps each column to a field. A field takes the column with its best matching name, a column serves one field, and the
 * URL is assigned first: "Website" is the URL if no other column matches, and the name beside a "Site URL".
 * @returns null if no column matches the URL, or the id in a file of edits, so the row is not a header
 */
export function mapHeader(cells: readonly string[], kind: FileKind): HeaderMap | null {
  const isKey = (name: string) => urlNames.has(name) || (kind === 'edits' && idNames.has(name));
  // A cheap check first: in a file without a header, every leading row is tried.
  const hasKey = cells.length <= maxColumns && cells.some((cell) => isKey(normalizeHeaderKey(cell)));
  return hasKey ? mapColumns(cells, kind) : null;
}

/**
 * Maps columns as `mapHeader` does, also for a header without a URL. The user's choices take precedence over names.
 * @throws AppError invalid_input for a choice that is not available for this file or audience
 */
export function mapColumns(cells: readonly string[], kind: FileKind, choices: ColumnChoices = noChoices): HeaderMap {
  const names = cells.map(normalizeHeaderKey);
  const columns: HeaderMap['columns'] = {};
  const claimed = new Set<number>();
  const assign = (field: ImportField, index: number) => {
    const header = normalizeHeaderText(cells[index] ?? '');
    columns[field] = { index, header, currency: findOnlyCurrency(header) };
    claimed.add(index);
  };
  for (const [index, field] of choices) {
    if (index >= cells.length || (field && !hasField(kind, field))) throw invalidChoiceError();
    if (field) assign(field, index);
  }
  for (const [field, known] of fields) {
    if (columns[field] || !hasField(kind, field)) continue;
    const index = known
      .map((name) => names.findIndex((key, at) => key === name && !claimed.has(at) && !choices.has(at)))
      .find((at) => at >= 0);
    if (index !== undefined) assign(field, index);
  }
  const unknownHeaders = cells
    .map(normalizeHeaderText)
    .filter((header, at) => header !== '' && !claimed.has(at) && !reportNames.has(names[at] ?? ''));
  return { columns, unknownHeaders };
}

const normalizeHeaderText = (cell: string) => cell.trim().slice(0, maxHeaderLength);

function invalidChoiceError(): AppError {
  const message = 'The chosen columns do not match this file. Check it again.';
  return new AppError('invalid_input', message, { fields: { columns: message } });
}

/** Longer cells are treated as prose, not as headers. */
const maxHeaderLength = 100;
export const maxColumns = 500;

/** Normalizes a header: lower-case letters and digits, without accents, bracketed text and a trailing currency. */
function normalizeHeaderKey(header: string): string {
  return header
    .slice(0, maxHeaderLength)
    .normalize('NFKD')
    .replace(/[([{].*?[)\]}]/gs, ' ')
    .replace(/[\s/_-]+(?:in\s+)?(?:usd|eur|gbp|aud|cad|inr)\s*$/i, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The user's choice of a field for each column, by zero-based index; null ignores the column. */
export type ColumnChoices = ReadonlyMap<number, ImportField | null>;

export const noChoices: ColumnChoices = new Map();

/** Creates the field that parses column choices from a URL: `columns=3:dr,7:none`. Each column and field occurs once. */
export const createColumnChoices = <Field extends string>(isKnown: (name: string) => name is Field) =>
  z
    .string()
    .max(10_000)
    .transform((text, context): ReadonlyMap<number, Field | null> => {
      const choices = new Map<number, Field | null>();
      const fields = new Set<string>();
      for (const part of text === '' ? [] : text.split(',')) {
        const [, place = '', field = ''] = /^(\d{1,3}):(\w+)$/.exec(part) ?? [];
        const isValid = field === 'none' || isKnown(field);
        if (place === '' || !isValid || choices.has(Number(place)) || (field !== 'none' && fields.has(field))) {
          context.addIssue({ code: 'custom', message: 'Use each column and each field once, e.g. 3:dr,7:none.' });
          return z.NEVER;
        }
        choices.set(Number(place), isKnown(field) ? field : null);
        fields.add(field);
      }
      return choices;
    });

export const columnChoices = createColumnChoices(isField);
