'use client';

import { addTax } from '@/components/orders/add-tax';
import type { BriefEdit } from '@/components/orders/brief-draft';
import { uploadingMessage } from '@/components/orders/brief-fields';
import { OptionsSection, type SiteOffer, sumChosen } from '@/components/orders/options-section';
import { OrderItem } from '@/components/orders/order-facts';
import { type OrderFacts, OrderForm } from '@/components/orders/order-form';
import { BalancePreview } from '@/components/orders/order-total';
import { projectFieldName } from '@/components/projects/project-field';
import { RecordDialog } from '@/components/table/record-dialog';
import { formatUrl } from '@/components/ui/format';
import { Money } from '@/components/ui/money';
import { type Currency, walletCurrency } from '@/lib/money';
import { formatRelConflict, hasRelConflict } from '@/lib/orders/briefs/rel-conflict';
import { orderAgainUrl } from './orders-url';
import { findPlacedOrder, usePlaceOrder } from './use-after-order';

type OrderAgainDialogProps = OrderAgainFormProps & { title: string; closeHref: string };

/** Orders the same site or package again. */
export function OrderAgainDialog({ title, closeHref, ...form }: OrderAgainDialogProps) {
  return (
    <RecordDialog
      title={title}
      description="Place the same order at today’s price."
      closeHref={closeHref}
      size="md"
      focusAfter={findPlacedOrder}
    >
      <OrderAgainForm {...form} />
    </RecordDialog>
  );
}

type OrderAgainFormProps = OrderFacts & {
  /** The project of the original order, which is preselected. */
  projectId: string;
  /** The values of the original order's brief. */
  brief: BriefEdit;
  /** The project for which its target URL and anchor apply. */
  briefProjectId: string;
  /** The original order, and what its item cost, in USD cents. */
  orderId: number;
  chargedThenCents: number;
  /** What the site sells now besides the placement; nothing for a package. */
  offer: SiteOffer;
  /** The item with its current data. */
  item: {
    siteId: number | null;
    /** Whether the site publishes Dofollow links; true for a package. */
    follow: boolean;
    packageId: number | null;
    quantity: number;
    website: string;
    postType: string;
    packageName: string;
    packageDesc: string;
    priceCents: number;
    currency: Currency;
    chargedCents: number;
  };
};

/** Returns the values that apply to every project. */
const withoutLink = ({ targetUrl: _url, anchor: _anchor, ...others }: BriefEdit): BriefEdit => others;

/** Displays the item and its current price beside the original one, and selects the project. */
function OrderAgainForm({ item, ...facts }: OrderAgainFormProps) {
  const { chargedThenCents, orderId, balanceCents, mayTopUp, userId } = facts;
  const form = usePlaceOrder({
    userId,
    way: 'again',
    subject: String(orderId),
    projects: facts.projects,
    projectId: facts.projectId,
    briefOf: (projectId) => (projectId === facts.briefProjectId ? facts.brief : withoutLink(facts.brief)),
  });
  const { project, briefs, order } = form;
  const total = addTax([item.chargedCents + sumChosen(briefs.common, facts.offer)], facts.tax);
  const { totalCents } = total;

  const send = async () => {
    const { projectId, complaint } = project;
    if (complaint) return order.refuse(complaint, projectFieldName);
    if (briefs.isUploading) return order.refuse(uploadingMessage);
    const common = { projectId, shownTotalCents: totalCents, ...briefs.request() };
    const back = orderAgainUrl(orderId, projectId);
    const { packageId, siteId, quantity } = item;
    if (packageId !== null) await order.send({ kind: 'package', packageId, quantity, ...common }, back);
    else if (siteId !== null) await order.send({ kind: 'custom', siteIds: [siteId], ...common }, back);
  };

  return (
    <OrderForm
      {...form}
      facts={facts}
      send={send}
      totalCents={totalCents}
      siteId={item.siteId}
      warning={hasRelConflict(briefs.common.rel, item) ? formatRelConflict([formatUrl(item.website)]) : null}
      above={
        <div className="rounded-lg border border-line">
          <div className="flex items-start justify-between gap-4 border-line border-b px-4 py-3 text-sm">
            <span className="min-w-0">
              <OrderItem order={item} />
              {item.packageDesc ? (
                <span className="mt-1 block whitespace-pre-line wrap-anywhere text-muted text-xs">
                  {item.packageDesc}
                </span>
              ) : null}
            </span>
            <span className="shrink-0 text-right">
              <Money amountMinor={item.chargedCents} className="font-medium text-ink" />
              {item.currency === walletCurrency ? null : (
                <Money amountMinor={item.priceCents} currency={item.currency} className="block text-muted text-xs" />
              )}
              {item.chargedCents === chargedThenCents ? null : (
                <span className="block text-muted text-xs">
                  <Money amountMinor={chargedThenCents} /> last time
                </span>
              )}
            </span>
          </div>
          <BalancePreview label="Total today" {...{ total, balanceCents, mayTopUp }} />
        </div>
      }
      below={
        <OptionsSection
          briefs={briefs}
          site={facts.offer}
          error={order.failure?.fields?.['brief.options']}
          onChange={order.forget}
        />
      }
    />
  );
}
