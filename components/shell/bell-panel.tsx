'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { MouseEvent } from 'react';
import { cn } from '@/components/ui/cn';
import { Icon, type IconName } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import type { NoticeKind } from '@/db/schema/notices';
import { inAccount } from '@/lib/access/account-choice';
import { pageAccount } from '@/lib/browser/page-account';
import { describeNews } from '@/lib/notifications/notice-words';
import type { AnnouncementItem, NotificationItem, SiteItem } from '@/lib/notifications/notifications';

/** The icon of each kind. Its words are in lib/notifications/notice-words.ts. */
const icons: Record<NoticeKind, IconName> = {
  'site.approved': 'circle-check',
  'site.rejected': 'circle-x',
  'site.pending': 'clock',
  'site.removed': 'trash',
  'site.wordpress_revoked': 'triangle-alert',
  'site.ownership_lost': 'triangle-alert',
  'payment.disputed': 'triangle-alert',
  'placement.offered': 'shopping-bag',
  'placement.answer_due': 'clock',
  'placement.expired': 'clock',
  'placement.accepted': 'circle-check',
  'placement.declined': 'circle-x',
  'placement.delivery_due': 'calendar-clock',
  'placement.late': 'circle-alert',
  'placement.delivered': 'link-2',
  'placement.revision': 'pencil-line',
  'placement.extension_granted': 'calendar-clock',
  'placement.extension_refused': 'calendar-clock',
  'placement.approved': 'badge-check',
  'placement.guarantee_extended': 'calendar-clock',
  'placement.change_asked': 'pencil-line',
  'placement.change_accepted': 'pencil-line',
  'placement.change_approved': 'badge-check',
  'placement.change_ended': 'ban',
  'placement.not_delivered': 'triangle-alert',
  'placement.cancelled': 'ban',
  'placement.taken_over': 'handshake',
  'placement.disputed': 'scale',
  'placement.proposal': 'scale',
  'placement.settled': 'scale',
  'placement.dispute_withdrawn': 'scale',
  'placement.message': 'message-square',
  'placement.link_changed': 'circle-alert',
  'placement.link_broken': 'unlink-2',
  'placement.link_repaired': 'link-2',
  'placement.repair_due': 'clock',
  'placement.lost': 'unlink-2',
  'order.accepted': 'circle-check',
  'order.declined': 'circle-x',
  'order.expired': 'clock',
  'order.late': 'circle-alert',
  'order.delivered': 'link-2',
  'order.extension_asked': 'calendar-clock',
  'order.extension_granted': 'calendar-clock',
  'order.extension_refused': 'calendar-clock',
  'order.released': 'ban',
  'order.change_priced': 'pencil-line',
  'order.change_accepted': 'pencil-line',
  'order.change_unpaid': 'circle-alert',
  'order.change_delivered': 'link-2',
  'order.change_approved': 'badge-check',
  'order.change_ended': 'ban',
  'order.approved': 'badge-check',
  'order.cancelled': 'ban',
  'order.taken_over': 'handshake',
  'order.disputed': 'scale',
  'order.proposal': 'scale',
  'order.settled': 'scale',
  'order.dispute_withdrawn': 'scale',
  'order.message': 'message-square',
  'order.link_changed': 'circle-alert',
  'order.link_broken': 'unlink-2',
  'order.link_repaired': 'link-2',
  'order.link_lost': 'unlink-2',
  'order.pending': 'clock',
  'order.processing': 'hammer',
  'order.live': 'link-2',
  'order.completed': 'badge-check',
  'order.rejected': 'circle-x',
  'order.refunded': 'undo-2',
  'order.recharged': 'credit-card',
  'order.link': 'link-2',
  'order.comment': 'message-square',
  'order.content': 'file-text',
  'request.opened': 'clock',
  'request.answered': 'message-square',
  'request.approved': 'circle-check',
  'request.declined': 'circle-x',
  'request.expired': 'clock',
  'payout.paid': 'banknote',
  'payout.failed': 'circle-x',
  'payout.returned': 'circle-alert',
  'payout.method_set': 'landmark',
  'payout.method_removed': 'landmark',
  'statement.issued': 'file-text',
  'refund.requested': 'undo-2',
  'refund.succeeded': 'undo-2',
  'refund.failed': 'circle-x',
  'refund.declined': 'circle-x',
  'topup.paid': 'wallet-cards',
  'topup.failed': 'circle-x',
  'topup.review': 'clock',
  'topup.refunded': 'undo-2',
  'topup.disputed': 'triangle-alert',
  'topup.reinstated': 'wallet-cards',
  'wallet.credited': 'wallet-cards',
  'chat.off': 'message-square-off',
};

type BellPanelProps = {
  items: readonly NotificationItem[];
  /** The number of unread notifications older than those shown. */
  unshown: number;
  sitesHref: string | undefined;
  emptyText: string;
  /** @param key the notification whose page opens @returns when it is marked as read */
  onFollow: (key: string) => Promise<void>;
};

const announcementDisplay: Record<AnnouncementItem['type'], { icon: IconName; color: string; word: string }> = {
  info: { icon: 'info', color: 'text-blue-ink', word: 'Information: ' },
  success: { icon: 'circle-check', color: 'text-green-ink', word: 'Good news: ' },
  warning: { icon: 'triangle-alert', color: 'text-yellow-ink', word: 'Warning: ' },
  danger: { icon: 'circle-alert', color: 'text-red-ink', word: 'Important: ' },
};

/** Renders the notifications and announcements that the bell shows. */
export function BellPanel({ items, unshown, sitesHref, emptyText, onFollow }: BellPanelProps) {
  if (items.length === 0) return <p className="px-3 py-6 text-center text-muted text-sm">{emptyText}</p>;
  return (
    <ul className="divide-y divide-line">
      {items.map((item) => (
        <li key={item.key}>
          {item.kind === 'announcement' ? (
            <Announcement item={item} />
          ) : (
            <Notice item={item} sitesHref={sitesHref} onFollow={onFollow} />
          )}
        </li>
      ))}
      {unshown > 0 ? (
        <li className="px-3 py-2.5 text-muted text-sm">…and {unshown.toLocaleString('en-US')} older, not shown.</li>
      ) : null}
    </ul>
  );
}

const look = 'flex items-start gap-2.5 px-3 py-2.5 text-sm';

function Announcement({ item }: { item: AnnouncementItem }) {
  const { icon, color, word } = announcementDisplay[item.type];
  return (
    <div className={look}>
      <Icon name={icon} className={cn('mt-0.5', color)} />
      <span className="wrap-anywhere min-w-0 flex-1">
        <span className="block font-medium text-ink">
          <span className="sr-only">{word}</span>
          {item.title}
        </span>
        <span className="block whitespace-pre-line text-muted">{item.message}</span>
        <TimeAgo at={item.at} className="text-subtle text-xs" />
      </span>
      <UnreadMark isUnread={item.isUnread} />
    </div>
  );
}

type NoticeProps = { item: SiteItem; sitesHref: string | undefined; onFollow: (key: string) => Promise<void> };

function Notice({ item, sitesHref, onFollow }: NoticeProps) {
  const [area = ''] = usePathname().split('/').filter(Boolean);
  const security = `/${['seller', 'dashboard'].includes(area) ? area : 'user'}/security`;
  const { name, words, href } = describeNews(item, sitesHref, security);
  const icon = icons[item.kind];
  const text = (
    <>
      <Icon name={icon} className="mt-0.5 text-subtle" />
      <span className="min-w-0 flex-1">
        <span className="wrap-anywhere block text-ink">
          <span className="font-medium">{name}</span>
          {words}
        </span>
        {item.account ? <span className="block truncate text-muted text-xs">{item.account.name}</span> : null}
        <TimeAgo at={item.at} className="text-subtle text-xs" />
      </span>
      <UnreadMark isUnread={item.isUnread} />
    </>
  );
  const { id = null } = item.account ?? {};
  // The page of another account replaces the whole document, with its menus.
  const shownId = area === 'user' ? pageAccount() : undefined;
  const switching = href !== null && id !== null && id !== shownId ? inAccount(href, id) : null;
  // After the end of the membership, the page of a single record opens no more.
  if (href === null || (item.account && id === null && (item.orderId !== null || item.sites === 1)))
    return <div className={look}>{text}</div>;
  if (switching !== null) {
    const open = async (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      await onFollow(item.key);
      window.location.assign(switching);
    };
    return (
      <a href={switching} onClick={open} className={`${look} hover:bg-sunken`}>
        {text}
      </a>
    );
  }
  return (
    <Link prefetch={false} href={href} onClick={() => void onFollow(item.key)} className={`${look} hover:bg-sunken`}>
      {text}
    </Link>
  );
}

function UnreadMark({ isUnread }: { isUnread: boolean }) {
  if (!isUnread) return null;
  return (
    <span className="mt-1.5 size-2 shrink-0 rounded-full bg-accent">
      <span className="sr-only">New</span>
    </span>
  );
}
