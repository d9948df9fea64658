'use client';

import { Dialog, DialogBody } from '@/components/ui/dialog';
import type { SavedFilter } from '@/lib/sites/preferences/save-filter';
import { describeFilter } from './describe-filter';
import { SaveFilterForm } from './save-filter-form';
import { SavedFilterItem } from './saved-filter-item';

type SavedFiltersDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  saved: readonly SavedFilter[];
  /** The marketplace's address after the question mark. */
  query: string;
};

/** Keeps the filter in force under a name, and lists the kept ones. */
export function SavedFiltersDialog({ open, onOpenChange, saved, query }: SavedFiltersDialogProps) {
  const current = describeFilter(query);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Saved filters"
      description="Kept with your account: they are here on every device."
      size="md"
    >
      <DialogBody className="grid content-start gap-5">
        {current ? <SaveFilterForm query={query} summary={current} saved={saved} /> : null}
        {saved.length > 0 ? (
          <ul aria-label="Saved filters" className="divide-y divide-line rounded-lg border border-line">
            {saved.map((filter) => (
              <SavedFilterItem key={filter.id} filter={filter} onUse={() => onOpenChange(false)} />
            ))}
          </ul>
        ) : null}
        {current || saved.length > 0 ? null : (
          <p className="py-6 text-center text-muted text-sm">
            Nothing saved yet. Set a filter or an order in the marketplace, then give it a name here.
          </p>
        )}
      </DialogBody>
    </Dialog>
  );
}
