'use client';

import { lazy, Suspense } from 'react';
import { Button } from '@/components/ui/button';
import { Money } from '@/components/ui/money';
import { useLazyDialog } from '@/components/ui/use-lazy-dialog';
import type { ProjectChoice } from './add-to-orders-dialog';
import { useSelection } from './use-selection';

// The list itself needs none of it.
const loadOrder = () => import('./add-to-orders-dialog').then((module) => ({ default: module.AddToOrdersDialog }));
const AddToOrdersDialog = lazy(loadOrder);

type SelectionBarProps = {
  userId: string;
  /** What the wallet holds, in USD cents. */
  balanceCents: number;
  projects: readonly ProjectChoice[];
  niches: readonly string[];
  postTypes: readonly string[];
};

/** What is ticked over all pages and what it costs, at the bottom of the screen while anything is. */
export function SelectionBar({ userId, balanceCents, ...choices }: SelectionBarProps) {
  const selection = useSelection(userId);
  const { sites, write } = selection;
  const dialog = useLazyDialog(loadOrder);
  const totalCents = sites.reduce((sum, { usdCents }) => sum + usdCents, 0);
  const missingCents = totalCents - balanceCents;
  return (
    <>
      {sites.length > 0 ? (
        <section
          aria-label="Selection"
          className="sticky bottom-3 z-20 mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line-strong bg-overlay px-4 py-3 shadow-overlay"
        >
          <p aria-live="polite" className="text-sm">
            <span className="font-medium text-ink">{sites.length === 1 ? '1 site' : `${sites.length} sites`}</span>
            <span className="text-muted">
              {' · '}
              <Money amountMinor={totalCents} className="font-medium text-ink" />
              {' of '}
              <Money amountMinor={balanceCents} /> in your wallet
            </span>
            {missingCents > 0 ? (
              <span className="block text-red-ink text-xs">
                <Money amountMinor={missingCents} /> more needed
              </span>
            ) : null}
          </p>
          <div className="ml-auto flex gap-2">
            <Button size="sm" variant="ghost" onClick={() => write([])}>
              Clear
            </Button>
            <Button size="sm" variant="primary" {...dialog.opener}>
              Add to orders
            </Button>
          </div>
        </section>
      ) : null}
      {dialog.wanted ? (
        <Suspense>
          <AddToOrdersDialog
            open={dialog.open}
            onOpenChange={dialog.setOpen}
            selection={selection}
            balanceCents={balanceCents}
            {...choices}
          />
        </Suspense>
      ) : null}
    </>
  );
}
