import type { Metadata } from 'next';
import { SelectionBar } from '@/components/sites/selection-bar';
import { SiteTable } from '@/components/sites/site-table';
import { readPageParams } from '@/components/table/page-params';
import { Pagination } from '@/components/table/pagination';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';
import { requirePage } from '@/lib/auth/page-guard';
import { maxSitesPerOrder } from '@/lib/orders/schemas';
import { listProjectChoices } from '@/lib/projects/queries';
import { listListedSites, listSiteFacets } from '@/lib/sites/queries';
import { readSiteFilter } from '@/lib/sites/read-filter';
import { defaultSitePageSize, sitePageSizes } from '@/lib/sites/schemas';
import { marketplaceRow } from '@/lib/sites/views';
import { listNiches, listPostTypes } from '@/lib/taxonomy/queries';
import { getWalletBalance } from '@/lib/wallet/balance';
import { NoSites } from './_components/no-sites';
import { SiteFilters } from './_components/site-filters';
import { SiteHeaders } from './_components/site-headers';
import { choiceFilters, marketplacePath, rangeFilters } from './_filters';

export const metadata: Metadata = { title: 'Marketplace' };

export default async function MarketplacePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'session');
  const params = await searchParams;
  const { filter, ignored } = readSiteFilter((name) => oneParam(params, name));
  const page = readPageParams(params, sitePageSizes, defaultSitePageSize);
  const postTypes = await listPostTypes();
  const postType = postTypes.find((name) => name === filter.postType) ?? postTypes[0];
  const [{ rows, total }, facets, niches, projects, balanceCents] = await Promise.all([
    listListedSites({ ...filter, postType, limit: page.limit, offset: page.offset }),
    listSiteFacets(),
    listNiches(),
    listProjectChoices(actor),
    getWalletBalance(actor.userId),
  ]);

  const sort = { key: filter.sort ?? ('price' as const), order: filter.order ?? ('asc' as const) };
  const names = ['q', ...choiceFilters, ...rangeFilters.flatMap(({ min, max }) => [min, max])];
  const without = Object.fromEntries([...names, 'page'].map((name) => [name, null]));
  const clearHref = names.some((name) => oneParam(params, name)) ? withParams(marketplacePath, params, without) : null;
  const lastPage = Math.ceil(total / page.rows);
  return (
    <>
      <PageHeader title="Marketplace" description="Approved sites, priced in USD and paid from your wallet." />
      <Tabs
        label="Post type"
        tabs={postTypes.map((name, index) => ({
          label: name,
          current: name === postType,
          href: withParams(marketplacePath, params, { postType: index === 0 ? null : name, page: null }),
        }))}
      />
      <div className="h-4" />
      <SiteFilters
        niches={niches}
        {...facets}
        searchParams={params}
        sort={sort}
        ignored={ignored}
        clearHref={clearHref}
      />
      {ignored.length > 0 ? (
        <Alert tone="warning" className="mb-3">
          {`Ignored, because the value makes no sense: ${ignored.map((name) => `${name} “${oneParam(params, name)}”`).join(', ')}.`}
        </Alert>
      ) : null}
      <div className="rounded-lg border border-line bg-surface">
        {rows.length > 0 ? (
          <SiteTable rows={rows.map(marketplaceRow)} userId={actor.userId} maxSelected={maxSitesPerOrder}>
            <SiteHeaders searchParams={params} sort={sort} />
          </SiteTable>
        ) : (
          <NoSites
            clearHref={clearHref}
            lastPageHref={total > 0 ? withParams(marketplacePath, params, { page: lastPage }) : null}
          />
        )}
        {total > 0 ? (
          <Pagination
            pathname={marketplacePath}
            searchParams={params}
            page={page}
            total={total}
            sizes={sitePageSizes}
            defaultRows={defaultSitePageSize}
          />
        ) : null}
      </div>
      <SelectionBar
        userId={actor.userId}
        balanceCents={balanceCents}
        projects={projects}
        niches={niches}
        postTypes={postTypes}
      />
    </>
  );
}
