import type { BriefTexts } from '@/components/orders/brief-draft';
import type { CartItem } from '@/lib/orders/carts/contract';
import { type BriefColumn, briefColumns, getCellText } from './brief-columns';
import type { CartSnapshot } from './cart-editor';

/** A note of the server on a cell. */
export type CellNote = { tone: 'problem' | 'warning'; message: string };

type RowNotes = ReadonlyMap<string, CellNote>;

/**
 * Returns the notes of a brief by column. A cell that was edited since has none: the server has not read it yet.
 * @param saved the brief that the server has read
 */
export function listNotes(brief: BriefTexts, item: CartItem | undefined, saved: BriefTexts | undefined): RowNotes {
  const notes = new Map<string, CellNote>();
  if (!item || !saved) return notes;
  for (const column of briefColumns) {
    const isRead = getCellText(brief, column.key) === getCellText(saved, column.key);
    const note = isRead ? findNote(item, column) : undefined;
    if (note) notes.set(column.key, note);
  }
  return notes;
}

function findNote({ problems, warnings }: CartItem, { fields }: BriefColumn): CellNote | undefined {
  const isHere = ({ field }: { field: string }) => fields.includes(field);
  const problem = problems.find(isHere);
  if (problem) return { tone: 'problem', message: problem.message };
  const warning = warnings.find(isHere);
  return warning && { tone: 'warning', message: warning.message };
}

/** Lists the notes of all rows by site. */
export function listAllNotes({ history, items, saved }: CartSnapshot): ReadonlyMap<number, RowNotes> {
  const read = new Map(saved.map(({ siteId, brief }) => [siteId, brief]));
  return new Map(
    history.rows.map((row) => [row.siteId, listNotes(row.brief, items.get(row.siteId), read.get(row.siteId))]),
  );
}

/** Checks whether a site cannot be ordered now. */
export const isUnavailable = (item: CartItem | undefined): boolean =>
  item?.state === 'not_on_sale' || item?.state === 'paused';
