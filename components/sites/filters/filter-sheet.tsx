'use client';

import { Button, ButtonLink } from '@/components/ui/button';
import { DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import type { FilterCounts } from '@/lib/sites/catalogue/filter-counts';
import { ChoiceFilters } from './choice-menu';
import type { SiteChoices } from './filter-params';
import type { ReadParam } from './list-active-filters';
import { RangeFilters } from './range-filters';

type FilterSheetProps = {
  choices: SiteChoices;
  counts: FilterCounts | null;
  read: ReadParam;
  /** The list without filters. */
  clearHref: string;
};

/** Shows the filters on narrow screens. The list behind the sheet follows each change. The search has its own field. */
export function FilterSheet({ choices, counts, read, clearHref }: FilterSheetProps) {
  return (
    <>
      <DialogBody className="grid content-start gap-3">
        <ChoiceFilters
          choices={choices}
          counts={counts}
          read={read}
          onOpen={alreadyCounted}
          size="md"
          className="w-full"
          linkOptions={choices.followType}
          linkClassName="w-full"
        />
        <RangeFilters counts={counts} read={read} size="md" className="mt-1 grid-cols-1 sm:grid-cols-2" />
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <ButtonLink href={clearHref} scroll={false} variant="ghost">
            Clear filters
          </ButtonLink>
        </DialogClose>
        <DialogClose>
          <Button variant="primary">
            <span aria-live="polite">{counts ? showSites(counts) : 'Show sites'}</span>
          </Button>
        </DialogClose>
      </DialogFooter>
    </>
  );
}

/** Does nothing: the open sheet has requested the counts. */
const alreadyCounted = () => undefined;

function showSites({ sites, isApproximate }: FilterCounts): string {
  const number = `${isApproximate ? 'about ' : ''}${sites.toLocaleString('en-US')}`;
  return `Show ${number} ${sites === 1 ? 'site' : 'sites'}`;
}
