'use client';

import type { ComponentProps } from 'react';
import { toast } from 'sonner';
import { useOperation } from '@/components/form/use-operation';
import {
  createRowSelection,
  PageCheckbox,
  RowCheckbox,
  SelectionBar,
  useSelectedIds,
} from '@/components/table/row-selection';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { countOf } from '@/components/ui/format';
import { ApiError, callAction, redirectIfSignedOut } from '@/lib/browser/api-client';
import { selectOwnSitesAction } from '@/lib/sites/actions';
import { ChangeDialog } from './change-dialog';
import { PauseDialog } from './pause-dialog';
import { changeSites, describeOutcome, removalConsequence } from './send-change';

/** The selected sites. */
const siteSelection = createRowSelection<number>();
const clear = () => siteSelection.write([]);

export const SiteCheckbox = ({ id, name }: { id: number; name: string }) => (
  <RowCheckbox selection={siteSelection} id={id} label={`Select ${name}`} />
);

/** Selects all sites of the page. */
export const SitesCheckbox = ({ ids }: { ids: readonly number[] }) => (
  <PageCheckbox selection={siteSelection} ids={ids} label="Select every site on this page" />
);

type SelectionProps = {
  /** The sites of the page. */
  ids: readonly number[];
  /** The filter of the list, and how many sites match it. */
  filter: Parameters<typeof selectOwnSitesAction>[0];
  total: number;
  isCapped: boolean;
} & Pick<ComponentProps<typeof ChangeDialog>, 'niches' | 'dayKind'>;

/** Renders the changes of the selected sites, and the choice of all sites that match the filter. */
export function SiteSelection({ ids, filter, total, isCapped, ...choices }: SelectionProps) {
  const selected = useSelectedIds(siteSelection);
  if (selected.length === 0) return null;
  const count = countOf(selected.length, 'site');
  const shared = { ids: selected, onDone: clear };
  return (
    <SelectionBar count={count} onClear={clear}>
      {(total > ids.length || isCapped) && selected.length < total ? (
        <SelectAll filter={filter} label={isCapped ? 'Select all matching' : `Select all ${countOf(total, 'site')}`} />
      ) : null}
      <ConfirmAction
        trigger={
          <Button size="sm" variant="ghost" className="text-red-ink">
            Remove
          </Button>
        }
        title={`Remove ${count}?`}
        description={removalConsequence}
        confirmLabel={`Remove ${count}`}
        action={() => changeSites(selected, { remove: true }).then(done('removed'))}
      />
      <ConfirmAction
        trigger={<Button size="sm">Resume</Button>}
        title={`Resume ${count}?`}
        description="Approved sites with a price are on sale again at once."
        confirmLabel="Resume"
        tone="primary"
        action={() => changeSites(selected, { resume: true }).then(done('resumed'))}
      />
      <PauseDialog {...shared} title={`Pause ${count}`} trigger={<Button size="sm">Pause</Button>} />
      {(['niche', 'language', 'turnaround', 'price'] as const).map((field) => (
        <ChangeDialog key={field} {...shared} {...choices} field={field} />
      ))}
    </SelectionBar>
  );
}

/** Returns what follows a change: the message, and an empty selection. */
const done = (verb: string) => (outcome: Awaited<ReturnType<typeof changeSites>>) => {
  describeOutcome(outcome, verb);
  clear();
};

function SelectAll({ filter, label }: Pick<SelectionProps, 'filter'> & { label: string }) {
  const operation = useOperation({
    fallback: () => 'The sites could not be selected. Try again.',
    onError: (message) => toast.error(message),
  });
  const select = async () => {
    const { ids } = await callAction(() => selectOwnSitesAction(filter)).catch(redirectIfSignedOut);
    if (ids.length === 0) throw new ApiError(409, 'No site matches any more.');
    siteSelection.write(ids);
  };
  return (
    <Button size="sm" variant="ghost" pending={operation.pending} onClick={() => void operation.run(select)}>
      {label}
    </Button>
  );
}
