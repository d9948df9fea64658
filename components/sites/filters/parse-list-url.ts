import { allParams, oneParam, readPageParams, type SearchParams } from '@/components/table/url';
import { decodeCursor, defaultSitePageSize, parseSiteFilter, sitePageSizes } from '@/lib/sites/catalogue/schemas';

/**
 * Parses the URL of a list of sites. Invalid parameters are ignored; `ignored` names the filters among them.
 * @param defaultRows the page size without a parameter
 */
export function parseListUrl(params: SearchParams, defaultRows: number = defaultSitePageSize) {
  const { filter, ignored } = parseSiteFilter((name) => allParams(params, name));
  const page = readPageParams(params, sitePageSizes, defaultRows);
  const sort = { key: filter.sort ?? ('price' as const), order: filter.order ?? ('asc' as const) };
  const cursor = decodeCursor(oneParam(params, 'cursor')) ?? undefined;
  const isOfThisOrder = cursor?.sort === sort.key && cursor.order === sort.order;
  return {
    filter,
    ignored,
    page,
    sort,
    cursor: isOfThisOrder ? cursor : undefined,
    show: parseShow(oneParam(params, 'show')),
    view: oneParam(params, 'view') === 'cards' ? ('cards' as const) : ('table' as const),
  };
}

function parseShow(text: string): 'all' | 'favourites' | 'hidden' {
  return text === 'favourites' || text === 'hidden' ? text : 'all';
}
