'use client';

import { type ReactNode, useSyncExternalStore } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/controls';

/** The ids of the selected rows of a list. They are kept in memory across pages and filters, and are lost on reload. */
export type RowSelection<Id> = {
  subscribe: (listener: () => void) => () => void;
  read: () => readonly Id[];
  write: (ids: readonly Id[]) => void;
};

export function createRowSelection<Id>(): RowSelection<Id> {
  let selected: readonly Id[] = [];
  const listeners = new Set<() => void>();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: () => selected,
    write: (ids) => {
      selected = ids;
      for (const listener of listeners) listener();
    },
  };
}

const none: readonly never[] = [];

/** Returns the selected ids, which cause a new rendering when they change. */
export const useSelectedIds = <Id,>({ subscribe, read }: RowSelection<Id>): readonly Id[] =>
  useSyncExternalStore(subscribe, read, () => none);

type RowCheckboxProps<Id> = { selection: RowSelection<Id>; id: Id; label: string };

export function RowCheckbox<Id>({ selection, id, label }: RowCheckboxProps<Id>) {
  const selected = useSelectedIds(selection);
  return (
    <Checkbox
      aria-label={label}
      checked={selected.includes(id)}
      onChange={(event) =>
        selection.write(event.target.checked ? [...selected, id] : selected.filter((other) => other !== id))
      }
    />
  );
}

type PageCheckboxProps<Id> = { selection: RowSelection<Id>; ids: readonly Id[]; label: string };

/** Selects all rows of the page. */
export function PageCheckbox<Id>({ selection, ids, label }: PageCheckboxProps<Id>) {
  const selected = useSelectedIds(selection);
  const all = ids.every((id) => selected.includes(id));
  return (
    <Checkbox
      aria-label={label}
      checked={all && ids.length > 0}
      onChange={() =>
        selection.write(all ? selected.filter((id) => !ids.includes(id)) : [...new Set([...selected, ...ids])])
      }
    />
  );
}

type SelectionBarProps = {
  /** The number of selected rows with its noun: "3 sites". */
  count: string;
  onClear: () => void;
  /** The actions for the selected rows. */
  children: ReactNode;
};

/** Renders the actions for the selected rows, at the bottom of the screen. */
export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  return (
    <section
      aria-label="Selection"
      data-bottom-bar=""
      className="sticky bottom-3 z-20 mt-3 flex flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-overlay px-4 py-3 shadow-overlay"
    >
      <p aria-live="polite" className="mr-auto font-medium text-ink text-sm">
        {count} selected
      </p>
      <Button size="sm" variant="ghost" onClick={onClear}>
        Clear
      </Button>
      {children}
    </section>
  );
}
