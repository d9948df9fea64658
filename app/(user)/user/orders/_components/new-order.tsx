import { projectParam } from '@/components/sites/basket-url';
import { oneParam, type SearchParams } from '@/components/table/url';
import type { Actor } from '@/lib/access/actor';
import { readBuyerLayout } from '@/lib/dashboard/buyer';
import { parseQuantity, validateQuantity } from '@/lib/orders/quantity';
import { listOfferedPackages } from '@/lib/packages/queries';
import { listProjectChoices } from '@/lib/projects/queries';
import { flags } from '@/lib/settings/feature-flags/flags';
import { isFlagOn } from '@/lib/settings/feature-flags/read-flags';
import { getExchangeRates } from '@/lib/settings/rates/exchange-rates';
import { readTaxonomy } from '@/lib/taxonomy/queries';
import { FeatureDisabledDialog } from './feature-disabled-dialog';
import { NewOrderDialog } from './new-order-dialog';
import { listUrl, packageParam, quantityParam } from './orders-url';

/** The New Order dialog, with the initial values from the URL. */
export async function NewOrder({ actor, params }: { actor: Actor; params: SearchParams }) {
  if (!(await isFlagOn('packages'))) {
    return <FeatureDisabledDialog title="New Order" text={flags.packages.off} closeHref={listUrl(params)} />;
  }
  const [offered, rates, projects, { niches, postTypes }, { balanceCents }] = await Promise.all([
    listOfferedPackages(),
    getExchangeRates(),
    listProjectChoices(actor),
    readTaxonomy(),
    readBuyerLayout(actor),
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
  const wanted = oneParam(params, packageParam);
  const quantity = parseQuantity(oneParam(params, quantityParam));
  return (
    <NewOrderDialog
      closeHref={listUrl(params)}
      userId={actor.userId}
      balanceCents={balanceCents}
      packages={packages}
      projects={projects}
      niches={niches}
      postTypes={postTypes}
      wanted={{
        packageId: packages.find(({ id }) => String(id) === wanted)?.id ?? null,
        isUnavailable: wanted !== '' && packages.every(({ id }) => String(id) !== wanted),
        quantity: validateQuantity(quantity) ? 1 : quantity,
        projectId: oneParam(params, projectParam),
      }}
    />
  );
}
