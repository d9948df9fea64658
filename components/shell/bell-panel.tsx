'use client';

import {
  BadgeCheck,
  Ban,
  Banknote,
  CalendarClock,
  CircleAlert,
  CircleCheck,
  CircleX,
  Clock,
  CreditCard,
  FileText,
  Hammer,
  Handshake,
  type IconNode,
  Info,
  Landmark,
  Link2,
  MessageSquare,
  MessageSquareOff,
  PencilLine,
  Scale,
  ShoppingBag,
  Trash2,
  TriangleAlert,
  Undo2,
  Unlink2,
  WalletCards,
} from 'lucide';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { MouseEvent } from 'react';
import { cn } from '@/components/ui/cn';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import type { NoticeKind } from '@/db/schema/notices';
import { inAccount } from '@/lib/access/account-choice';
import { pageAccount } from '@/lib/browser/page-account';
import { describeNews } from '@/lib/notifications/notice-words';
import type { AnnouncementItem, NotificationItem, SiteItem } from '@/lib/notifications/notifications';

/** The icon of each kind. Its words are in lib/notifications/notice-words.ts. */
const icons: Record<NoticeKind, IconNode> = {
  'site.approved': CircleCheck,
  'site.rejected': CircleX,
  'site.pending': Clock,
  'site.removed': Trash2,
  'site.wordpress_revoked': TriangleAlert,
  'site.ownership_lost': TriangleAlert,
  'payment.disputed': TriangleAlert,
  'placement.offered': ShoppingBag,
  'placement.answer_due': Clock,
  'placement.expired': Clock,
  'placement.accepted': CircleCheck,
  'placement.declined': CircleX,
  'placement.delivery_due': CalendarClock,
  'placement.late': CircleAlert,
  'placement.delivered': Link2,
  'placement.revision': PencilLine,
  'placement.extension_granted': CalendarClock,
  'placement.extension_refused': CalendarClock,
  'placement.approved': BadgeCheck,
  'placement.guarantee_extended': CalendarClock,
  'placement.change_asked': PencilLine,
  'placement.change_accepted': PencilLine,
  'placement.change_approved': BadgeCheck,
  'placement.change_ended': Ban,
  'placement.not_delivered': TriangleAlert,
  'placement.cancelled': Ban,
  'placement.taken_over': Handshake,
  'placement.disputed': Scale,
  'placement.proposal': Scale,
  'placement.settled': Scale,
  'placement.dispute_withdrawn': Scale,
  'placement.message': MessageSquare,
  'placement.link_changed': CircleAlert,
  'placement.link_broken': Unlink2,
  'placement.link_repaired': Link2,
  'placement.repair_due': Clock,
  'placement.lost': Unlink2,
  'order.accepted': CircleCheck,
  'order.declined': CircleX,
  'order.expired': Clock,
  'order.late': CircleAlert,
  'order.delivered': Link2,
  'order.extension_asked': CalendarClock,
  'order.extension_granted': CalendarClock,
  'order.extension_refused': CalendarClock,
  'order.released': Ban,
  'order.change_priced': PencilLine,
  'order.change_accepted': PencilLine,
  'order.change_unpaid': CircleAlert,
  'order.change_delivered': Link2,
  'order.change_approved': BadgeCheck,
  'order.change_ended': Ban,
  'order.approved': BadgeCheck,
  'order.cancelled': Ban,
  'order.taken_over': Handshake,
  'order.disputed': Scale,
  'order.proposal': Scale,
  'order.settled': Scale,
  'order.dispute_withdrawn': Scale,
  'order.message': MessageSquare,
  'order.link_changed': CircleAlert,
  'order.link_broken': Unlink2,
  'order.link_repaired': Link2,
  'order.link_lost': Unlink2,
  'order.pending': Clock,
  'order.processing': Hammer,
  'order.live': Link2,
  'order.completed': BadgeCheck,
  'order.rejected': CircleX,
  'order.refunded': Undo2,
  'order.recharged': CreditCard,
  'order.link': Link2,
  'order.comment': MessageSquare,
  'order.content': FileText,
  'request.opened': Clock,
  'request.answered': MessageSquare,
  'request.approved': CircleCheck,
  'request.declined': CircleX,
  'request.expired': Clock,
  'payout.paid': Banknote,
  'payout.failed': CircleX,
  'payout.returned': CircleAlert,
  'payout.method_set': Landmark,
  'payout.method_removed': Landmark,
  'statement.issued': FileText,
  'refund.requested': Undo2,
  'refund.succeeded': Undo2,
  'refund.failed': CircleX,
  'refund.declined': CircleX,
  'topup.paid': WalletCards,
  'topup.failed': CircleX,
  'topup.review': Clock,
  'topup.refunded': Undo2,
  'topup.disputed': TriangleAlert,
  'topup.reinstated': WalletCards,
  'wallet.credited': WalletCards,
  'chat.off': MessageSquareOff,
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

const announcementDisplay: Record<AnnouncementItem['type'], { icon: IconNode; color: string; word: string }> = {
  info: { icon: Info, color: 'text-blue-ink', word: 'Information: ' },
  success: { icon: CircleCheck, color: 'text-green-ink', word: 'Good news: ' },
  warning: { icon: TriangleAlert, color: 'text-yellow-ink', word: 'Warning: ' },
  danger: { icon: CircleAlert, color: 'text-red-ink', word: 'Important: ' },
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
      <Icon of={icon} className={cn('mt-0.5', color)} />
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
      <Icon of={icon} className="mt-0.5 text-subtle" />
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
