import { markSiteAction } from '@/app/(user)/user/marketplace/actions';
import { FigureLegend } from '@/components/sites/figure-legend';
import { filterParams, followTypes } from '@/components/sites/filters/filter-params';
import { parseListUrl } from '@/components/sites/filters/parse-list-url';
import { siteColumns } from '@/components/sites/site-columns';
import { SiteTable } from '@/components/sites/site-table';
import { RecordDialog } from '@/components/table/record-dialog';
import { firstPage, oneParam, type SearchParams, withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { DialogBody } from '@/components/ui/dialog';
import type { Actor } from '@/lib/access/actor';
import { getBuyerLayout } from '@/lib/dashboard/buyer';
import { getCartState } from '@/lib/orders/carts/cart-sites';
import { findCurrentProject, listProjectOptions } from '@/lib/orders/carts/current-project';
import { parseQuantity, validateQuantity } from '@/lib/orders/order/amounts';
import { listOfferedPackages } from '@/lib/packages/packages';
import { listProjectChoices } from '@/lib/projects/projects';
import { getExchangeRates } from '@/lib/settings/exchange-rates';
import { flags, isFlagOn } from '@/lib/settings/feature-flags';
import { openCatalogue } from '@/lib/sites/catalogue/catalogue';
import { applyProject, getMarketplaceData, listForViewer } from '@/lib/sites/preferences/marketplace';
import { listFavouriteIds } from '@/lib/sites/preferences/preferences';
import { marketplaceRows } from '@/lib/sites/views';
import { getPageTax } from '@/lib/tax/buyer-tax';
import { getTaxonomy } from '@/lib/taxonomy/queries';
import { BuildCustomDialog, NewOrderDialog } from './order-dialogs';
import { listUrl, ordersPagePath, packageParam, projectParam, quantityParam } from './orders-url';

type PartOffDialogProps = { title: string; text: string; closeHref: string };

/** Renders the dialog of a disabled feature. */
function FeatureDisabledDialog({ title, text, closeHref }: PartOffDialogProps) {
  return (
    <RecordDialog title={title} closeHref={closeHref} size="sm">
      <DialogBody>
        <Alert>{text}</Alert>
      </DialogBody>
    </RecordDialog>
  );
}

/** Renders the New Order dialog, with the initial values from the URL. */
export async function NewOrder({ actor, params }: { actor: Actor; params: SearchParams }) {
  if (!(await isFlagOn('packages'))) {
    return <FeatureDisabledDialog title="New Order" text={flags.packages.off} closeHref={listUrl(params)} />;
  }
  const [offered, rates, projects, { niches, postTypes }, { balanceCents, mayTopUp, isLimited }, tax] =
    await Promise.all([
      listOfferedPackages(),
      getExchangeRates(),
      listProjectChoices(actor),
      getTaxonomy(),
      getBuyerLayout(actor),
      getPageTax(actor.accountId, actor.accountRole),
    ]);
  const packages = offered.map(({ id, name, description, priceCents, currency, usdCents }) => ({
    id,
    name,
    description,
    priceCents,
    currency,
    usdCents,
    usdMicrosPerUnit: rates.get(currency) ?? 1_000_000,
  }));
  const requested = oneParam(params, packageParam);
  const quantity = parseQuantity(oneParam(params, quantityParam));
  return (
    <NewOrderDialog
      closeHref={listUrl(params)}
      userId={actor.accountId}
      mayCreateProjects={actor.projectIds === null}
      {...{ balanceCents, mayTopUp, isLimited, packages, projects, niches, postTypes, tax }}
      wanted={{
        packageId: packages.find(({ id }) => String(id) === requested)?.id ?? null,
        isUnavailable: requested !== '' && packages.every(({ id }) => String(id) !== requested),
        quantity: validateQuantity(quantity) ? 1 : quantity,
        projectId: oneParam(params, projectParam),
      }}
    />
  );
}

/** The picker's default page size, which fits a dialog without much scrolling. */
const defaultRows = 20;

/** Renders the Build Custom dialog, with the marketplace's sites filtered by the URL. */
export async function BuildCustom({ actor, params }: { actor: Actor; params: SearchParams }) {
  if (!(await isFlagOn('marketplace'))) {
    return <FeatureDisabledDialog title="Build Custom" text={flags.marketplace.off} closeHref={listUrl(params)} />;
  }
  const { filter: inUrl, ignored, page, sort, cursor, show: requestedShow } = parseListUrl(params, defaultRows);
  const show = requestedShow === 'favourites' ? ('favourites' as const) : ('all' as const);
  const [data, { balanceCents, mayTopUp, isLimited, carts }, tax] = await Promise.all([
    getMarketplaceData(actor, inUrl.projectId),
    getBuyerLayout(actor),
    getPageTax(actor.accountId, actor.accountRole),
  ]);
  const { version, postTypes, niches, preferences, projects, hasBlocks } = data;
  const project = findCurrentProject(projects, carts, inUrl.projectId ?? '', actor);
  const filter = applyProject({ ...inUrl, projectId: project?.id }, projects);
  const projectId = project?.id;
  const postType = postTypes.find((name) => name === filter.postType) ?? postTypes[0];
  const hidden = preferences.hidden.get(postType ?? '') ?? 0;
  const place = cursor ? { cursor } : { offset: page.offset };
  const catalogue = await openCatalogue(version);
  const viewer = { accountId: actor.accountId, hasBlocks, show, seen: actor.seen };
  const [list, facets, cart] = await Promise.all([
    listForViewer(catalogue, { ...filter, postType, limit: page.limit, ...place }, viewer, hidden),
    catalogue.facets(),
    getCartState(actor, projectId ?? null),
  ]);
  const { rows, total, isCapped, next, previous } = list;
  const favourites = await listFavouriteIds(
    actor.accountId,
    rows.map(({ id }) => id),
  );
  const without = Object.fromEntries([...filterParams, 'show'].map((name) => [name, null]));
  return (
    <BuildCustomDialog
      closeHref={listUrl(params)}
      {...{ cart, balanceCents, mayTopUp, isLimited, tax }}
      table={
        rows.length > 0 ? (
          <>
            <SiteTable
              rows={marketplaceRows(rows)}
              columns={siteColumns.filter(({ isInPicker }) => isInPicker).map(({ key }) => key)}
              favourites={favourites}
              isChosen
              cart={cart}
              projectDomain={project?.domain}
              sort={sort}
              pathname={ordersPagePath}
              searchParams={params}
              view="table"
              areHidden={false}
              markSite={markSiteAction}
            />
            <FigureLegend rows={rows.map(({ figureSources }) => figureSources)} hint="Point at a figure" />
          </>
        ) : null
      }
      list={{
        show,
        page,
        ...{ total, isCapped, next, previous },
        postTypes,
        postType,
        project: projectId === undefined ? {} : { projectId, hideLinked: filter.hideLinked ?? '0' },
        projects: listProjectOptions(projects, actor),
        choices: { niche: niches, country: facets.countries, language: facets.languages, followType: followTypes },
        favourites: preferences.favourites.get(postType ?? '') ?? 0,
        ignored,
        params,
        clearHref: withParams(ordersPagePath, params, { ...firstPage, ...without }),
        lastPageHref: withParams(ordersPagePath, params, { ...firstPage, page: Math.ceil(total / page.rows) }),
      }}
    />
  );
}
