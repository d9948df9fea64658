'use client';

import { memo } from 'react';
import type { BriefTexts } from '@/components/orders/brief-draft';
import type { Outlook } from '@/components/orders/outlook';
import { siteHost } from '@/components/sites/site-text';
import { Badge } from '@/components/ui/badge';
import { Button, IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { useStableCallback } from '@/components/ui/use-stable-callback';
import type { CartItem } from '@/lib/orders/carts/contract';
import { briefColumns, getCellText } from './brief-columns';
import type { CartSnapshot } from './cart-editor';
import type { CartRow } from './cart-rows';
import { listNotes } from './cell-notes';
import { SiteMarks } from './site-marks';

type SiteCardsProps = {
  snapshot: CartSnapshot;
  isReadOnly: boolean;
  /** Why the policy of the account refuses sites, by their ids. */
  refusals: Outlook['sites'] | undefined;
  onChange: (rows: readonly CartRow[]) => void;
  /** Opens the brief of a site; null for all sites. */
  onBrief: (siteId: number | null) => void;
};

/** Renders the sites of a cart on phones: a card for each, whose brief opens in a dialog. */
export function SiteCards({ snapshot, isReadOnly, refusals = {}, onChange, onBrief }: SiteCardsProps) {
  const { rows } = snapshot.history;
  const saved = new Map(snapshot.saved.map(({ siteId, brief }) => [siteId, brief]));
  const onEdit = useStableCallback(onBrief);
  const onRemove = useStableCallback((siteId: number) => onChange(rows.filter((row) => row.siteId !== siteId)));
  return (
    <>
      {isReadOnly || rows.length < 2 ? null : (
        <Button className="mb-3 w-full" onClick={() => onBrief(null)}>
          Same brief for all sites
        </Button>
      )}
      <ul aria-label="Sites" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {rows.map(({ siteId, brief }) => (
          <SiteCard
            key={siteId}
            {...{ siteId, brief, isReadOnly, onEdit, onRemove }}
            item={snapshot.items.get(siteId)}
            saved={saved.get(siteId)}
            refusals={refusals[siteId]}
          />
        ))}
      </ul>
    </>
  );
}

type SiteCardProps = {
  siteId: number;
  brief: BriefTexts;
  /** The brief that the server has read. */
  saved: BriefTexts | undefined;
  item: CartItem | undefined;
  refusals: readonly string[] | undefined;
  isReadOnly: boolean;
  onEdit: (siteId: number) => void;
  onRemove: (siteId: number) => void;
};

/** Memoized as the rows of the table, with which an edit renders the cards. */
const SiteCard = memo(function SiteCard(props: SiteCardProps) {
  const { siteId, brief, saved, item, refusals, isReadOnly, onEdit, onRemove } = props;
  const name = item?.name ?? `Site #${siteId}`;
  const texts = briefColumns.flatMap(({ key, label }) => {
    const text = getCellText(brief, key);
    return text === '' ? [] : [{ key, label, text }];
  });
  const cells = [...listNotes(brief, item, saved)];
  return (
    <li className="rounded-lg border border-line bg-surface px-4 py-3 text-sm">
      <div className="flex items-start gap-2">
        <div className="mr-auto min-w-0">
          <p className="truncate font-medium text-ink">{name}</p>
          {item ? <p className="truncate text-muted text-xs">{siteHost(item.url)}</p> : null}
        </div>
        {item?.priceCents == null ? null : <Money amountMinor={item.priceCents} className="text-ink" />}
        {isReadOnly ? null : (
          <IconButton label={`Remove ${name}`} onClick={() => onRemove(siteId)}>
            <Icon name="x" />
          </IconButton>
        )}
      </div>
      <p className="mt-1 flex flex-wrap gap-1 empty:hidden">
        {item ? <SiteMarks {...item} refusals={refusals} /> : null}
      </p>
      {texts.length > 0 ? (
        <dl className="mt-2 grid gap-0.5">
          {texts.map(({ key, label, text }) => (
            <div key={key} className="wrap-anywhere">
              <dt className="inline text-muted">{label}: </dt>
              <dd className="inline text-ink">{text}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className="mt-2 text-muted">No brief yet. The project’s target URL applies.</p>
      )}
      {cells.map(([column, { tone, message }]) => (
        <p key={column} className={tone === 'problem' ? 'mt-1 text-red-ink text-xs' : 'mt-1 text-xs text-yellow-ink'}>
          {message}
        </p>
      ))}
      {isReadOnly ? null : (
        <div className="mt-3 flex items-center gap-2">
          <Button size="sm" onClick={() => onEdit(siteId)}>
            Edit brief<span className="sr-only"> of {name}</span>
          </Button>
          {cells.some(([, { tone }]) => tone === 'problem') ? <Badge tone="red">To correct</Badge> : null}
        </div>
      )}
    </li>
  );
});
