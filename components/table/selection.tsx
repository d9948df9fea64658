'use client';

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { Checkbox } from '../ui/checkbox';

type Selection = {
  ids: ReadonlySet<string>;
  set: (ids: readonly string[], selected: boolean) => void;
  clear: () => void;
};

const SelectionContext = createContext<Selection | null>(null);

/**
 * Holds which rows are ticked, over pages and filters, as long as the screen stands. Put it around the table and its
 * bar; rows stay server-rendered and only carry a SelectRow.
 */
export function SelectionProvider({ children }: { children: ReactNode }) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const selection = useMemo<Selection>(
    () => ({
      ids,
      set: (changed, selected) =>
        setIds((before) => {
          const after = new Set(before);
          for (const id of changed) {
            if (selected) after.add(id);
            else after.delete(id);
          }
          return after;
        }),
      clear: () => setIds(new Set()),
    }),
    [ids],
  );
  return <SelectionContext value={selection}>{children}</SelectionContext>;
}

export function useSelection(): Selection {
  const selection = useContext(SelectionContext);
  if (!selection) throw new Error('useSelection stands outside a SelectionProvider');
  return selection;
}

/** The checkbox of one row; `label` names the row. */
export function SelectRow({ id, label }: { id: string; label: string }) {
  const { ids, set } = useSelection();
  return (
    <Checkbox
      data-select-row=""
      aria-label={`Select ${label}`}
      checked={ids.has(id)}
      onChange={(event) => set([id], event.target.checked)}
    />
  );
}

/** The checkbox of the header: all rows of this page, half-ticked when only some are. */
export function SelectPage({ ids: page }: { ids: readonly string[] }) {
  const { ids, set } = useSelection();
  const ticked = page.filter((id) => ids.has(id)).length;
  return (
    <Checkbox
      aria-label="Select all rows of this page"
      checked={page.length > 0 && ticked === page.length}
      ref={(box) => {
        if (box) box.indeterminate = ticked > 0 && ticked < page.length;
      }}
      onChange={(event) => set(page, event.target.checked)}
    />
  );
}
