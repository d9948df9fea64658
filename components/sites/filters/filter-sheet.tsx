'use client';

import type { FormEvent } from 'react';
import { SelectField } from '@/components/form/select-field';
import { useParamChange } from '@/components/table/use-param-change';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import { choiceFilters, rangeFilters } from './address-filters';
import { paramsOf } from './params-of';
import { RangeInputs } from './range-inputs';
import type { SiteChoices } from './site-choices';

type FilterSheetProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  choices: SiteChoices;
  /** What the address says. */
  read: (name: string) => string;
};

const names = [...choiceFilters.map(({ param }) => param), ...rangeFilters.flatMap(({ min, max }) => [min, max])];
const nothing = Object.fromEntries(names.map((name) => [name, null]));

/** All filters of a narrow screen; they take effect together. The search has its own field. */
export function FilterSheet(props: FilterSheetProps) {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title="Filters" size="md">
      <SheetForm {...props} />
    </Dialog>
  );
}

function SheetForm({ onOpenChange, choices, read }: FilterSheetProps) {
  const { change } = useParamChange();
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change(paramsOf(event.currentTarget, names));
    onOpenChange(false);
  };
  return (
    <form className="contents" onSubmit={apply}>
      <DialogBody className="grid grid-cols-2 content-start gap-4">
        {choiceFilters.map(({ label, param, all }) => (
          <SelectField
            key={param}
            name={param}
            label={label}
            placeholder={all}
            options={choices[param].map((value) => ({ value, label: value }))}
            defaultValue={read(param)}
          />
        ))}
        {rangeFilters.map((range) => (
          <RangeInputs key={range.label} range={range} read={read} size="md" />
        ))}
      </DialogBody>
      <DialogFooter>
        <Button
          variant="ghost"
          onClick={() => {
            change(nothing);
            onOpenChange(false);
          }}
        >
          Clear filters
        </Button>
        <Button type="submit" variant="primary">
          Show sites
        </Button>
      </DialogFooter>
    </form>
  );
}
