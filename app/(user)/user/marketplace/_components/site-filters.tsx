import Link from 'next/link';
import { FilterSelect } from '@/components/table/filter-select';
import type { Sort } from '@/components/table/page-params';
import { SearchInput } from '@/components/table/search-input';
import { oneParam, type SearchParams } from '@/components/table/url';
import type { SiteSortKey } from '@/lib/sites/schemas';
import { choiceFilters, rangeFilters, sortChoices } from '../_filters';
import { FilterPanel } from './filter-panel';
import { RangeFilters } from './range-filters';
import { SortSelect } from './sort-select';

type SiteFiltersProps = {
  niches: readonly string[];
  countries: readonly string[];
  languages: readonly string[];
  searchParams: SearchParams;
  sort: Sort<SiteSortKey>;
  /** Parameters whose value makes no sense. */
  ignored: readonly string[];
  clearHref: string | null;
};

const follows = [
  { value: 'DoFollow', label: 'DoFollow' },
  { value: 'NoFollow', label: 'NoFollow' },
];

/** Every filter of the marketplace; what they say stands in the address. */
export function SiteFilters({
  niches,
  countries,
  languages,
  searchParams,
  sort,
  ignored,
  clearHref,
}: SiteFiltersProps) {
  const rangeNames = rangeFilters.flatMap(({ min, max }) => [min, max]);
  const countOf = (names: readonly string[]) =>
    names.filter((name) => oneParam(searchParams, name) !== '' && !ignored.includes(name)).length;
  const options = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }));
  const width = 'w-full lg:w-36';
  return (
    <FilterPanel
      search={<SearchInput placeholder="Search name or address…" label="Search sites" className="sm:w-72 lg:w-64" />}
      selects={
        <>
          <FilterSelect param="niche" label="Niche" allLabel="All niches" options={options(niches)} className={width} />
          <FilterSelect
            param="country"
            label="Country"
            allLabel="All countries"
            options={options(countries)}
            className={width}
          />
          <FilterSelect
            param="language"
            label="Language"
            allLabel="All languages"
            options={options(languages)}
            className={width}
          />
          <FilterSelect param="followType" label="Link" allLabel="Any link" options={follows} className={width} />
        </>
      }
      ranges={
        <RangeFilters
          ranges={rangeFilters}
          values={Object.fromEntries(
            rangeNames.map((name) => [name, ignored.includes(name) ? '' : oneParam(searchParams, name)]),
          )}
        />
      }
      counts={{ selects: countOf(choiceFilters), ranges: countOf(rangeNames) }}
      actions={
        <>
          <div className="lg:hidden">
            <SortSelect value={sortValue(sort)} />
          </div>
          {clearHref ? (
            <Link
              href={clearHref}
              prefetch={false}
              scroll={false}
              className="rounded-sm px-2 py-1 text-accent-ink text-sm hover:underline"
            >
              Clear filters
            </Link>
          ) : null}
        </>
      }
    />
  );
}

/** The choice that stands for the order in force; another order (from a wide screen's header) shows as the default. */
function sortValue({ key, order }: Sort<SiteSortKey>): string {
  return sortChoices.find(({ value }) => value === `${key}.${order}`)?.value ?? '';
}
