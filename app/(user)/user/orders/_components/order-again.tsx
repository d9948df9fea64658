import { projectParam } from '@/components/sites/basket-address';
import { RecordDialog } from '@/components/table/record-dialog';
import { oneParam, type SearchParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { ButtonLink } from '@/components/ui/button-link';
import { DialogBody } from '@/components/ui/dialog';
import type { Actor } from '@/lib/access/actor';
import { readBuyerFrame } from '@/lib/dashboard/buyer';
import { priceAgain } from '@/lib/orders/pricing';
import { listProjectChoices } from '@/lib/projects/queries';
import { readTaxonomy } from '@/lib/taxonomy/queries';
import { findOrder } from './find-order';
import { NoSuchOrder } from './no-such-order';
import { OrderAgainDialog } from './order-again-dialog';
import { againParam, listAddress } from './orders-address';

/** The dialog that orders the same once more, at today's price. */
export async function OrderAgain({ actor, params }: { actor: Actor; params: SearchParams }) {
  const id = oneParam(params, againParam);
  const closeHref = listAddress(params);
  const order = await findOrder(actor, id);
  if (!order) return <NoSuchOrder key={id} closeHref={closeHref} />;
  const [price, projects, { niches, postTypes }, { balanceCents }] = await Promise.all([
    priceAgain(order),
    listProjectChoices(actor),
    readTaxonomy(),
    readBuyerFrame(actor),
  ]);
  const title = `Order #${order.id} again`;
  if ('refusal' in price) {
    return (
      <RecordDialog key={id} title={title} closeHref={closeHref} size="sm">
        <DialogBody className="grid gap-4">
          <Alert tone="warning">{price.refusal} Nothing was ordered.</Alert>
          <div className="flex flex-wrap justify-end gap-2">
            <ButtonLink href="/user/orders?new=package" scroll={false}>
              New Order
            </ButtonLink>
            <ButtonLink href="/user/marketplace" variant="primary">
              Find another site
            </ButtonLink>
          </div>
        </DialogBody>
      </RecordDialog>
    );
  }
  const { item } = price;
  return (
    <OrderAgainDialog
      key={id}
      title={title}
      closeHref={closeHref}
      userId={actor.userId}
      balanceCents={balanceCents}
      projects={projects}
      niches={niches}
      postTypes={postTypes}
      projectId={oneParam(params, projectParam) || order.projectId}
      orderId={order.id}
      item={{
        siteId: item.siteId,
        packageId: item.packageId,
        quantity: item.quantity,
        website: item.website,
        postType: item.postType,
        packageName: item.packageName,
        packageDesc: item.packageDesc,
        priceCents: item.priceCents,
        currency: item.currency,
        chargedCents: item.chargedCents,
      }}
      chargedThenCents={order.chargedCents}
    />
  );
}
