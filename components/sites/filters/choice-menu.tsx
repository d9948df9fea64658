'use client';

import { useEffect } from 'react';
import { FilterSelect } from '@/components/table/filters';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Icon } from '@/components/ui/icon';
import { Menu, MenuCheckboxItem, MenuItem, MenuSeparator } from '@/components/ui/menu';
import type { FilterCounts } from '@/lib/sites/catalogue/filter-counts';
import { choiceFilters, linkFilter, type SiteChoices } from './filter-params';
import type { ReadParam } from './list-active-filters';
import { useSettledParams } from './use-settled-params';

type ChoiceMenuProps = {
  filter: (typeof choiceFilters)[number];
  options: readonly string[];
  counts: FilterCounts | null;
  read: ReadParam;
  /** The menu opened, which shows the counts. */
  onOpen: () => void;
  size?: 'sm' | 'md';
  className?: string;
};

type ChoiceFiltersProps = Pick<ChoiceMenuProps, 'counts' | 'read' | 'onOpen' | 'size' | 'className'> & {
  choices: SiteChoices;
  /** The options of the link type. */
  linkOptions: readonly string[];
  linkClassName: string;
};

/** Renders the filters with fixed values, and the one of the link type. */
export function ChoiceFilters({ choices, linkOptions, linkClassName, ...menu }: ChoiceFiltersProps) {
  return (
    <>
      {choiceFilters.map((filter) => (
        <ChoiceMenu key={filter.param} filter={filter} options={choices[filter.param]} {...menu} />
      ))}
      <FilterSelect
        param={linkFilter.param}
        label={linkFilter.label}
        allLabel={linkFilter.all}
        options={linkOptions}
        className={linkClassName}
      />
    </>
  );
}

/** Renders a filter with several values, as a menu of checkboxes that stays open. */
function ChoiceMenu({ filter, options, counts, read, onOpen, size = 'sm', className }: ChoiceMenuProps) {
  const { label, param, all } = filter;
  const { values, pending, apply } = useSettledParams([param], read);
  const chosen = values[param] ?? [];
  const summary = chosen.length > 1 ? `${label}: ${chosen.length}` : (chosen[0] ?? all);
  const listed = [...chosen.filter((value) => !options.includes(value)), ...options];
  const numbers = counts && new Map(counts[param].map(({ value, sites }) => [value, sites]));
  // A value that a sample does not contain can still have some.
  const missing = counts?.isApproximate ? undefined : 0;
  return (
    <Menu
      align="start"
      className="w-64"
      trigger={
        <Button
          size={size}
          aria-label={`${label}: ${chosen.join(', ') || all}`}
          className={cn('btn-choice', className)}
        >
          <span aria-busy={pending || undefined} className={cn('truncate', chosen.length > 0 && 'font-medium')}>
            {summary}
          </span>
          <Icon name="chevron-down" className="text-subtle" />
        </Button>
      }
    >
      <Opened onOpen={onOpen} />
      {chosen.length > 0 ? (
        <>
          <MenuItem onSelect={() => apply({ [param]: [] })}>{all}</MenuItem>
          <MenuSeparator />
        </>
      ) : null}
      {listed.map((value) => {
        const sites = numbers ? (numbers.get(value) ?? missing) : undefined;
        return (
          <MenuCheckboxItem
            key={value}
            checked={chosen.includes(value)}
            onChange={(checked) =>
              apply({ [param]: checked ? [...chosen, value] : chosen.filter((one) => one !== value) })
            }
          >
            <span className={cn('min-w-0 flex-1 truncate', sites === 0 && 'text-subtle')}>{value}</span>
            {sites === undefined ? null : <Sites sites={sites} isApproximate={counts?.isApproximate ?? false} />}
          </MenuCheckboxItem>
        );
      })}
    </Menu>
  );
}

function Sites({ sites, isApproximate }: { sites: number; isApproximate: boolean }) {
  return (
    <span className="text-muted text-xs tabular-nums">
      {isApproximate ? '~' : ''}
      {sites.toLocaleString('en-US')}
      <span className="sr-only"> {sites === 1 ? 'site' : 'sites'}</span>
    </span>
  );
}

/** Reports that the menu around it opened. */
function Opened({ onOpen }: { onOpen: () => void }) {
  useEffect(onOpen, [onOpen]);
  return null;
}
