'use client';

import Link from 'next/link';
import type { ComponentProps } from 'react';
import type { ParamChanges } from '@/components/table/url';
import { useParamChange } from '@/components/table/use-param-change';
import { Icon } from '@/components/ui/icon';
import { filterParams } from './filter-params';
import { type ActiveFilter, listActiveFilters, type ReadParam } from './list-active-filters';
import { presets } from './presets';

type ActiveFiltersProps = { read: ReadParam; hrefWith: (changes: ParamChanges) => string };

/** Renders the active filters, each a link that removes it, and one link that removes all. */
export function ActiveFilters({ read, hrefWith }: ActiveFiltersProps) {
  // The search field already shows the search text.
  const chips = listActiveFilters(read)
    .filter(({ params }) => !params.includes('q'))
    .flatMap(toChips);
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {chips.length > 0 ? (
        <ul aria-label="Active filters" className="contents">
          {chips.map(({ text, changes }) => (
            <li key={text} className="min-w-0 max-w-full">
              <FilterLink hrefWith={hrefWith} changes={changes} className="chip">
                <span className="sr-only">Remove </span>
                <span className="truncate">{text}</span>
                <Icon name="x" className="size-3.5 text-subtle" />
              </FilterLink>
            </li>
          ))}
        </ul>
      ) : null}
      <FilterLink
        hrefWith={hrefWith}
        changes={without(filterParams)}
        className="rounded-sm px-1.5 py-1 text-accent-ink text-sm hover:underline"
      >
        Clear filters
      </FilterLink>
    </div>
  );
}

type FilterLinkProps = Omit<ComponentProps<typeof Link>, 'href'> & {
  hrefWith: ActiveFiltersProps['hrefWith'];
  changes: ParamChanges;
};

/**
 * Renders a link that changes filters. It starts from the URL of a pending change, so that the two do not undo each
 * other.
 */
function FilterLink({ hrefWith, changes, children, ...rest }: FilterLinkProps) {
  const { pending, change } = useParamChange();
  return (
    <Link
      prefetch={false}
      scroll={false}
      {...rest}
      href={hrefWith(changes)}
      onNavigate={(event) => {
        event.preventDefault();
        change(changes);
      }}
    >
      {children}
      {pending ? <span aria-busy="true" hidden /> : null}
    </Link>
  );
}

const without = (names: readonly string[]): ParamChanges => Object.fromEntries(names.map((name) => [name, null]));

/** Returns one chip for each value of a filter that can have several, and otherwise one for the filter. */
function toChips({ text, params, values }: ActiveFilter): { text: string; changes: ParamChanges }[] {
  const [param] = params;
  if (!values || param === undefined) return [{ text, changes: without(params) }];
  const label = text.slice(0, text.indexOf(':'));
  return values.map((value) => ({
    text: `${label}: ${value}`,
    changes: { [param]: values.filter((other) => other !== value) },
  }));
}

/** Combinations of filters, each a link that adds it, or removes it while it is active. */
export function PresetLinks({ read, hrefWith }: ActiveFiltersProps) {
  return (
    <ul aria-label="Presets" className="flex gap-1.5 overflow-x-auto">
      {presets.map(({ label, params, title }) => {
        const isActive = Object.entries(params).every(([name, value]) => read(name)[0] === value);

        return (
          <li key={label} className="shrink-0">
            <FilterLink
              hrefWith={hrefWith}
              changes={isActive ? without(Object.keys(params)) : params}
              aria-current={isActive || undefined}
              data-tooltip={title}
              className="chip"
            >
              {isActive ? <Icon name="check" className="size-3.5" /> : null}
              {label}
            </FilterLink>
          </li>
        );
      })}
    </ul>
  );
}
