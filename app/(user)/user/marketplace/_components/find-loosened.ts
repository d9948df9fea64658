import { firstPage, marketplacePath } from '@/components/sites/filters/address-filters';
import type { FilterInForce } from '@/components/sites/filters/list-in-force';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { parseSiteFilter } from '@/lib/sites/catalogue/parse-filter';
import { countForViewer, type Viewer } from '@/lib/sites/preferences/viewer-condition';
import type { Loosened } from './no-sites';

/** How many proposals help; more would be a second filter bar. */
const maxProposals = 4;

/** Where nothing matches: which single filter, taken out, brings sites back, the most fruitful first. */
export async function findLoosened(
  inForce: readonly FilterInForce[],
  params: SearchParams,
  postType: string | undefined,
  viewer: Viewer,
): Promise<Loosened[]> {
  const tried = await Promise.all(
    inForce.map(async ({ text, params: names }) => {
      const { filter } = parseSiteFilter((name) => (names.includes(name) ? '' : oneParam(params, name)));
      const counted = await countForViewer({ ...filter, postType }, viewer);
      const without = Object.fromEntries(names.map((name) => [name, null]));
      return { text, href: withParams(marketplacePath, params, { ...firstPage, ...without }), ...counted };
    }),
  );
  return tried
    .filter(({ total }) => total > 0)
    .sort((one, other) => other.total - one.total)
    .slice(0, maxProposals);
}
