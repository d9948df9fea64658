'use client';

import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import './brief-grid.css';
import type { Outlook } from '@/components/orders/outlook';
import { useStableCallback } from '@/components/ui/use-stable-callback';
import { briefColumns, getCellText } from './brief-columns';
import type { CartSnapshot } from './cart-editor';
import type { CartRow } from './cart-rows';
import type { CellElement } from './cell-editor';
import { formatClipboardTable, parseClipboardTable } from './clipboard-table';
import { briefColumnAt, describePaste, fillDown, getCommonText, getTexts, pasteBlock, setRange } from './grid-edits';
import { type Cell, findCommand, nextCell, rangeOf } from './grid-keys';
import { SameForAllRow, SiteRow } from './grid-rows';

/** The columns of the table: the site, its brief, its price, and the button that removes it. */
const lastColumn = briefColumns.length + 2;

export type BriefGridProps = {
  snapshot: CartSnapshot;
  /** The default of the target URL. */
  projectTargetUrl: string;
  /** Without the keys, fields and buttons that change the cart. */
  isReadOnly: boolean;
  /** Why the policy of the account refuses sites, by their ids. */
  refusals: Outlook['sites'] | undefined;
  onChange: (rows: readonly CartRow[]) => void;
  onUndo: () => void;
  onRedo: () => void;
  /** Opens the dialog of an article; null for all sites. */
  onArticle: (siteId: number | null) => void;
  /** Tells what a paste did. */
  onPasted: (result: { text: string; isPartial: boolean }) => void;
  /** Receives the function that focuses a cell. */
  focusCell: RefObject<((cell: Cell) => void) | null>;
};

/** A cell that is being edited. `typed` is the character that began the edit. */
type Edit = { typed: string | null };

/**
 * Renders the briefs of a cart as a table that is edited as in a spreadsheet, by the grid pattern of WAI-ARIA: one cell
 * is in the tab order, and the arrow keys move between the cells.
 */
export function BriefGrid(props: BriefGridProps) {
  const { snapshot, isReadOnly, onChange, onArticle, onPasted, focusCell } = props;
  const { rows } = snapshot.history;
  const saved = useMemo(() => new Map(snapshot.saved.map(({ siteId, brief }) => [siteId, brief])), [snapshot.saved]);
  const table = useRef<HTMLTableElement>(null);
  const [cursor, setActive] = useState<Cell>({ row: 1, column: 1 });
  const [corner, setCorner] = useState<Cell>(cursor);
  const [edit, setEdit] = useState<Edit | null>(null);
  const wantsFocus = useRef(false);
  /** Tab moves on while values are typed one after the other; otherwise it leaves the table. */
  const isTabbing = useRef(false);
  const size = { lastRow: rows.length, lastColumn };
  const active = { row: Math.min(cursor.row, rows.length), column: cursor.column };
  const range = rangeOf(active, { row: Math.min(corner.row, rows.length), column: corner.column });

  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    findCell(table.current, active)?.focus();
  });

  const goTo = (to: Cell, extend = false) => {
    wantsFocus.current = true;
    setEdit(null);
    setActive(to);
    if (!extend) setCorner(to);
  };
  useLayoutEffect(() => {
    focusCell.current = goTo;
  });

  const startEdit = (at: Cell, typed: string | null) => {
    const column = briefColumnAt(at.column);
    if (isReadOnly || !column) return;
    setCorner(at);
    if (column.key === 'article') onArticle(rows[at.row - 1]?.siteId ?? null);
    else setEdit({ typed });
  };

  /** Takes the text of the edited cell. */
  const commit = (field: CellElement) => {
    const column = briefColumnAt(active.column);
    if (!edit || !column) return;
    setEdit(null);
    const before = getText(rows, active);
    // Unchanged, the cell "Same for all" keeps different texts.
    if (edit.typed === null && field.value === (before ?? '')) return;
    onChange(setRange(rows, rangeOf(active, active), field.value));
  };

  const commitOpen = () => {
    const field = table.current?.querySelector<CellElement>('[data-cell-editor]');
    if (field) commit(field);
  };

  const handleEditKey = (event: KeyboardEvent, field: CellElement) => {
    const { key, shiftKey } = event;
    // Enter and the arrows choose in the list of an input method.
    if (event.nativeEvent.isComposing) return;
    if (key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      goTo(active);
    } else if (key === 'Enter' && event.altKey && field instanceof HTMLTextAreaElement) {
      event.preventDefault();
      field.setRangeText('\n', field.selectionStart, field.selectionEnd, 'end');
    } else if (field instanceof HTMLSelectElement && chooseByKey(field, key)) {
      event.preventDefault();
    } else if (key === 'Enter' && !event.altKey) {
      event.preventDefault();
      commit(field);
      const row = active.row + (shiftKey ? -1 : 1);
      goTo({ row: Math.min(Math.max(row, 0), rows.length), column: active.column });
    } else if (key === 'Tab') {
      const next = nextCell(active, shiftKey, size);
      commit(field);
      if (!next) return;
      event.preventDefault();
      isTabbing.current = true;
      goTo(next);
    }
  };

  const handleKey = (event: KeyboardEvent<HTMLTableElement>) => {
    const field = editorOf(event.target);
    if (field) return handleEditKey(event, field);
    const isButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
    if (event.key === 'Tab') {
      const next = isTabbing.current ? nextCell(active, event.shiftKey, size) : null;
      if (!next) return;
      event.preventDefault();
      return goTo(next);
    }
    if (!['Shift', 'Control', 'Meta', 'Alt'].includes(event.key)) isTabbing.current = false;
    const command = findCommand(event, active, size);
    if (!command || (isButton && command.kind === 'edit')) return;
    if (command.kind === 'move') {
      event.preventDefault();
      return goTo(command.to, command.extends);
    }
    if (command.kind === 'collapse') return setCorner(active);
    if (command.kind === 'selectAll') {
      event.preventDefault();
      setCorner({ row: 1, column: 1 });
      wantsFocus.current = true;
      return setActive({ row: rows.length, column: briefColumns.length });
    }
    if (isReadOnly) return;
    event.preventDefault();
    if (command.kind === 'edit') startEdit(active, command.typed);
    if (command.kind === 'clear') onChange(setRange(rows, range, ''));
    if (command.kind === 'fillDown') onChange(fillDown(rows, range));
    if (command.kind === 'undo') props.onUndo();
    if (command.kind === 'redo') props.onRedo();
  };

  const handleMouse = (event: MouseEvent<HTMLTableElement>) => {
    const to = cellAt(event.target);
    if (!to || editorOf(event.target) || event.button !== 0) return;
    isTabbing.current = false;
    commitOpen();
    if (event.shiftKey) event.preventDefault();
    if (!(event.target instanceof Element && event.target.closest('a, button'))) goTo(to, event.shiftKey);
  };

  const handleDrag = (event: MouseEvent<HTMLTableElement>) => {
    const to = event.buttons === 1 && !edit ? cellAt(event.target) : null;
    if (!to || (to.row === active.row && to.column === active.column)) return;
    if (!table.current?.contains(document.activeElement)) return;
    event.preventDefault();
    goTo(to, true);
  };

  const listSites = () =>
    rows.map(({ siteId }) => snapshot.items.get(siteId) ?? { siteId, name: `Site #${siteId}`, url: '' });

  const copy = (event: ClipboardEvent) => {
    if (editorOf(event.target)) return false;
    event.clipboardData.setData('text/plain', formatClipboardTable(getTexts(rows, listSites(), range)));
    event.preventDefault();
    return true;
  };

  const paste = (event: ClipboardEvent) => {
    if (editorOf(event.target) || isReadOnly) return;
    const block = parseClipboardTable(event.clipboardData.getData('text/plain'));
    event.preventDefault();
    if (block.length === 0) return;
    const pasted = pasteBlock(rows, listSites(), block, range);
    onChange(pasted.rows);
    onPasted(describePaste(pasted.plan));
  };

  const onBlur = useStableCallback(commitOpen);
  const onRemove = useStableCallback((siteId: number) => {
    const index = rows.findIndex((row) => row.siteId === siteId);
    onChange(rows.filter((row) => row.siteId !== siteId));
    goTo({ row: Math.min(index + 1, rows.length - 1), column: active.column });
  });

  /** The state of a row's cells, as far as it has the active or a selected one. */
  const rowState = (row: number) => {
    const isSelected = row >= range.top && row <= range.bottom && !isSingle(range);
    return {
      row,
      activeColumn: active.row === row ? active.column : null,
      selectedFrom: isSelected ? range.left : null,
      selectedTo: isSelected ? range.right : null,
      editing: edit && active.row === row ? edit.typed : undefined,
      isReadOnly,
      onBlur,
    };
  };

  return (
    <div className="brief-grid-frame">
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that is edited by keys is a grid.
        role="grid"
        aria-label="Briefs"
        aria-describedby="brief-grid-keys"
        aria-multiselectable="true"
        aria-readonly={isReadOnly || undefined}
        aria-rowcount={rows.length + 2}
        aria-colcount={lastColumn + 1}
        className="brief-grid"
        onKeyDown={handleKey}
        onMouseDown={handleMouse}
        onFocus={(event) => {
          // Also by a screen reader, or by the button of a cell.
          const at = editorOf(event.target) ? null : cellAt(event.target);
          if (!at || (at.row === active.row && at.column === active.column)) return;
          setActive(at);
          setCorner(at);
        }}
        onMouseMove={handleDrag}
        onDoubleClick={(event) => {
          const at = editorOf(event.target) ? null : cellAt(event.target);
          if (at) startEdit(at, null);
        }}
        onCopy={copy}
        onCut={(event) => {
          if (!isReadOnly && copy(event)) onChange(setRange(rows, range, ''));
        }}
        onPaste={paste}
      >
        <colgroup>
          <col className="w-52" />
          {briefColumns.map(({ key, width }) => (
            <col key={key} style={{ width }} />
          ))}
          <col className="w-22" />
          <col className="w-11" />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Site</th>
            {briefColumns.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
            <th scope="col" className="text-right!">
              Price
            </th>
            <th scope="col">
              <span className="sr-only">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {isReadOnly ? null : <SameForAllRow rows={rows} {...rowState(0)} />}
          {rows.map((row, index) => (
            <SiteRow
              key={row.siteId}
              brief={row.brief}
              item={snapshot.items.get(row.siteId)}
              siteId={row.siteId}
              saved={saved.get(row.siteId)}
              projectTargetUrl={props.projectTargetUrl}
              refusals={props.refusals?.[row.siteId]}
              onRemove={onRemove}
              {...rowState(index + 1)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const isSingle = ({ top, bottom, left, right }: ReturnType<typeof rangeOf>) => top === bottom && left === right;

/** Returns the text of a cell; null for "Same for all" where the sites differ. */
function getText(rows: readonly CartRow[], { row, column }: Cell): string | null {
  const key = briefColumnAt(column)?.key;
  if (!key) return '';
  const brief = rows[row - 1]?.brief;
  return brief ? getCellText(brief, key) : getCommonText(rows, key);
}

/**
 * Chooses an option by an arrow or its first letter. Browsers differ: some open the list instead, and then take Enter.
 * @returns whether the key is one of these
 */
function chooseByKey(select: HTMLSelectElement, key: string): boolean {
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  const isLetter = /^\p{L}$/u.test(key);
  if (step !== 0) select.selectedIndex = Math.min(Math.max(select.selectedIndex + step, 0), select.options.length - 1);
  const named = [...select.options].findIndex(({ text }) => text.toLowerCase().startsWith(key.toLowerCase()));
  if (isLetter && named >= 0) select.selectedIndex = named;
  return step !== 0 || isLetter;
}

/** Finds the element of a cell that receives the focus: its button, or the cell itself. */
function findCell(table: HTMLTableElement | null, { row, column }: Cell): HTMLElement | null {
  const cell = table?.querySelector<HTMLElement>(`[data-cell="${row}-${column}"]`);
  return cell?.querySelector<HTMLElement>('[data-cell-widget]') ?? cell ?? null;
}

function cellAt(target: EventTarget): Cell | null {
  const name = target instanceof Element ? target.closest<HTMLElement>('[data-cell]')?.dataset.cell : undefined;
  const [row, column] = name?.split('-').map(Number) ?? [];
  return row === undefined || column === undefined ? null : { row, column };
}

const editorOf = (target: EventTarget): CellElement | null =>
  (target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement) &&
  target.dataset.cellEditor !== undefined
    ? target
    : null;
