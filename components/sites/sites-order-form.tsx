'use client';

import { ChevronDown, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { BriefFields, uploadingMessage, useFocusInvalid } from '@/components/orders/brief-fields';
import type { OrderMessages } from '@/components/orders/order-failure';
import { type OrderFacts, OrderForm } from '@/components/orders/order-form';
import { BalancePreview } from '@/components/orders/order-total';
import type { PlacedOrder } from '@/components/orders/send-order';
import { type OrderBriefs, useBriefDraft } from '@/components/orders/use-brief-draft';
import { useProjectChoice } from '@/components/projects/project-field';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button, IconButton } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Money } from '@/components/ui/money';
import { walletCurrency } from '@/lib/money';
import { formatRelConflict, hasRelConflict } from '@/lib/orders/briefs/rel-conflict';
import type { UrlBasket } from './basket-url';
import { siteHost } from './site-text';
import type { SelectedSite, Selection } from './use-selection';
import { useSitesOrder } from './use-sites-order';

type SitesOrderFormProps = OrderFacts & {
  /** The sites to order: the selection, or sites that are ordered without being selected. */
  basket: Selection;
  messages: OrderMessages;
  /** The basket restored from the URL. */
  returned: UrlBasket | null;
  /** The Cancel control, left of the submit button. */
  renderCancel: (pending: boolean) => ReactNode;
  onDone: (placed: readonly PlacedOrder[]) => void;
};

/**
 * Renders body and footer of a dialog: the sites to order, their project, and the wallet's balance after the order. The server
 * reads every price again. Mount it with each opening, because each opening is a new order.
 */
export function SitesOrderForm({ basket, messages, returned, renderCancel, onDone, ...facts }: SitesOrderFormProps) {
  const project = useProjectChoice(facts.projects, returned?.projectId ?? '');
  const briefs = useBriefDraft({ userId: facts.userId, way: 'sites', project: project.project });
  const order = useSitesOrder({
    userId: facts.userId,
    basket,
    messages,
    returned,
    onDone: (placed) => {
      briefs.clear();
      onDone(placed);
    },
  });
  const siteIds = order.sites.map(({ id }) => id);
  const send = async () => {
    if (briefs.isUploading) return order.refuse(uploadingMessage);
    await order.send(project, briefs.request(siteIds));
  };
  const onSale = order.sites.filter(({ id }) => !order.gone.includes(id));
  const totalCents = onSale.reduce((sum, { usdCents }) => sum + usdCents, 0);
  const conflicts = onSale.filter((site) => hasRelConflict(briefs.ofSite(site.id).texts.rel, site));
  const errors = order.failure?.fields ?? {};
  const body = useFocusInvalid(order.failure);
  return (
    <OrderForm
      {...{ facts, order, project, briefs, body, send, totalCents }}
      items={formatSites(onSale.length)}
      siteCount={siteIds.length}
      above={order.notice ? <Alert tone="warning">{order.notice}</Alert> : null}
      below={
        <BasketList
          sites={order.sites}
          gone={order.gone}
          conflicts={conflicts}
          totalCents={totalCents}
          balanceCents={facts.balanceCents}
          onRemove={(id) => {
            basket.write(basket.sites.filter((site) => site.id !== id));
            order.forget();
          }}
          renderBrief={(site) =>
            siteIds.length > 1 || briefs.ofSite(site.id).isOwn ? (
              <SiteBrief site={site} briefs={briefs} errors={errors} onChange={order.forget} />
            ) : null
          }
        />
      }
      warning={formatRelConflict(conflicts.map(({ name }) => name))}
      cancel={renderCancel(order.pending)}
    />
  );
}

const formatSites = (count: number) => (count === 1 ? '1 site' : `${count} sites`);

type BasketListProps = {
  sites: readonly SelectedSite[];
  /** The sites that do not publish the link that their brief asks for. */
  conflicts: readonly SelectedSite[];
  /** Ids of sites that are no longer on sale. */
  gone: readonly number[];
  /** The price of the sites that are on sale, in USD cents. */
  totalCents: number;
  /** USD cents. */
  balanceCents: number;
  onRemove: (id: number) => void;
  /** The brief of a site, below it. */
  renderBrief: (site: SelectedSite) => ReactNode;
};

/** Renders the selected sites, their total, and the balance after the order. */
function BasketList({ sites, conflicts, gone, totalCents, balanceCents, onRemove, renderBrief }: BasketListProps) {
  return (
    <div className="rounded-lg border border-line">
      <ul aria-label="Sites to order" className="divide-y divide-line">
        {sites.map((site) => (
          <li key={site.id} className="py-2 pr-2 pl-4">
            <div className="flex items-center gap-3">
              <div className="mr-auto min-w-0">
                <p className="truncate font-medium text-ink text-sm">{site.name}</p>
                <p className="truncate text-muted text-xs">{siteHost(site.url)}</p>
              </div>
              {gone.includes(site.id) ? <Badge tone="red">No longer available</Badge> : <Price of={site} />}
              <IconButton label={`Remove ${site.name}`} onClick={() => onRemove(site.id)}>
                <X className="size-4" />
              </IconButton>
            </div>
            {conflicts.includes(site) ? (
              <p className="mt-1 text-xs text-yellow-ink">NoFollow links only. The brief asks for Dofollow.</p>
            ) : null}
            {renderBrief(site)}
          </li>
        ))}
      </ul>
      <BalancePreview
        label={`Total, ${formatSites(sites.length - gone.length)}`}
        totalCents={totalCents}
        balanceCents={balanceCents}
        className="border-line border-t first:border-t-0"
      />
    </div>
  );
}

type SiteBriefProps = {
  site: SelectedSite;
  briefs: OrderBriefs;
  errors: Readonly<Record<string, string>>;
  onChange: () => void;
};

/** Renders the exception of one site, collapsed until it is edited or has an error. */
function SiteBrief({ site, briefs, errors, onChange }: SiteBriefProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const prefix = `briefs.${site.id}.`;
  const isShown = isOpen || Object.keys(errors).some((name) => name.startsWith(prefix));
  const { texts, isOwn } = briefs.ofSite(site.id);
  return (
    <div className="mt-1">
      <div className="flex flex-wrap items-center gap-2">
        <button
          type="button"
          aria-expanded={isShown}
          aria-controls={isShown ? id : undefined}
          onClick={() => setOpen(!isShown)}
          className="inline-flex min-h-6 items-center gap-1 rounded-sm text-accent-ink text-xs hover:underline"
        >
          <ChevronDown className={cn('size-3.5 transition-transform', isShown && 'rotate-180')} />
          Different brief for this site
          <span className="sr-only">: {site.name}</span>
        </button>
        {isOwn ? <Badge tone="blue">Own brief</Badge> : null}
      </div>
      {isShown ? (
        <div id={id} className="grid gap-3 py-3 pr-2">
          <BriefFields
            legend={`Brief for ${site.name}`}
            prefix={prefix}
            texts={texts}
            errors={errors}
            onUploading={briefs.setUploading}
            onEdit={(changes) => {
              briefs.editSite(site.id, changes);
              onChange();
            }}
          />
          {isOwn ? (
            <Button
              size="sm"
              className="justify-self-start"
              onClick={() => {
                briefs.resetSite(site.id);
                onChange();
              }}
            >
              Use the common brief
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

/** Renders the price in USD, and the site's own price where that is in another currency. */
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
