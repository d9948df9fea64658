import type { KeyboardEvent } from 'react';

/** A cell: row 0 is "Same for all", the sites follow; column 0 is the site. */
export type Cell = { row: number; column: number };

/** The number of the last row and column. */
export type GridSize = { lastRow: number; lastColumn: number };

/** The command of a key while no cell is edited. */
export type GridCommand =
  | { kind: 'move'; to: Cell; extends: boolean }
  | { kind: 'edit'; typed: string | null }
  | { kind: 'fillDown' | 'clear' | 'undo' | 'redo' | 'selectAll' | 'collapse' };

const steps: Readonly<Record<string, Cell>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

const pageRows = 10;

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Returns the command of a key; null for a key that belongs to the page. Follows the grid pattern of WAI-ARIA. */
export function findCommand(event: Key, at: Cell, size: GridSize): GridCommand | null {
  const { key, shiftKey, altKey } = event;
  const isControl = event.ctrlKey || event.metaKey;
  if (altKey) return null;
  const step = steps[key];
  if (step) return { kind: 'move', to: moveBy(at, step, size, isControl), extends: shiftKey };
  if (key === 'Home' || key === 'End') {
    const isEnd = key === 'End';
    const row = isControl ? (isEnd ? size.lastRow : 0) : at.row;
    return { kind: 'move', to: { row, column: isEnd ? size.lastColumn : 0 }, extends: shiftKey };
  }
  if (key === 'PageDown' || key === 'PageUp') {
    const rows = key === 'PageDown' ? pageRows : -pageRows;
    return { kind: 'move', to: moveBy(at, { row: rows, column: 0 }, size, false), extends: shiftKey };
  }
  if (isControl) return findControlCommand(key.toLowerCase(), shiftKey);
  if (key === 'Enter' || key === 'F2') return { kind: 'edit', typed: null };
  if (key === 'Delete' || key === 'Backspace') return { kind: 'clear' };
  if (key === 'Escape') return { kind: 'collapse' };
  return [...key].length === 1 ? { kind: 'edit', typed: key } : null;
}

function findControlCommand(key: string, isShift: boolean): GridCommand | null {
  if (key === 'z') return { kind: isShift ? 'redo' : 'undo' };
  if (isShift) return null;
  if (key === 'y') return { kind: 'redo' };
  if (key === 'd') return { kind: 'fillDown' };
  return key === 'a' ? { kind: 'selectAll' } : null;
}

/** Moves by a step, or with Ctrl to the edge, within the table. */
function moveBy({ row, column }: Cell, step: Cell, { lastRow, lastColumn }: GridSize, toEdge: boolean): Cell {
  const clamp = (value: number, last: number) => Math.min(Math.max(value, 0), last);
  const far = toEdge ? Math.max(lastRow, lastColumn) + 1 : 1;
  return { row: clamp(row + step.row * far, lastRow), column: clamp(column + step.column * far, lastColumn) };
}

/** Returns the next cell in reading order; null after the last and before the first. */
export function nextCell({ row, column }: Cell, back: boolean, { lastRow, lastColumn }: GridSize): Cell | null {
  const index = row * (lastColumn + 1) + column + (back ? -1 : 1);
  if (index < 0 || index > lastRow * (lastColumn + 1) + lastColumn) return null;
  return { row: Math.floor(index / (lastColumn + 1)), column: index % (lastColumn + 1) };
}

/** The cells between two corners; both ends are included. */
export const rangeOf = (one: Cell, other: Cell) => ({
  top: Math.min(one.row, other.row),
  bottom: Math.max(one.row, other.row),
  left: Math.min(one.column, other.column),
  right: Math.max(one.column, other.column),
});
