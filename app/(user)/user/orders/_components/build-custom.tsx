import { markSiteAction } from '@/app/(user)/user/marketplace/actions';
import { filterParams, followTypes } from '@/components/sites/filters/filter-params';
import { parseListUrl } from '@/components/sites/filters/parse-list-url';
import { siteColumns } from '@/components/sites/site-columns';
import { SiteTable } from '@/components/sites/site-table';
import { firstPage } from '@/components/table/page-params';
import { type SearchParams, withParams } from '@/components/table/url';
import type { Actor } from '@/lib/access/actor';
import { readBuyerLayout } from '@/lib/dashboard/buyer';
import { maxSitesPerOrder } from '@/lib/orders/schemas';
import { flags } from '@/lib/settings/feature-flags/flags';
import { isFlagOn } from '@/lib/settings/feature-flags/read-flags';
import { openCatalogue } from '@/lib/sites/catalogue/catalogue';
import { sitePageSizes } from '@/lib/sites/catalogue/schemas';
import { readMarketplaceData } from '@/lib/sites/preferences/marketplace-data';
import { listFavouriteIds } from '@/lib/sites/preferences/queries';
import { listForViewer } from '@/lib/sites/preferences/viewer-condition';
import { marketplaceRow } from '@/lib/sites/views';
import { BuildCustomDialog } from './build-custom-dialog';
import { FeatureDisabledDialog } from './feature-disabled-dialog';
import { listUrl, ordersPagePath } from './orders-url';

/** The picker's default page size, which fits a dialog without much scrolling. */
const defaultRows = 20;

/** The Build Custom dialog, with the marketplace's sites filtered by the URL. */
export async function BuildCustom({ actor, params }: { actor: Actor; params: SearchParams }) {
  if (!(await isFlagOn('marketplace'))) {
    return <FeatureDisabledDialog title="Build Custom" text={flags.marketplace.off} closeHref={listUrl(params)} />;
  }
  const { filter, ignored, page, sort, cursor, show: requestedShow } = parseListUrl(params, defaultRows);
  const show = requestedShow === 'favourites' ? ('favourites' as const) : ('all' as const);
  const { version, postTypes, niches, preferences, projects } = await readMarketplaceData(actor.userId);
  const postType = postTypes.find((name) => name === filter.postType) ?? postTypes[0];
  const hidden = preferences.hidden.get(postType ?? '') ?? 0;
  const place = cursor ? { cursor } : { offset: page.offset };
  const catalogue = await openCatalogue(version);
  const viewer = { userId: actor.userId, show };
  const [list, facets, { balanceCents }] = await Promise.all([
    listForViewer(catalogue, { ...filter, postType, limit: page.limit, ...place }, viewer, hidden),
    catalogue.facets(),
    readBuyerLayout(actor),
  ]);
  const { rows, total, isCapped, next, previous } = list;
  const favourites = await listFavouriteIds(
    actor.userId,
    rows.map(({ id }) => id),
  );
  const without = Object.fromEntries([...filterParams, 'show'].map((name) => [name, null]));
  return (
    <BuildCustomDialog
      closeHref={listUrl(params)}
      facts={{ userId: actor.userId, balanceCents, projects, niches, postTypes }}
      table={
        rows.length > 0 ? (
          <SiteTable
            rows={rows.map(marketplaceRow)}
            columns={siteColumns.filter(({ isInPicker }) => isInPicker).map(({ key }) => key)}
            favourites={favourites}
            isChosen
            userId={actor.userId}
            sort={sort}
            pathname={ordersPagePath}
            searchParams={params}
            maxSelected={maxSitesPerOrder}
            view="table"
            areHidden={false}
            markSite={markSiteAction}
          />
        ) : null
      }
      list={{
        show,
        page,
        total,
        isCapped,
        cursors: { next, previous },
        postTypes,
        postType,
        choices: { niche: niches, country: facets.countries, language: facets.languages, followType: followTypes },
        favourites: preferences.favourites.get(postType ?? '') ?? 0,
        ignored,
        params,
        sizes: sitePageSizes,
        defaultRows,
        clearHref: withParams(ordersPagePath, params, { ...firstPage, ...without }),
        lastPageHref: withParams(ordersPagePath, params, { ...firstPage, page: Math.ceil(total / page.rows) }),
      }}
    />
  );
}
