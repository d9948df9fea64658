import { DownloadLinks } from '@/components/invoices/download-links';
import { InvoiceSheet, InvoiceTabs } from '@/components/invoices/invoice-sheet';
import { MissingInvoice, PendingNotice } from '@/components/invoices/missing-invoice';
import { PrintButton } from '@/components/invoices/print-button';
import type { BriefEdit } from '@/components/orders/brief-draft';
import { DeliveryNote } from '@/components/orders/delivery-note';
import { OrderBrief } from '@/components/orders/order-brief';
import { OrderFacts } from '@/components/orders/order-facts';
import { DownloadLink, LiveLink } from '@/components/orders/order-links';
import { OrderTimeline } from '@/components/orders/order-steps';
import { OrderStatusBadge } from '@/components/orders/state-badges';
import { RecordDialog, RecordNotFound } from '@/components/table/record-dialog';
import { oneParam, type SearchParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { ButtonLink } from '@/components/ui/button';
import { DialogBody, DialogFooter } from '@/components/ui/dialog';
import type { Actor } from '@/lib/access/actor';
import { getBuyerLayout } from '@/lib/dashboard/buyer';
import { readsDocumentsOf } from '@/lib/invoices/document-scope';
import { buyerOrderView, type OrderRow } from '@/lib/orders/contract';
import { describeFinding } from '@/lib/orders/describe-finding';
import { describeAddress } from '@/lib/orders/describe-status';
import { listNewestChecks } from '@/lib/orders/link-checks/queries';
import { getTimeline } from '@/lib/orders/notices/timeline';
import { listOrderers } from '@/lib/orders/order/orderers';
import { repriceOrder } from '@/lib/orders/order/pricing';
import { getSiteOffers } from '@/lib/orders/order/site-offers';
import { isBriefEditable } from '@/lib/orders/order/write-briefs';
import { listChanges } from '@/lib/orders/placements/changes/queries';
import { listProjectChoices } from '@/lib/projects/projects';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { getPageTax } from '@/lib/tax/buyer-tax';
import { getTaxonomy } from '@/lib/taxonomy/queries';
import { ReviewActions } from './buyer-actions';
import { chosenInvoice, findInvoices, findOrder, isSiteDofollow } from './find-order';
import { BuildCustom, NewOrder } from './new-order';
import { OrderAgainDialog } from './order-dialogs';
import { againParam, documentParam, invoiceParam, listUrl, newParam, projectParam } from './orders-url';

/** Renders the dialog that the URL opens, if any. Only one dialog is open at a time. */
export function OpenDialog({ actor, params }: { actor: Actor; params: SearchParams }) {
  const kind = oneParam(params, newParam);
  if (kind === 'package') return <NewOrder actor={actor} params={params} />;
  if (kind === 'custom') return <BuildCustom actor={actor} params={params} />;
  if (oneParam(params, againParam) !== '') return <OrderAgain actor={actor} params={params} />;
  const billed = oneParam(params, invoiceParam);
  if (billed !== '') return <InvoiceDialog actor={actor} params={params} id={billed} />;
  const id = oneParam(params, 'order');
  return id === '' ? null : <OrderDetails actor={actor} params={params} id={id} />;
}

/** `id` is the order's id as received in the URL. */
type OrderDialogProps = { actor: Actor; params: SearchParams; id: string };

/** Displays an order's invoice for viewing and printing. The invoice also has a page, which can be shared. */
async function InvoiceDialog({ actor, params, id }: OrderDialogProps) {
  const closeHref = listUrl(params);
  const found = await findInvoices(actor, id);
  if (!found) return <OrderNotFound key={id} closeHref={closeHref} />;
  const { invoices, pending, deliveries } = found;
  const shown = chosenInvoice(invoices, oneParam(params, documentParam));
  if (!shown) {
    return (
      <RecordDialog key={`invoice ${id}`} title={`Invoice of order #${Number(id)}`} closeHref={closeHref} size="sm">
        <MissingInvoice pending={pending} />
      </RecordDialog>
    );
  }
  const kind = shown.kind === 'invoice' ? 'Invoice' : 'Credit note';
  return (
    <RecordDialog key={`invoice ${id}`} title={`${kind} of order #${shown.orderId}`} closeHref={closeHref} size="xl">
      <DialogBody>
        {pending ? <PendingNotice pending={pending} /> : null}
        <InvoiceTabs
          invoices={invoices}
          shown={shown}
          hrefOf={(number) => listUrl(params, { [invoiceParam]: id, [documentParam]: number })}
        />
        <InvoiceSheet invoice={shown} branding={await getBranding()} deliveries={deliveries[shown.number]} />
      </DialogBody>
      <DialogFooter>
        <ButtonLink href={`/user/orders/${shown.orderId}/invoice?document=${shown.number}`}>
          Open as full page
        </ButtonLink>
        <DownloadLinks number={shown.number} hasStructuredFormats={shown.hasStructuredFormats} />
        <PrintButton />
      </DialogFooter>
    </RecordDialog>
  );
}

/** Renders the dialog of the order in the URL. */
async function OrderDetails({ actor, params, id }: OrderDialogProps) {
  const closeHref = listUrl(params);
  const row = await findOrder(actor, id);
  if (!row) return <OrderNotFound key={id} closeHref={closeHref} />;
  const order = buyerOrderView(row);
  const [timeline, follow, checks, orderers] = await Promise.all([
    getTimeline(row, 'buyer', actor.userId),
    isSiteDofollow(row.siteId),
    listNewestChecks([order.id]),
    listOrderers(actor, [row]),
  ]);
  const orderedBy = orderers.get(order.id);
  const check = checks.get(order.id);
  const verdict = check?.verdict ?? null;
  const toReview = order.placement?.state === 'delivered' ? order.placement : null;
  return (
    <RecordDialog
      key={id}
      title={
        <span className="flex items-center gap-2.5">
          Order #{order.id} <OrderStatusBadge order={{ ...order, verdict }} side="buyer" />
        </span>
      }
      closeHref={closeHref}
    >
      <DialogBody className="grid gap-6">
        {toReview ? (
          <section
            aria-label="Review"
            className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-line bg-sunken px-4 py-3"
          >
            {toReview.deliveredUrl ? <LiveLink url={toReview.deliveredUrl} className="justify-self-start" /> : null}
            <DeliveryNote check={check} reason={toReview.deliveryReason} />
            <div className="flex flex-wrap gap-2">
              <ReviewActions order={order} placement={toReview} finding={describeFinding(check, order, { follow })} />
            </div>
          </section>
        ) : null}
        {order.linkUrl || order.contentPath ? (
          <section
            aria-label="Delivery"
            className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-line bg-sunken px-4 py-3"
          >
            {order.linkUrl ? (
              <p className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
                <span className="text-muted text-xs">{describeAddress({ ...order, verdict })}</span>
                <LiveLink url={order.linkUrl} className="justify-self-start" />
              </p>
            ) : null}
            {order.contentPath ? (
              <div className="flex flex-wrap items-center justify-between gap-2">
                <p className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-0.5">
                  <span className="text-muted text-xs">Content</span>
                  <span className="truncate text-ink">{order.contentFileName}</span>
                </p>
                <DownloadLink href={order.contentPath} fileName={order.contentFileName} />
              </div>
            ) : null}
          </section>
        ) : null}
        {order.adminComments ? (
          <section>
            <h3 className="mb-1.5 text-ink text-sm">Comments</h3>
            <p className="whitespace-pre-wrap wrap-anywhere text-muted">{order.adminComments}</p>
          </section>
        ) : null}
        <OrderBrief orderId={order.id} brief={order.brief} isEditable={isBriefEditable(order)} follow={follow} />
        <OrderFacts order={order} extra={orderedBy === undefined ? [] : [['Ordered by', orderedBy]]} />
        <section>
          <h3 className="mb-3 text-ink text-sm">Timeline</h3>
          <OrderTimeline entries={timeline} />
        </section>
      </DialogBody>
      <DialogFooter>
        <ButtonLink href={`/user/orders/${order.id}`}>Open order</ButtonLink>
        {readsDocumentsOf(actor, row) ? (
          <ButtonLink href={listUrl(params, { [invoiceParam]: id })} scroll={false}>
            Invoice
          </ButtonLink>
        ) : null}
        <ButtonLink
          href={listUrl(params, { [againParam]: id })}
          variant={toReview ? 'secondary' : 'primary'}
          scroll={false}
        >
          Order again
        </ButtonLink>
      </DialogFooter>
    </RecordDialog>
  );
}

/** Renders the dialog that orders the same item again, at the current price. */
async function OrderAgain({ actor, params }: { actor: Actor; params: SearchParams }) {
  const id = oneParam(params, againParam);
  const closeHref = listUrl(params);
  const order = await findOrder(actor, id);
  if (!order) return <OrderNotFound key={id} closeHref={closeHref} />;
  const [price, changes, offers, projects, { niches, postTypes }, { balanceCents, mayTopUp, isLimited }, tax] =
    await Promise.all([
      repriceOrder(order),
      listChanges(order.id),
      getSiteOffers(actor.accountId, order.siteId === null ? [] : [order.siteId]),
      listProjectChoices(actor),
      getTaxonomy(),
      getBuyerLayout(actor),
      getPageTax(actor.accountId, actor.accountRole),
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
  const { item, follow, words } = price;
  const approved = changes.filter(({ state }) => state === 'approved');
  // The parts of the charge besides the item.
  const additions = [
    ...order.options.map(({ chargedCents }) => chargedCents),
    ...approved.map(({ sellerCents, marginCents }) => sellerCents + marginCents),
  ];
  return (
    <OrderAgainDialog
      key={id}
      {...{ title, closeHref, balanceCents, mayTopUp, isLimited, projects, niches, postTypes, tax }}
      userId={actor.accountId}
      mayCreateProjects={actor.projectIds === null}
      projectId={oneParam(params, projectParam) || order.projectId}
      brief={briefToRepeat(order)}
      briefProjectId={order.projectId}
      orderId={order.id}
      offer={{ options: offers.listOptions(item.siteId ?? 0), words }}
      item={{
        siteId: item.siteId,
        follow,
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
      chargedThenCents={additions.reduce((rest, cents) => rest - cents, order.chargedCents)}
    />
  );
}

/**
 * Returns the values of a brief that a new order begins with. The article and the day belong to the original order, and an
 * extension of the guarantee to its link.
 */
function briefToRepeat({ brief, options }: OrderRow): BriefEdit {
  const chosen = options.filter(({ isExtension }) => !isExtension).map(({ optionId }) => optionId);
  const common = { options: chosen.join(',') };
  if (!brief) return common;
  const { targetUrl, anchor, writer, words, notes, rel } = brief;
  return { ...common, targetUrl, anchor, writer, words: words === null ? '' : String(words), notes, rel };
}

/** Renders the notice for an order that does not exist or is not this buyer's. */
function OrderNotFound({ closeHref }: { closeHref: string }) {
  return (
    <RecordNotFound
      title="Order not found"
      text="This order doesn’t exist or is no longer in your list."
      closeHref={closeHref}
    />
  );
}
