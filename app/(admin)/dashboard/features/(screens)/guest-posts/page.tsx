import { screenTexts } from '@/components/shell/screen-texts';
import { FigureLegend } from '@/components/sites/figure-legend';
import { FigureValue } from '@/components/sites/figure-value';
import { formatOwnership } from '@/components/sites/ownership-texts';
import { PauseBadge } from '@/components/sites/pause-badge';
import { figureColumns, SiteName, statusColumn } from '@/components/sites/site-cells';
import { awaitingPriceLabel } from '@/components/sites/site-text';
import { type Column, TwoLines } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordList } from '@/components/table/record-list';
import {
  oneParam,
  readFilters,
  readIdPageParams,
  readSort,
  type SearchParams,
  withParams,
} from '@/components/table/url';
import { userLabel } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { buildViewQuery, SavedViewLinks } from '@/components/users/saved-views';
import { SavedViewsButton } from '@/components/users/saved-views-button';
import { awaitingPrice, pausedSites, type SiteFigureSources, siteStatuses } from '@/db/schema/sites';
import { requirePage } from '@/lib/auth/page-guard';
import { type Currency, currencies, parseMoney } from '@/lib/money';
import { parseFilters } from '@/lib/platform/http/parse';
import { getPlacementRules } from '@/lib/settings/placement-rules';
import { listManagedCountries, listManagedSites, listSiteOwners } from '@/lib/sites/managed-queries';
import {
  defaultManagedPageSize,
  managedPageSizes,
  managedSitesFilter,
  managedSortKeys,
  ownershipFilters,
} from '@/lib/sites/managed-schemas';
import { type AdminSiteView, adminSiteView } from '@/lib/sites/views';
import { countries as allCountries } from '@/lib/taxonomy/countries';
import { getTaxonomy } from '@/lib/taxonomy/queries';
import { listSavedFilters } from '@/lib/users/saved-filters';
import { BulkBar, SiteCheckbox, SitesCheckbox, UploadSites } from './_components/site-actions';
import { SiteDialog } from './_components/site-dialog';

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1, notation: 'compact' });

type ListedSite = AdminSiteView & { sources: SiteFigureSources };

const figure = (site: ListedSite, metric: 'dr' | 'da' | 'traffic' | 'spam') => (
  <FigureValue text={site[metric] === null ? '–' : number.format(site[metric])} origin={site.sources[metric]} />
);

const pathname = '/dashboard/features/guest-posts';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

const filterNames = ['q', 'status', 'niche', 'country', 'postType', 'userId', 'ownership'] as const;
const statusOptions = [
  ...siteStatuses,
  { value: awaitingPrice, label: awaitingPriceLabel },
  { value: pausedSites, label: 'Paused' },
];
const ownershipOptions = ownershipFilters.map((value) => ({ value, label: formatOwnership(value) }));
const className = 'w-[calc(50%-0.25rem)] sm:w-36';

export default async function GuestPostsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageSites');
  const params = await searchParams;
  const page = readIdPageParams(params, managedPageSizes, defaultManagedPageSize);
  const sort = readSort(params, managedSortKeys, { key: 'added', order: 'desc' });
  const { filter } = parseFilters(managedSitesFilter, readFilters(params, filterNames));
  const [{ rows, ...counted }, owners, countries, { niches, postTypes }, saved, { dayKind }] = await Promise.all([
    listManagedSites({ ...filter, sort, ...page.request }),
    listSiteOwners(filter.userId),
    listManagedCountries(),
    getTaxonomy(),
    listSavedFilters(actor.userId, pathname),
    getPlacementRules(),
  ]);
  const views = { pathname, saved, query: buildViewQuery(params, filterNames) };
  const editHref = (id: number | 'new') => withParams(pathname, params, { site: id });
  const sites = rows.map((row) => ({ ...adminSiteView(row), sources: row.figureSources }));
  const columns = siteColumns(
    sites.map(({ id }) => id),
    editHref,
  );
  const ownerOptions = owners.map((owner) => ({ value: owner.id, label: userLabel(owner) }));
  return (
    <>
      <RecordList
        {...texts}
        {...counted}
        {...{ pathname, sort, page, filter, columns }}
        searchParams={params}
        actions={<UploadSites />}
        add={{ label: 'Add site', href: editHref('new') }}
        filters={[
          { placeholder: 'Search name or URL…', label: 'Search sites' },
          { param: 'status', label: 'Status', allLabel: 'All statuses', options: statusOptions, className },
          { param: 'niche', label: 'Niche', allLabel: 'All niches', options: niches, className },
          { param: 'country', label: 'Country', allLabel: 'All countries', options: countries, className },
          { param: 'postType', label: 'Post type', allLabel: 'All post types', options: postTypes, className },
          {
            param: 'ownership',
            label: 'Ownership',
            allLabel: 'Any ownership',
            options: ownershipOptions,
            className,
          },
          { param: 'userId', label: 'Owner', allLabel: 'All owners', options: ownerOptions, className },
        ]}
        listActions={
          <>
            <SavedViewsButton {...views} />
            {counted.total > 0 ? <ExportLink pathname={pathname} filter={filter} /> : null}
          </>
        }
        note={<SavedViewLinks {...views} />}
        dialog="site"
        caption="Sites"
        rows={sites}
        rowKey={(site) => String(site.id)}
        wide
        records="sites"
        empty={{
          icon: <Icon name="globe" />,
          title: 'No sites yet',
          children: 'Sites appear here once they’re added or imported.',
        }}
      />
      {sites.length > 0 ? <FigureLegend rows={sites.map(({ sources }) => sources)} hint="Point at a figure" /> : null}
      <BulkBar />
      <SiteDialog
        id={oneParam(params, 'site')}
        closeHref={withParams(pathname, params, { site: null })}
        niches={niches}
        postTypes={postTypes}
        countries={allCountries}
        statuses={siteStatuses}
        currencies={currencies}
        owners={owners}
        dayKind={dayKind}
      />
    </>
  );
}

const ownershipTones = { owner: 'text-green-ink', contributor: 'text-yellow-ink' };

/** Shows whether the owner of a site proved its domain; muted without a proof. */
const OwnershipText = ({ ownership }: Pick<AdminSiteView, 'ownership'>) => (
  <span className={ownership ? ownershipTones[ownership] : undefined}>{formatOwnership(ownership ?? 'none')}</span>
);

/** Returns the columns. @param editHref returns the URL that opens a site's dialog */
function siteColumns(ids: readonly number[], editHref: (id: number) => string): Column<ListedSite>[] {
  return [
    {
      key: 'tick',
      header: <SitesCheckbox ids={ids} />,
      phone: 'select',
      cell: (site) => <SiteCheckbox id={site.id} name={site.name} />,
      className: 'w-10',
    },
    {
      header: 'Website',
      phone: 'title',
      sortKey: 'name',
      cell: (site) => <SiteName site={site} editHref={editHref(site.id)} />,
      className: 'w-[26%] min-w-44 max-w-0',
    },
    {
      header: 'Ownership',
      cell: (site) => <TwoLines detail={<OwnershipText ownership={site.ownership} />}>{site.userName}</TwoLines>,
      className: 'w-[14%] min-w-28 max-w-0',
    },
    {
      header: 'Niche and type',
      cell: (site) => <TwoLines detail={site.postType}>{site.niche}</TwoLines>,
      className: 'w-[16%] min-w-28 max-w-0',
    },
    {
      header: 'Country',
      cell: (site) => <span className="block truncate">{site.country}</span>,
      className: 'w-[12%] min-w-24 max-w-0',
    },
    ...figureColumns(figure),
    {
      header: 'Seller price',
      phone: 'labeled',
      align: 'right',
      cell: (site) => <SitePrice price={site.price} currency={site.publicCurrency} />,
      className: 'whitespace-nowrap',
    },
    {
      header: 'Public price',
      phone: 'labeled',
      sortKey: 'price',
      firstOrder: 'desc',
      align: 'right',
      cell: (site) => <SitePrice price={site.publicPrice} currency={site.publicCurrency} />,
      className: 'whitespace-nowrap',
    },
    statusColumn(isAwaitingPrice, (site) => <PauseOf site={site} />),
  ];
}

/** Shows that the seller paused a site. */
const PauseOf = ({ site: { isPaused, pausedUntil } }: { site: AdminSiteView }) => (
  <PauseBadge pause={isPaused ? { until: pausedUntil ?? null } : null} />
);

/** Checks whether an approved site awaits its public price, without which it has none in USD. */
const isAwaitingPrice = ({ status, priceUsd }: AdminSiteView) => status === 'Approved' && priceUsd === null;

/** Shows a price in major units; a dash if null. */
function SitePrice({ price, currency }: { price: number | null; currency: Currency }) {
  const cents = price === null ? null : parseMoney(price);
  return cents === null ? '–' : <Money amountMinor={cents} currency={currency} />;
}
