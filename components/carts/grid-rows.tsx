'use client';

import { memo, type ReactNode } from 'react';
import type { BriefTexts } from '@/components/orders/brief-draft';
import { siteHost } from '@/components/sites/site-text';
import { IconButton } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import type { CartItem } from '@/lib/orders/carts/contract';
import { articleTexts, type BriefColumn, briefColumns, getCellText } from './brief-columns';
import type { CartRow } from './cart-rows';
import { CellEditor } from './cell-editor';
import { type CellNote, isUnavailable, listNotes } from './cell-notes';
import { getCommonText } from './grid-edits';
import { SiteMarks } from './site-marks';

type RowState = {
  row: number;
  /** The active cell of the table, where it is in this row. */
  activeColumn: number | null;
  /** The columns of the selection of several cells, where it has cells of this row. */
  selectedFrom: number | null;
  selectedTo: number | null;
  /** The typed character that began the edit of the active cell, null for another begin; undefined without an edit. */
  editing: string | null | undefined;
  isReadOnly: boolean;
  /** Called when the field of the edited cell loses the focus. */
  onBlur: () => void;
};

/** Renders the row whose cells set all sites. Memoized as the rows of sites. */
export const SameForAllRow = memo(function SameForAllRow({ rows, ...state }: RowState & { rows: readonly CartRow[] }) {
  return (
    <tr className="brief-grid-all" aria-rowindex={2}>
      <th scope="row" {...cellProps(state, 0)}>
        Same for all
      </th>
      {briefColumns.map((column, index) => {
        const text = getCommonText(rows, column.key);
        return (
          <BriefCell
            key={column.key}
            {...{ column, state }}
            index={index + 1}
            rowLabel="same for all"
            text={text ?? ''}
          >
            {text === null ? <span className="text-subtle">Different</span> : text}
          </BriefCell>
        );
      })}
      <td {...cellProps(state, briefColumns.length + 1)} />
      <td {...cellProps(state, briefColumns.length + 2)} />
    </tr>
  );
});

type SiteRowProps = RowState & {
  siteId: number;
  brief: BriefTexts;
  item: CartItem | undefined;
  /** The brief that the server has read. */
  saved: BriefTexts | undefined;
  projectTargetUrl: string;
  /** Why the policy of the account refuses the site. */
  refusals: readonly string[] | undefined;
  onRemove: (siteId: number) => void;
};

/** Renders the row of a site. Memoized: a key that moves the cursor changes two rows of a hundred. */
export const SiteRow = memo(function SiteRow(props: SiteRowProps) {
  const { siteId, brief, saved, item, projectTargetUrl, refusals, onRemove, ...state } = props;
  const notes = listNotes(brief, item, saved);
  const name = item?.name ?? `Site #${siteId}`;
  const defaults: Partial<Record<BriefColumn['key'], string>> = {
    targetUrl: siteHost(projectTargetUrl) || 'Project’s target URL',
    anchor: 'Publisher chooses',
    rel: 'Any',
    words: item ? `${item.words.toLocaleString('en-US')} (usual)` : '',
    notBefore: 'Any day',
    article: articleTexts.seller,
  };
  return (
    <tr aria-rowindex={state.row + 2} className={cn(isUnavailable(item) && 'brief-grid-unavailable')}>
      <th scope="row" {...cellProps(state, 0)}>
        <span className="block truncate font-medium text-ink">{name}</span>
        {item ? (
          <>
            <span className="block truncate font-normal text-muted text-xs">{siteHost(item.url)}</span>
            <span className="mt-0.5 flex flex-wrap gap-1 empty:hidden">
              <SiteMarks {...item} refusals={refusals} />
            </span>
          </>
        ) : null}
      </th>
      {briefColumns.map((column, index) => {
        const text = getCellText(brief, column.key);
        return (
          <BriefCell
            key={column.key}
            {...{ column, state, text }}
            index={index + 1}
            rowLabel={name}
            note={notes.get(column.key)}
          >
            {text || <span className="text-subtle">{defaults[column.key]}</span>}
          </BriefCell>
        );
      })}
      <td {...cellProps(state, briefColumns.length + 1)} className="text-right text-ink">
        {item?.priceCents == null ? '–' : <Money amountMinor={item.priceCents} />}
      </td>
      <td {...cellProps(state, briefColumns.length + 2, true)} className="px-1!">
        {state.isReadOnly ? null : (
          <IconButton
            label={`Remove ${name}`}
            data-cell-widget=""
            tabIndex={state.activeColumn === briefColumns.length + 2 ? 0 : -1}
            onClick={() => onRemove(siteId)}
          >
            <Icon name="x" />
          </IconButton>
        )}
      </td>
    </tr>
  );
});

type BriefCellProps = {
  column: BriefColumn;
  /** The number of the column in the table. */
  index: number;
  rowLabel: string;
  /** The text that an edit begins with. */
  text: string;
  note?: CellNote | undefined;
  state: RowState;
  children: ReactNode;
};

function BriefCell({ column, index, rowLabel, text, note, state, children }: BriefCellProps) {
  const isEditing = state.editing !== undefined && state.activeColumn === index;
  return (
    <td
      {...cellProps(state, index)}
      aria-invalid={note?.tone === 'problem' || undefined}
      data-note={note?.tone}
      data-editing={isEditing || undefined}
    >
      {isEditing ? (
        <CellEditor
          {...{ column, rowLabel }}
          initial={state.editing ?? text}
          isTyped={state.editing !== null}
          onBlur={state.onBlur}
        />
      ) : (
        <span className={cn('block', column.key === 'notes' ? 'line-clamp-2' : 'truncate')}>{children}</span>
      )}
      {note ? <span className="brief-grid-note">{note.message}</span> : null}
    </td>
  );
}

/** The attributes of a cell. @param hasWidget whether a button of the cell receives the focus in its place */
function cellProps(state: RowState, column: number, hasWidget = false) {
  const { row, activeColumn, selectedFrom, selectedTo, isReadOnly } = state;
  const isActive = activeColumn === column;
  const isSelected = selectedFrom !== null && selectedTo !== null && column >= selectedFrom && column <= selectedTo;
  return {
    role: column === 0 ? 'rowheader' : 'gridcell',
    'data-cell': `${row}-${column}`,
    'aria-colindex': column + 1,
    'aria-selected': isSelected || (isActive && selectedFrom === null),
    'data-selected': isSelected || undefined,
    tabIndex: hasWidget && !isReadOnly ? undefined : isActive ? 0 : -1,
  };
}
