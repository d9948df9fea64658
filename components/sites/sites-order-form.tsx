'use client';

import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { DialogBody, DialogFooter } from '@/components/ui/dialog';
import { IconButton } from '@/components/ui/icon-button';
import { Money } from '@/components/ui/money';
import { walletCurrency } from '@/lib/money';
import { BalancePreview } from '../orders/balance-preview';
import type { OrderMessages } from '../orders/order-failure';
import { OrderFailureAlert } from '../orders/order-failure-alert';
import { ProjectField } from '../projects/project-field';
import { type ProjectOption, useProjectChoice } from '../projects/use-project-choice';
import type { UrlBasket } from './basket-url';
import type { SelectedSite } from './selection-store';
import { siteHost } from './site-text';
import type { Selection } from './use-selection';
import { useSitesOrder } from './use-sites-order';

/** The buyer's data that an order of sites requires. */
export type SitesOrderFacts = {
  userId: string;
  /** USD cents. */
  balanceCents: number;
  projects: readonly ProjectOption[];
  niches: readonly string[];
  postTypes: readonly string[];
};

type SitesOrderFormProps = SitesOrderFacts & {
  selection: Selection;
  messages: OrderMessages;
  /** The basket restored from the URL. */
  returned: UrlBasket | null;
  /** The Cancel control, left of the submit button. */
  renderCancel: (pending: boolean) => ReactNode;
  onDone: () => void;
};

/**
 * Body and footer of a dialog: the selection, its project, and the wallet's balance after the order. The server reads
 * every price again. Mount it with each opening, because each opening is a new order.
 */
export function SitesOrderForm({ selection, messages, returned, renderCancel, onDone, ...facts }: SitesOrderFormProps) {
  const project = useProjectChoice(facts.projects, returned?.projectId ?? '');
  const order = useSitesOrder({ userId: facts.userId, selection, messages, returned, onDone });
  const send = () => order.send(project);
  return (
    <>
      <DialogBody className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
        {order.failure ? <OrderFailureAlert failure={order.failure} onRetry={send} /> : null}
        {order.notice ? <Alert tone="warning">{order.notice}</Alert> : null}
        <ProjectField choice={project} niches={facts.niches} postTypes={facts.postTypes} onChange={order.forget} />
        <BasketList
          sites={order.sites}
          gone={order.gone}
          balanceCents={facts.balanceCents}
          onRemove={(id) => {
            selection.write(selection.sites.filter((site) => site.id !== id));
            order.forget();
          }}
        />
      </DialogBody>
      <DialogFooter>
        {renderCancel(order.pending)}
        <Button variant="primary" pending={order.pending} onClick={send}>
          {messages.submit}
        </Button>
      </DialogFooter>
    </>
  );
}

type Basket = {
  sites: readonly SelectedSite[];
  /** Ids of sites that are no longer on sale. */
  gone: readonly number[];
  /** USD cents. */
  balanceCents: number;
};

/** The selected sites, their total, and the balance after the order. */
function BasketList({ sites, gone, balanceCents, onRemove }: Basket & { onRemove: (id: number) => void }) {
  const onSale = sites.filter(({ id }) => !gone.includes(id));
  const totalCents = onSale.reduce((sum, { usdCents }) => sum + usdCents, 0);
  return (
    <div className="rounded-lg border border-line">
      <ul aria-label="Sites to order" className="divide-y divide-line">
        {sites.map((site) => (
          <li key={site.id} className="flex items-center gap-3 py-2 pr-2 pl-4">
            <div className="mr-auto min-w-0">
              <p className="truncate font-medium text-ink text-sm">{site.name}</p>
              <p className="truncate text-muted text-xs">{siteHost(site.url)}</p>
            </div>
            {gone.includes(site.id) ? <Badge tone="red">No longer available</Badge> : <Price of={site} />}
            <IconButton label={`Remove ${site.name}`} onClick={() => onRemove(site.id)}>
              <X className="size-4" />
            </IconButton>
          </li>
        ))}
      </ul>
      <BalancePreview
        label={onSale.length === 1 ? 'Total, 1 site' : `Total, ${onSale.length} sites`}
        totalCents={totalCents}
        balanceCents={balanceCents}
        className="border-line border-t first:border-t-0"
      />
    </div>
  );
}

/** The price in USD, and the site's own price where that is in another currency. */
function Price({ of: { usdCents, priceCents, currency } }: { of: SelectedSite }) {
  return (
    <p className="text-right text-sm">
      <Money amountMinor={usdCents} />
      {currency === walletCurrency ? null : (
        <Money amountMinor={priceCents} currency={currency} className="block text-muted text-xs" />
      )}
    </p>
  );
}
