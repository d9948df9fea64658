import { Globe, SearchX } from 'lucide-react';
import { DataTable } from '@/components/table/data-table';
import { FilterSelect } from '@/components/table/filter-select';
import { readPageParams, readSort } from '@/components/table/page-params';
import { SearchInput } from '@/components/table/search-input';
import { Toolbar } from '@/components/table/toolbar';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { siteStatuses } from '@/db/schema/sites';
import { requirePage } from '@/lib/auth/page-guard';
import { flags } from '@/lib/settings/feature-flags/flags';
import { isFlagOn } from '@/lib/settings/feature-flags/read-flags';
import { listSellerSites, sellerSortKeys } from '@/lib/sites/seller-queries';
import { sellerGaps } from '@/lib/sites/seller-view';
import { readTaxonomy } from '@/lib/taxonomy/queries';
import { AddSite } from './_components/add-site';
import { SiteCard } from './_components/site-card';
import { siteColumns } from './_components/site-columns';
import { SiteDialog } from './_components/site-dialog';
import { UploadSites } from './_components/upload-sites';

export const metadata = { title: 'My Sites' };

const pathname = '/seller/my-sites';
const sizes = [25, 50, 100] as const;
const statusOptions = siteStatuses.map((status) => ({ value: status, label: status }));
/** Two share a row on phones. */
const filterWidth = 'w-[calc(50%-0.25rem)] sm:w-44';
const gapOptions = [
  { value: 'niche', label: 'No niche or language' },
  { value: 'spam', label: 'Old spam score' },
  { value: 'metrics', label: 'Gaps in figures' },
  { value: 'stale', label: 'Old or no price' },
];

export default async function MySites({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { userId } = await requirePage('seller', 'seller');
  const params = await searchParams;
  const page = readPageParams(params, sizes, sizes[0]);
  const sort = readSort(params, sellerSortKeys, { key: 'added', order: 'desc' });
  const q = oneParam(params, 'q').trim().slice(0, 200);
  const status = siteStatuses.find((known) => known === oneParam(params, 'status'));
  const gap = sellerGaps.find((known) => known === oneParam(params, 'gap'));
  const [{ rows, total }, { niches, postTypes }, takesNew] = await Promise.all([
    listSellerSites(userId, { q, status, gap, sort, ...page }),
    readTaxonomy(),
    isFlagOn('site-uploads'),
  ]);
  const filtered = Boolean(q || status || gap);
  const editHref = (id: number) => withParams(pathname, params, { site: id });
  const open = oneParam(params, 'site');
  return (
    <>
      <PageHeader
        title="My Sites"
        description="Every site you offer, with the price you ask and where its review stands."
        actions={
          takesNew ? (
            <>
              <UploadSites />
              <AddSite niches={niches} postTypes={postTypes} />
            </>
          ) : (
            <p className="text-muted text-sm">{flags['site-uploads'].off}</p>
          )
        }
      />
      {total > 0 || filtered ? (
        <Toolbar clearHref={filtered ? pathname : null}>
          <SearchInput
            placeholder="Name, URL, niche or country"
            label="Search your sites by name, URL, niche or country"
          />
          <FilterSelect
            param="status"
            label="Status"
            allLabel="All statuses"
            options={statusOptions}
            className={filterWidth}
          />
          <FilterSelect
            param="gap"
            label="Missing or stale"
            allLabel="Complete or not"
            options={gapOptions}
            className={filterWidth}
          />
        </Toolbar>
      ) : null}
      <DataTable
        caption="My Sites"
        columns={siteColumns(editHref)}
        rows={rows}
        rowKey={(row) => String(row.id)}
        card={(row) => <SiteCard site={row} editHref={editHref(row.id)} />}
        isSelected={(row) => String(row.id) === open}
        empty={<NoSites filtered={filtered} />}
        pathname={pathname}
        searchParams={params}
        sort={sort}
        wide="2xl"
        paging={{ page, total, sizes, defaultRows: sizes[0] }}
      />
      <SiteDialog
        id={open}
        ownerId={userId}
        closeHref={withParams(pathname, params, { site: null })}
        niches={niches}
        postTypes={postTypes}
      />
    </>
  );
}

function NoSites({ filtered }: { filtered: boolean }) {
  if (!filtered) return <EmptyState icon={<Globe />} title="No sites yet." />;
  return (
    <EmptyState
      icon={<SearchX />}
      title="No site matches"
      action={<ButtonLink href={pathname}>Show all sites</ButtonLink>}
    >
      Try another word or fewer filters.
    </EmptyState>
  );
}
