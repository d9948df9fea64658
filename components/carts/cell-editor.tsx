'use client';

import { type Ref, useEffect, useRef } from 'react';
import { emptyBrief } from '@/components/orders/brief-draft';
import { relOptions } from '@/components/orders/brief-fields';
import { type BriefColumn, getCellText, setCellText } from './brief-columns';

export type CellElement = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

type CellEditorProps = {
  column: BriefColumn;
  /** The name of the row, for screen readers. */
  rowLabel: string;
  /** The text when the edit begins. */
  initial: string;
  /** Whether the edit began with a typed character, which replaces the text. */
  isTyped: boolean;
  onBlur: () => void;
};

/** Renders the field of a cell while it is edited. The table reads its value and handles its keys. */
export function CellEditor({ column, rowLabel, initial, isTyped, onBlur }: CellEditorProps) {
  const field = useRef<CellElement>(null);
  useEffect(() => {
    const element = field.current;
    element?.focus();
    if (element instanceof HTMLInputElement && !isTyped) element.select();
    if (element instanceof HTMLTextAreaElement) element.setSelectionRange(element.value.length, element.value.length);
  }, [isTyped]);
  const common = {
    'aria-label': `${column.label}, ${rowLabel}`,
    'data-cell-editor': '',
    defaultValue: initial,
    onBlur,
    className: 'cell-editor',
  };
  const ref = (element: CellElement | null) => {
    field.current = element;
  };
  if (column.key === 'rel') return <RelEditor {...common} selectRef={ref} initial={initial} isTyped={isTyped} />;
  if (column.key === 'notes')
    return <textarea {...common} ref={ref} rows={4} className="cell-editor cell-editor-tall" />;
  const isDate = column.key === 'notBefore' && !isTyped && /^(\d{4}-\d{2}-\d{2})?$/.test(initial);
  return (
    <input
      {...common}
      ref={ref}
      type={isDate ? 'date' : 'text'}
      inputMode={column.key === 'words' ? 'numeric' : undefined}
      placeholder={column.key === 'notBefore' ? 'YYYY-MM-DD' : undefined}
      autoComplete="off"
    />
  );
}

type RelEditorProps = {
  selectRef: Ref<HTMLSelectElement>;
  initial: string;
  isTyped: boolean;
  onBlur: () => void;
  className: string;
  'aria-label': string;
  defaultValue: string;
};

/** Renders the choice of the link attribute, with a pasted text that is none of them. */
function RelEditor({ selectRef, initial, isTyped, defaultValue: _, ...rest }: RelEditorProps) {
  const typed = relOptions.find(({ label }) => label.toLowerCase().startsWith(initial.toLowerCase()));
  const current = setCellText(emptyBrief, 'rel', initial).rel;
  const isKnown = relOptions.some(({ value }) => value === current);
  return (
    <select {...rest} ref={selectRef} defaultValue={isTyped ? (typed?.value ?? 'any') : current}>
      {isTyped || isKnown ? null : (
        <option value={current}>{getCellText({ ...emptyBrief, rel: current }, 'rel')}</option>
      )}
      {relOptions.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
