import { type BriefTexts, emptyBrief } from '@/components/orders/brief-draft';
import type { CartBriefInput, CartItem } from '@/lib/orders/carts/contract';

/** A row of the table: a site and its brief as texts. */
export type CartRow = { siteId: number; brief: BriefTexts };

/** Converts an item of the API to a row. */
export function toRow({
  siteId,
  brief,
  articleFileName,
}: Pick<CartItem, 'siteId' | 'brief' | 'articleFileName'>): CartRow {
  const texts = Object.entries(brief).flatMap(([field, value]) =>
    value === null || value === undefined || value === '' ? [] : [[field, String(value)] as const],
  );
  const given = Object.fromEntries(texts);
  // As in an order, a brief with an article and without a writer is written by the buyer.
  const writer = given.articleId && !given.writer ? { writer: 'buyer' } : {};
  return { siteId, brief: { ...emptyBrief, ...writer, ...given, articleFileName: articleFileName ?? '' } };
}

/** Converts the rows to the items of the API. Defaults are left out; invalid texts are sent, and the server reports them. */
export const toItems = (rows: readonly CartRow[]): { siteId: number; brief: CartBriefInput }[] =>
  rows.map(({ siteId, brief }) => ({ siteId, brief: toCartBrief(brief) }));

const defaults = new Map(Object.entries(emptyBrief));

function toCartBrief({ articleFileName: _, articleId, ...others }: BriefTexts): CartBriefInput {
  // An article does not apply while the publisher writes.
  const texts = { ...others, articleId: others.writer === 'seller' ? '' : articleId };
  const fields = Object.entries(texts).filter(([field, text]) => text !== defaults.get(field));
  return Object.fromEntries(
    fields.map(([field, text]) => [field, field === 'words' && /^\d{1,15}$/.test(text) ? Number(text) : text]),
  );
}

/** The rows with their history, whose steps are lists of rows. */
export type RowHistory = {
  rows: readonly CartRow[];
  past: readonly (readonly CartRow[])[];
  future: readonly (readonly CartRow[])[];
};

const maxSteps = 100;

export const startHistory = (rows: readonly CartRow[]): RowHistory => ({ rows, past: [], future: [] });

/** Records a change, which `undo` takes back. An equal list is no change. */
export const change = (history: RowHistory, rows: readonly CartRow[]): RowHistory =>
  isSame(history.rows, rows) ? history : { rows, past: [...history.past, history.rows].slice(-maxSteps), future: [] };

export function undo({ rows, past, future }: RowHistory): RowHistory {
  const before = past.at(-1);
  return before ? { rows: before, past: past.slice(0, -1), future: [rows, ...future] } : { rows, past, future };
}

export function redo({ rows, past, future }: RowHistory): RowHistory {
  const [next, ...rest] = future;
  return next ? { rows: next, past: [...past, rows], future: rest } : { rows, past, future };
}

/** Checks whether two lists have the same sites with the same briefs in the same order. */
export const isSame = (one: readonly CartRow[], other: readonly CartRow[]): boolean =>
  one === other ||
  (one.length === other.length &&
    one.every((row, index) => {
      const twin = other[index];
      return twin !== undefined && row.siteId === twin.siteId && isSameBrief(row.brief, twin.brief);
    }));

const isSameBrief = (one: BriefTexts, other: BriefTexts) =>
  one === other || briefFields.every((field) => one[field] === other[field]);

const briefFields = [
  'targetUrl',
  'anchor',
  'rel',
  'words',
  'notBefore',
  'writer',
  'articleId',
  'articleFileName',
  'notes',
  'options',
] as const satisfies readonly (keyof BriefTexts)[];

export type Merge = {
  rows: readonly CartRow[];
  /** The sites that were added elsewhere. */
  added: readonly number[];
  /** The rows that were removed elsewhere, with the briefs that they had here. */
  removed: readonly CartRow[];
  /** The sites whose brief was changed here and elsewhere in the same field. The value of this tab is kept. */
  disputed: readonly number[];
};

/**
 * Merges the changes of this tab into a list that was saved elsewhere, field by field.
 * @param base the list that both changed
 */
export function mergeRows(base: readonly CartRow[], mine: readonly CartRow[], theirs: readonly CartRow[]): Merge {
  const find = (rows: readonly CartRow[], siteId: number) => rows.find((row) => row.siteId === siteId);
  const disputed: number[] = [];
  const removed: CartRow[] = [];
  const rows = mine.flatMap((row) => {
    const before = find(base, row.siteId);
    const now = find(theirs, row.siteId);
    if (!now) {
      if (before) removed.push(row);
      return before ? [] : [row];
    }
    if (!before) return [row];
    const own = briefFields.filter((field) => row.brief[field] !== before.brief[field]);
    const isDisputed = own.some(
      (field) => now.brief[field] !== before.brief[field] && now.brief[field] !== row.brief[field],
    );
    if (isDisputed) disputed.push(row.siteId);
    const kept = Object.fromEntries(own.map((field) => [field, row.brief[field]]));
    return [{ siteId: row.siteId, brief: { ...now.brief, ...kept } }];
  });
  // Added elsewhere; or removed here and changed elsewhere, which keeps the row.
  const added = theirs.filter((row) => {
    if (find(mine, row.siteId)) return false;
    const before = find(base, row.siteId);
    return !before || !isSameBrief(before.brief, row.brief);
  });
  return { rows: [...rows, ...added], added: added.map(({ siteId }) => siteId), removed, disputed };
}
