import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import type { ComponentProps } from 'react';
import { FeatureDisabled } from '@/components/shell/notices';
import { screenTexts } from '@/components/shell/screen-texts';
import { FigureLegend } from '@/components/sites/figure-legend';
import { PostTypeTabs } from '@/components/sites/filters/catalogue-parts';
import { describeIgnoredParam } from '@/components/sites/filters/describe-ignored-param';
import { filterParams, followTypes, marketplacePath } from '@/components/sites/filters/filter-params';
import { type ActiveFilter, listActiveFilters } from '@/components/sites/filters/list-active-filters';
import { parseListUrl } from '@/components/sites/filters/parse-list-url';
import { ProjectPicker } from '@/components/sites/filters/project-picker';
import { SiteFilters } from '@/components/sites/filters/site-filters';
import { siteColumns } from '@/components/sites/site-columns';
import { SiteTable } from '@/components/sites/site-table';
import { Pagination } from '@/components/table/pagination';
import { allParams, firstPage, type SearchParams, withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { ButtonLink } from '@/components/ui/button';
import { EmptyState, PageOutOfRange } from '@/components/ui/empty-state';
import { formatCount } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { getBuyerLayout } from '@/lib/dashboard/buyer';
import { getCartState } from '@/lib/orders/carts/cart-sites';
import { findCurrentProject, listProjectOptions, noProject } from '@/lib/orders/carts/current-project';
import { listSitesOfPublishers } from '@/lib/orders/order/create-placements';
import { runAfterResponse } from '@/lib/platform/lifecycle/run-after-response';
import type { ProjectChoiceRow } from '@/lib/projects/projects';
import { flags, isFlagOn } from '@/lib/settings/feature-flags';
import { openCatalogue } from '@/lib/sites/catalogue/catalogue';
import { parseSiteFilter } from '@/lib/sites/catalogue/schemas';
import {
  applyProject,
  countForViewer,
  getMarketplaceData,
  listForViewer,
  type Viewer,
} from '@/lib/sites/preferences/marketplace';
import { listFavouriteIds, saveView } from '@/lib/sites/preferences/preferences';
import { normalizeView } from '@/lib/sites/preferences/schemas';
import { marketplaceRows } from '@/lib/sites/views';
import { getPageTax } from '@/lib/tax/buyer-tax';
import { ListTools } from './_components/list-tools';
import { OpenedSite } from './_components/opened-site';
import { CartBar, SavedFilters } from './_components/panels';
import { isPlain, PlainFilters, PlainFiltersLink } from './_components/plain-filters';
import { markSiteAction } from './actions';

/** The maximum number of suggested filters to remove. */
const maxProposals = 4;

const texts = screenTexts('/user/marketplace');

export const metadata: Metadata = { title: texts.title };

export default async function MarketplacePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'account:orders');
  if (!(await isFlagOn('marketplace'))) return <FeatureDisabled title={texts.title} text={flags.marketplace.off} />;
  const params = await searchParams;
  const { filter: inUrl, ignored: unread, page, sort, cursor, show, view } = parseListUrl(params);
  const [data, { balanceCents, mayTopUp, isLimited, carts }, tax] = await Promise.all([
    getMarketplaceData(actor, inUrl.projectId),
    getBuyerLayout(actor),
    getPageTax(actor.accountId, actor.accountRole),
  ]);
  const { version, postTypes, niches, preferences, projects, hasBlocks } = data;
  restoreView(params, preferences.query, projects);
  const project = findCurrentProject(projects, carts, inUrl.projectId ?? '', actor);
  const filter = applyProject({ ...inUrl, projectId: project?.id }, projects);
  const { projectId } = filter;
  const inForce: Record<string, string> =
    projectId === undefined ? {} : { projectId, hideLinked: filter.hideLinked ?? '0' };
  const isKnown = [undefined, projectId ?? noProject].includes(inUrl.projectId);
  const ignored = isKnown ? unread : [...unread, 'projectId'];
  const postType = postTypes.find((name) => name === filter.postType) ?? postTypes[0];
  const marked = {
    favourites: preferences.favourites.get(postType ?? '') ?? 0,
    hidden: preferences.hidden.get(postType ?? '') ?? 0,
  };
  const viewer = { accountId: actor.accountId, hasBlocks, show, seen: actor.seen };
  const place = cursor ? { cursor } : { offset: page.offset };
  const catalogue = await openCatalogue(version);
  const [{ rows, total, isCapped, next, previous }, facets, cart] = await Promise.all([
    listForViewer(catalogue, { ...filter, postType, limit: page.limit, ...place }, viewer, marked.hidden),
    catalogue.facets(),
    getCartState(actor, projectId ?? null),
  ]);
  const ids = rows.map(({ id }) => id);
  const [ofPublishers, favourites] = await Promise.all([
    listSitesOfPublishers(actor.accountId, ids),
    listFavouriteIds(actor.accountId, marked.favourites > 0 ? ids : []),
  ]);

  const shown = normalizeView(withParams('', params, {}).slice(1));
  if (shown !== null && shown !== preferences.query && !actor.viewing) {
    runAfterResponse('marketplace view', () => saveView(actor, shown));
  }
  const read = (name: string) => (ignored.includes(name) ? [] : allParams(params, name));
  const activeFilters = listActiveFilters(read);
  const { countries, languages } = facets;
  const choices = { niche: niches, country: countries, language: languages, followType: followTypes };
  const without = Object.fromEntries(filterParams.map((name) => [name, null]));
  const isFiltered = filterParams.some((name) => allParams(params, name).some(Boolean));
  const clearHref = isFiltered ? withParams(marketplacePath, params, { ...firstPage, ...without }) : null;
  const isShown = (key: string) => preferences.columns?.includes(key) ?? true;
  const columns = siteColumns.filter(({ key, choice }) => !choice || isShown(key)).map(({ key }) => key);
  return (
    <div data-marketplace="">
      <PageHeader {...texts} />
      <PostTypeTabs names={postTypes} current={postType} />
      <div className="h-4" />
      <ProjectPicker
        options={listProjectOptions(projects, actor)}
        current={projectId ?? noProject}
        isLinkedHidden={project && filter.hideLinked === '1'}
      />
      {isPlain(params) ? <PlainFilters choices={choices} read={read} /> : <PlainFiltersLink params={params} />}
      <SiteFilters choices={choices} postType={postType} project={inForce} ignored={ignored}>
        <SavedFilters saved={preferences.savedFilters} />
      </SiteFilters>
      {ignored.length > 0 ? (
        <Alert tone="warning" className="mb-3">
          {ignored.map((name) => describeIgnoredParam(name, allParams(params, name).join(', '))).join(' ')}
        </Alert>
      ) : null}
      <p role="status" className="sr-only">
        {formatCount({ total, isCapped })} {total === 1 ? 'site' : 'sites'}
      </p>
      <div className="rounded-lg border border-line bg-surface">
        <ListTools
          {...{ show, view, columns }}
          total={formatCount({ total, isCapped })}
          {...marked}
          sortValue={`${sort.key}.${sort.order}`}
        />
        {rows.length > 0 ? (
          <SiteTable
            rows={marketplaceRows(rows, ofPublishers)}
            {...{ columns, favourites, sort, view }}
            cart={cart}
            projectDomain={project?.domain}
            pathname={marketplacePath}
            searchParams={params}
            isChosen={preferences.columns !== null}
            areHidden={show === 'hidden'}
            markSite={markSiteAction}
            hasDrawer
          />
        ) : (
          <NoSites
            show={show}
            clearHref={clearHref}
            lastPageHref={
              total > 0
                ? withParams(marketplacePath, params, { ...firstPage, page: Math.ceil(total / page.rows) })
                : null
            }
            relaxations={
              total === 0 ? await findRelaxations(activeFilters, params, { postType, projects, project }, viewer) : []
            }
          />
        )}
        {total > 0 ? (
          <Pagination
            pathname={marketplacePath}
            searchParams={params}
            page={page}
            total={total}
            {...{ isCapped, next, previous }}
          />
        ) : null}
      </div>
      {rows.length > 0 ? <FigureLegend rows={rows.map(({ figureSources }) => figureSources)} /> : null}
      <OpenedSite
        cart={cart}
        project={project}
        params={params}
        ids={ids}
        list={{ page, total, isCapped, cursors: { next, previous } }}
      />
      {actor.viewing ? null : (
        <CartBar {...{ cart, balanceCents, mayTopUp, isLimited, tax }} projectId={projectId ?? ''} />
      )}
    </div>
  );
}

/**
 * Leads to the last view of the buyer if the URL has no parameter. What it says of a project that no longer exists is
 * left out.
 */
function restoreView(params: SearchParams, stored: string, projects: readonly ProjectChoiceRow[]): void {
  if (Object.keys(params).length > 0) return;
  const view = new URLSearchParams(normalizeView(stored) ?? '');
  const projectId = view.get('projectId');
  if (projectId !== null && projectId !== noProject && !projects.some(({ id }) => id === projectId)) {
    view.delete('projectId');
    view.delete('hideLinked');
  }
  if (view.size > 0) redirect(`${marketplacePath}?${view}`);
}

/** Finds the filters whose removal yields results when no site matches, most results first. */
async function findRelaxations(
  activeFilters: readonly ActiveFilter[],
  params: SearchParams,
  {
    postType,
    projects,
    project,
  }: { postType: string | undefined; projects: readonly ProjectChoiceRow[]; project: ProjectChoiceRow | null },
  viewer: Viewer,
): Promise<Relaxation[]> {
  const tried = await Promise.all(
    activeFilters.map(async ({ text, params: names }) => {
      const { filter } = parseSiteFilter((name) => (names.includes(name) ? [] : allParams(params, name)));
      const counted = await countForViewer(
        { ...applyProject({ ...filter, projectId: project?.id }, projects), postType },
        viewer,
      );
      const without = Object.fromEntries(names.map((name) => [name, null]));
      return { text, href: withParams(marketplacePath, params, { ...firstPage, ...without }), ...counted };
    }),
  );
  return tried
    .filter(({ total }) => total > 0)
    .sort((one, other) => other.total - one.total)
    .slice(0, maxProposals);
}

/** The list without one of the filters: its label, URL and number of results. */
type Relaxation = { text: string; href: string; total: number; isCapped: boolean };

type NoSitesProps = {
  show: 'all' | 'favourites' | 'hidden';
  /** The URL of the list without filters; null if no filter is set. */
  clearHref: string | null;
  /** The URL of the last page if the requested page is beyond it. */
  lastPageHref: string | null;
  /** The filters whose removal yields results, most results first. */
  relaxations: readonly Relaxation[];
};

/**
 * Renders the empty state of the list, with a next step for each cause: no match, page out of range, no marked sites,
 * or no sites on sale.
 */
function NoSites({ show, clearHref, lastPageHref, relaxations }: NoSitesProps) {
  if (lastPageHref) return <PageOutOfRange lastPageHref={lastPageHref} />;
  if (clearHref) {
    return (
      <EmptyState
        icon={<Icon name="search-x" />}
        title="No matching sites"
        action={<ButtonLink href={clearHref}>Clear filters</ButtonLink>}
      >
        {relaxations.length > 0 ? (
          <RelaxFilters relaxations={relaxations} />
        ) : (
          'Removing one filter isn’t enough. Widen a range or clear all filters.'
        )}
      </EmptyState>
    );
  }
  return <EmptyState {...emptyLists[show]} />;
}

const emptyLists: Record<NoSitesProps['show'], ComponentProps<typeof EmptyState>> = {
  all: { icon: <Icon name="store" />, title: 'No sites of this type yet', children: 'Approved sites appear here.' },
  favourites: {
    icon: <Icon name="star" />,
    title: 'No favorites of this type yet',
    children: 'Select the star next to a site to add it here.',
  },
  hidden: {
    icon: <Icon name="eye-off" />,
    title: 'No hidden sites of this type',
    children: 'Select the eye at the end of a row to hide a site. Hidden sites appear here.',
  },
};

function RelaxFilters({ relaxations }: { relaxations: readonly Relaxation[] }) {
  return (
    <>
      <p>Remove one of these filters to see more sites:</p>
      <ul className="mt-3 grid justify-items-center gap-1.5">
        {relaxations.map(({ text, href, total, isCapped }) => (
          <li key={href}>
            <Link prefetch={false} href={href} scroll={false} className="rounded-sm text-accent-ink hover:underline">
              Without <span className="font-medium">{text}</span>
            </Link>{' '}
            {total.toLocaleString('en-US')}
            {isCapped ? '+' : ''} {total === 1 ? 'site' : 'sites'}
          </li>
        ))}
      </ul>
    </>
  );
}
