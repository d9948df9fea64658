import { describe, expect, it } from 'vitest';
import { describeIgnoredParam } from '@/components/sites/filters/describe-ignored-param';
import { filterParams } from '@/components/sites/filters/filter-params';
import { describeFilter, listActiveFilters } from '@/components/sites/filters/list-active-filters';
import { presets } from '@/components/sites/filters/presets';
import { parseSiteFilter, siteFilterNames } from '@/lib/sites/catalogue/schemas';

const activeFilters = (query: string) => listActiveFilters((name) => new URLSearchParams(query).getAll(name));

describe("the filters in the marketplace's URL", () => {
  it("equal the catalogue's filters, without the tab, the sort order and the project", () => {
    expect([...filterParams].sort()).toEqual(
      siteFilterNames.filter((name) => !['postType', 'sort', 'order', 'projectId'].includes(name)).sort(),
    );
  });

  it('are described as text, each with its parameters', () => {
    expect(activeFilters('')).toEqual([]);
    expect(activeFilters('q=tech&country=India&minDr=20&maxDr=60&maxPrice=1200.5&minTat=3&page=2')).toEqual([
      { text: '“tech”', params: ['q'] },
      { text: 'Country: India', params: ['country'], values: ['India'] },
      { text: 'DR 20–60', params: ['minDr', 'maxDr'] },
      { text: 'Price up to $1,200.5', params: ['minPrice', 'maxPrice'] },
      { text: 'Turnaround from 3 days', params: ['minTat', 'maxTat'] },
    ]);
    expect(activeFilters('measured=traffic&measured=dr&owner=1')).toEqual([
      { text: 'Measured figures only: DR and Traffic', params: ['measured'] },
      { text: 'Verified owners only', params: ['owner'] },
    ]);
    expect(activeFilters('projectId=p1&hideLinked=1&blocked=1')).toEqual([
      { text: 'Linked sites hidden', params: ['hideLinked'] },
      { text: 'Blocked sites only', params: ['blocked'] },
    ]);
    expect(activeFilters('projectId=p1&hideLinked=0')).toEqual([
      { text: 'Linked sites shown', params: ['hideLinked'] },
    ]);
  });

  it('describe a saved filter with its tab, shown sites and sort order', () => {
    expect(describeFilter('postType=Homepage+links&minSpam=1&show=favourites&sort=traffic&order=desc')).toBe(
      'Homepage links · Spam score from 1% · Favorites · Traffic, high to low',
    );
    expect(describeFilter('page=3&rows=50')).toBe('');
    expect(describeFilter('niche=Law&niche=Pets')).toBe('Niche: Law or Pets');
    expect(describeFilter('projectId=p1&hideLinked=1&blocked=1')).toBe('');
  });

  it('are set by each preset to values that the catalogue accepts', () => {
    for (const { params } of presets) {
      const { filter, ignored } = parseSiteFilter((name) => [params[name] ?? []].flat());
      expect(ignored).toEqual([]);
      const set = Object.entries(filter).filter(([, value]) => value !== undefined);
      expect(set.map(([name]) => name).sort()).toEqual(Object.keys(params).sort());
    }
  });

  it('name the filter of an ignored value as on the screen', () => {
    expect(describeIgnoredParam('minDr', 'abc')).toBe('The value “abc” for minimum DR is invalid and was ignored.');
    expect(describeIgnoredParam('maxSpam', 'x')).toBe(
      'The value “x” for maximum spam score is invalid and was ignored.',
    );
    expect(describeIgnoredParam('followType', 'Both')).toBe('The value “Both” for link is invalid and was ignored.');
    expect(describeIgnoredParam('measured', 'da')).toBe(
      'The value “da” for measured figures is invalid and was ignored.',
    );
    expect(describeIgnoredParam('projectId', 'gone')).toBe('The value “gone” for project is invalid and was ignored.');
    expect(describeIgnoredParam('hideLinked', '2')).toBe('The value “2” for linked sites is invalid and was ignored.');
    expect(describeIgnoredParam('sort', 'zzz')).toBe('Unknown sort “zzz” was ignored.');
  });
});
