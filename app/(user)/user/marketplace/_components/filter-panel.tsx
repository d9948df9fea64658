'use client';

import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '@/components/ui/button';

type FilterPanelProps = {
  search: ReactNode;
  /** The choices: beside the search on wide screens, folded on narrow ones. */
  selects: ReactNode;
  /** Ranges of figures, folded everywhere. */
  ranges: ReactNode;
  /** How many filters each part has in force; shown on the button that unfolds it. */
  counts: { selects: number; ranges: number };
  actions: ReactNode;
};

/** The marketplace's filters: one line on wide screens, a search with a fold on phones. */
export function FilterPanel({ search, selects, ranges, counts, actions }: FilterPanelProps) {
  const [open, setOpen] = useState(counts.ranges > 0);
  const id = useId();
  return (
    <div className="mb-3 grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        {search}
        <div
          className={`order-last grid w-full grid-cols-2 gap-2 lg:order-none lg:flex lg:w-auto ${open ? '' : 'max-lg:hidden'}`}
        >
          {selects}
        </div>
        <Button
          size="sm"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
          icon={<SlidersHorizontal aria-hidden="true" className="size-4" />}
        >
          Filters
          <Count value={counts.ranges} className="max-lg:hidden" />
          <Count value={counts.ranges + counts.selects} className="lg:hidden" />
        </Button>
        {actions}
      </div>
      {/* Not merely hidden: ten inputs nobody opened would weigh a tenth of the page. */}
      {open ? <div id={id}>{ranges}</div> : null}
    </div>
  );
}

function Count({ value, className }: { value: number; className: string }) {
  if (value === 0) return null;
  return (
    <span className={`rounded-full bg-accent px-1.5 text-on-accent text-xs tabular-nums ${className}`}>
      {value}
      <span className="sr-only"> in force</span>
    </span>
  );
}
