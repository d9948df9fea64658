import { screenTexts } from '@/components/shell/screen-texts';
import { FigureLegend } from '@/components/sites/figure-legend';
import { FigureValue } from '@/components/sites/figure-value';
import { PauseBadge } from '@/components/sites/pause-badge';
import { figureColumns, SiteName, statusColumn } from '@/components/sites/site-cells';
import { awaitingPriceLabel, formatFigure, SiteStatusBadge } from '@/components/sites/site-text';
import { actionsColumn, type Column, TwoLines } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordNotFound } from '@/components/table/record-dialog';
import { RecordList } from '@/components/table/record-list';
import {
  oneParam,
  readFilters,
  readIdPageParams,
  readSort,
  type SearchParams,
  withParams,
} from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { awaitingPrice, pausedSites, siteStatuses, siteStatusFilters } from '@/db/schema/sites';
import { requirePage } from '@/lib/auth/page-guard';
import { nullIfNotFound } from '@/lib/errors';
import { flags, isFlagOn } from '@/lib/settings/feature-flags';
import { getPlacementRules } from '@/lib/settings/placement-rules';
import { describeShownFigures } from '@/lib/sites/domain-figures/describe-figure';
import { siteIdParams } from '@/lib/sites/edit-schemas';
import { type ListedOwnership, listOwnOwnership } from '@/lib/sites/ownership/list-proofs';
import { getSiteOwnership } from '@/lib/sites/ownership/show';
import { formatRejectionReason } from '@/lib/sites/rejection-reasons';
import { findSellerSite, listSellerSites, sellerSortKeys } from '@/lib/sites/seller-queries';
import { type SellerSiteRow, sellerGaps } from '@/lib/sites/seller-view';
import { listWordPressStates } from '@/lib/sites/wordpress/connection';
import { connectResults } from '@/lib/sites/wordpress/contract';
import { getTaxonomy } from '@/lib/taxonomy/queries';
import { EditByFile } from './_components/edit-by-file';
import { AddSite, OwnSiteDialog, UploadSites } from './_components/own-site-dialog';
import type { OwnSiteChoices } from './_components/own-site-fields';
import { ProofNote, ProveSiteDialog } from './_components/prove-site';
import { SiteMenu } from './_components/site-menu';
import { OptionsDialog, OptionsLink } from './_components/site-options';
import { Ownership } from './_components/site-ownership';
import { SiteCheckbox, SiteSelection, SitesCheckbox } from './_components/site-selection';
import { ConnectDialog, WordPressLink } from './_components/site-wordpress';

const figure = (site: SellerSiteRow, metric: 'dr' | 'da' | 'traffic' | 'spam') => (
  <FigureValue
    text={formatFigure(site[metric], metric === 'spam' ? '%' : '')}
    origin={site.figureSources[metric]}
    isOwn
  />
);

/** Limits the name column to leave room for the others. */
const nameWidth = 'md:max-w-36 min-[110rem]:max-w-72';

/** A site with what is known of its domain. */
type ListedSite = SellerSiteRow & {
  known: ListedOwnership | undefined;
  wordpress: 'connected' | 'revoked' | undefined;
};

/** The URLs that open the dialogs of a site. */
type SiteHrefs = Record<'edit' | 'prove' | 'options' | 'wordpress', (id: number) => string>;

/** Returns the table's columns. The price is the seller's own. */
const siteColumns = (hrefs: SiteHrefs, ids: readonly number[], isReadOnly: boolean): Column<ListedSite>[] => [
  ...(isReadOnly ? [] : [tickColumn(ids)]),
  {
    key: 'website',
    header: 'Website',
    phone: 'title',
    sortKey: 'name',
    cell: (site) => <SiteName site={site} editHref={hrefs.edit(site.id)} className={nameWidth} />,
  },
  ...figureColumns(figure),
  {
    key: 'spam',
    header: 'Spam',
    phone: 'labeled',
    sortKey: 'spam',
    align: 'right',
    cell: (site) => figure(site, 'spam'),
  },
  { key: 'country', header: 'Country', phone: 'labeled', cell: (site) => <Cut>{site.country}</Cut> },
  { key: 'niche', header: 'Niche', phone: 'labeled', cell: (site) => <Cut>{site.niche}</Cut> },
  {
    key: 'type',
    header: 'Type',
    cell: (site) => <TwoLines detail={site.followType}>{site.postType}</TwoLines>,
    className: 'md:max-w-24 min-[110rem]:max-w-44',
  },
  {
    key: 'price',
    header: 'Your Price',
    phone: 'labeled',
    align: 'right',
    cell: (site) => (
      <>
        <YourPrice site={site} />
        <OptionsLink site={site} href={hrefs.options(site.id)} className="md:ml-auto" />
      </>
    ),
  },
  { key: 'tat', header: 'TAT', phone: 'labeled', cell: (site) => <Cut>{site.tat.toLowerCase() || '–'}</Cut> },
  {
    ...statusColumn((site) => site.isAwaitingPrice),
    phone: 'line',
    cell: (site) => (
      <>
        <SiteStatusBadge status={site.status} isAwaitingPrice={site.isAwaitingPrice} />
        <PausedFor site={site} />
        <RejectedFor site={site} />
        <Ownership site={site} href={hrefs.prove(site.id)} />
        <WordPressLink site={site} href={hrefs.wordpress(site.id)} />
      </>
    ),
  },
  ...(isReadOnly ? [] : [actionsColumn<ListedSite>((site) => <Actions site={site} hrefs={hrefs} />, { phone: 'end' })]),
];

const tickColumn = (ids: readonly number[]): Column<ListedSite> => ({
  key: 'tick',
  header: <SitesCheckbox ids={ids} />,
  phone: 'select',
  cell: (site) => <SiteCheckbox id={site.id} name={site.name} />,
  className: 'w-10',
});

const Actions = ({ site: { id, name, pausedAt }, hrefs }: { site: ListedSite; hrefs: SiteHrefs }) => (
  <SiteMenu site={{ id, name }} isPaused={pausedAt !== null} editHref={hrefs.edit(id)} />
);

const pathname = '/seller/my-sites';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

const statusOptions = [
  ...siteStatuses,
  { value: awaitingPrice, label: awaitingPriceLabel },
  { value: pausedSites, label: 'Paused' },
];
/** Two filters share a row on phones. */
const className = 'w-[calc(50%-0.25rem)] sm:w-44';
const gapOptions = [
  { value: 'niche', label: 'No niche or language' },
  { value: 'spam', label: 'Outdated spam score' },
  { value: 'metrics', label: 'Missing metrics' },
  { value: 'stale', label: 'Outdated or missing price' },
  { value: 'ownership', label: 'Domain not proved' },
];

export default async function MySites({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { userId, viewing } = await requirePage('seller', 'seller');
  const isReadOnly = viewing !== undefined;
  const params = await searchParams;
  const page = readIdPageParams(params);
  const sort = readSort(params, sellerSortKeys, { key: 'added', order: 'desc' });
  const { q } = readFilters(params, ['q']);
  const status = siteStatusFilters.find((known) => known === oneParam(params, 'status'));
  const gap = sellerGaps.find((known) => known === oneParam(params, 'gap'));
  const filter = { q, status, gap };
  const [found, { niches, postTypes }, takesNew, { dayKind }] = await Promise.all([
    listSellerSites(userId, { ...filter, sort, ...page.request }),
    getTaxonomy(),
    isFlagOn('site-uploads'),
    getPlacementRules(),
  ]);
  const isFiltered = Object.values(filter).some(Boolean);
  const ids = found.rows.map(({ id }) => id);
  const [known, wordpress] = await Promise.all([listOwnOwnership(userId, ids), listWordPressStates(userId, ids)]);
  const rows = found.rows.map((site) => ({ ...site, known: known.get(site.id), wordpress: wordpress.get(site.id) }));
  const closed = { site: null, prove: null, options: null, wordpress: null, result: null };
  const hrefs = {
    edit: (id: number) => withParams(pathname, params, { ...closed, site: id }),
    prove: (id: number) => withParams(pathname, params, { ...closed, prove: id }),
    options: (id: number) => withParams(pathname, params, { ...closed, options: id }),
    wordpress: (id: number) => withParams(pathname, params, { ...closed, wordpress: id }),
  };
  const open = oneParam(params, 'site');
  const toProve = oneParam(params, 'prove');
  const withOptions = oneParam(params, 'options');
  const toConnect = oneParam(params, 'wordpress');
  const wanted = takesNew ? oneParam(params, 'new') : '';
  const closeHref = withParams(pathname, params, { new: null });
  return (
    <>
      <RecordList
        {...texts}
        {...found}
        {...{ pathname, sort, page, filter, rows }}
        searchParams={params}
        actions={
          takesNew ? (
            <>
              <UploadSites />
              <AddSite niches={niches} postTypes={postTypes} dayKind={dayKind} />
            </>
          ) : (
            <p className="text-muted text-sm">{flags['site-uploads'].off}</p>
          )
        }
        listActions={
          found.total > 0 || isFiltered ? (
            <>
              <ExportLink {...{ pathname, filter }} />
              {isReadOnly ? null : <EditByFile exportHref={`${pathname}/export`} />}
            </>
          ) : undefined
        }
        filters={
          found.total > 0 || isFiltered
            ? [
                {
                  placeholder: 'Name, URL, niche or country',
                  label: 'Search your sites by name, URL, niche or country',
                },
                { param: 'status', label: 'Status', allLabel: 'All statuses', options: statusOptions, className },
                { param: 'gap', label: 'Missing or outdated', allLabel: 'All sites', options: gapOptions, className },
              ]
            : []
        }
        clearHref={pathname}
        caption="My Sites"
        columns={siteColumns(hrefs, ids, isReadOnly)}
        rowKey={(row) => String(row.id)}
        isSelected={(row) => [open, toProve, withOptions, toConnect].includes(String(row.id))}
        wide="90rem"
        noMatch={
          <EmptyState
            icon={<Icon name="search-x" />}
            title="No matching sites"
            action={<ButtonLink href={pathname}>Show all sites</ButtonLink>}
          >
            Try another search or remove filters.
          </EmptyState>
        }
        empty={{
          icon: <Icon name="globe" />,
          title: 'No sites yet.',
          children: takesNew ? 'Add one site, or import a CSV file with all of them.' : undefined,
          action: takesNew ? (
            <>
              <ButtonLink href={withParams(pathname, {}, { new: 'site' })} scroll={false} variant="primary">
                Add site
              </ButtonLink>
              <ButtonLink href={withParams(pathname, {}, { new: 'upload' })} scroll={false}>
                Bulk upload
              </ButtonLink>
            </>
          ) : undefined,
        }}
      />
      {found.total > 0 ? (
        <FigureLegend rows={found.rows.map(({ figureSources }) => figureSources)} hint="Point at a figure" />
      ) : null}
      {isReadOnly ? null : (
        <SiteSelection {...{ ids, filter, niches, dayKind }} total={found.total} isCapped={found.isCapped} />
      )}
      <ConnectDialog
        id={toConnect}
        ownerId={userId}
        result={connectResults.find((one) => one === oneParam(params, 'result'))}
        proveHref={hrefs.prove}
        closeHref={withParams(pathname, params, closed)}
      />
      <SiteDialog
        id={open}
        ownerId={userId}
        closeHref={withParams(pathname, params, { site: null })}
        niches={niches}
        postTypes={postTypes}
        dayKind={dayKind}
      />
      <OptionsDialog id={withOptions} ownerId={userId} closeHref={withParams(pathname, params, { options: null })} />
      <ProveDialog id={toProve} ownerId={userId} closeHref={withParams(pathname, params, { prove: null })} />
      {wanted === 'site' ? (
        <OwnSiteDialog at={{ closeHref }} niches={niches} postTypes={postTypes} dayKind={dayKind} />
      ) : null}
      {wanted === 'upload' ? <UploadSites closeHref={closeHref} /> : null}
    </>
  );
}

type SiteDialogProps = OwnSiteChoices & {
  /** The URL parameter as received; '' if absent. */
  id: string;
  ownerId: string;
  closeHref: string;
};

/** Renders the dialog of the site in the URL. */
async function SiteDialog({ id, ownerId, closeHref, ...choices }: SiteDialogProps) {
  if (id === '') return null;
  const params = siteIdParams.safeParse({ id });
  const [site, known] = params.success
    ? await Promise.all([findSellerSite(ownerId, params.data.id), findOwnership(ownerId, params.data.id)])
    : [];
  if (!site || !known) return <RecordNotFound key={id} noun="site" closeHref={closeHref} />;
  const proof = <ProofNote siteId={site.id} known={known} />;
  const shown = describeShownFigures(site.figureSources, site, 'seller');
  return <OwnSiteDialog key={id} {...{ site, proof, closeHref, shown }} {...choices} />;
}

const findOwnership = (ownerId: string, id: number) => nullIfNotFound(getSiteOwnership(ownerId, id));

/** Renders the dialog that proves the site in the URL. */
async function ProveDialog({ id, ownerId, closeHref }: Pick<SiteDialogProps, 'id' | 'ownerId' | 'closeHref'>) {
  if (id === '') return null;
  const params = siteIdParams.safeParse({ id });
  const known = params.success ? await findOwnership(ownerId, params.data.id) : null;
  if (!params.success || !known) return <RecordNotFound key={id} noun="site" closeHref={closeHref} />;
  return <ProveSiteDialog key={id} siteId={params.data.id} {...{ known, closeHref }} />;
}

/** Renders a text of any length in a column. */
const Cut = ({ children }: { children: string }) => (
  <span className="md:block md:max-w-22 md:truncate min-[110rem]:max-w-40">{children}</span>
);

/** Shows that the seller paused a site, and until when, below its status. */
const PausedFor = ({ site: { pausedAt, pausedUntil } }: { site: SellerSiteRow }) => (
  <PauseBadge pause={pausedAt && { until: pausedUntil }} />
);

/** Shows why a site was rejected, below its status. */
function RejectedFor({ site: { status, rejectionReason } }: { site: SellerSiteRow }) {
  if (status !== 'Rejected' || rejectionReason === null) return null;
  return (
    <p className="mt-0.5 text-muted text-xs min-[110rem]:max-w-none md:max-w-36 md:truncate">
      {formatRejectionReason(rejectionReason)}
    </p>
  );
}

function YourPrice({ site }: { site: SellerSiteRow }) {
  if (site.sellerPriceCents === null) return '–';
  return <Money amountMinor={site.sellerPriceCents} currency={site.currency} />;
}
