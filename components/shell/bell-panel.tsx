'use client';

import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import { TimeAgo } from '@/components/ui/time-ago';
import type { AnnouncementItem, NotificationItem, SiteItem } from '@/lib/notifications/queries';
import {
  isOrderNotice,
  isPaymentNotice,
  isPayoutNotice,
  isRefundNotice,
  orderNoticeHref,
  orderNotices,
  paymentNotices,
  payoutNotices,
  refundNotices,
  siteNotices,
} from './bell-texts';

type BellPanelProps = {
  items: readonly NotificationItem[];
  /** The number of unread notifications older than those shown. */
  unshown: number;
  sitesHref: string | undefined;
  emptyText: string;
  /** @param key the notification whose page opens */
  onFollow: (key: string) => void;
};

const announcementDisplay: Record<AnnouncementItem['type'], { icon: LucideIcon; color: string; word: string }> = {
  info: { icon: Info, color: 'text-blue-ink', word: 'Information: ' },
  success: { icon: CircleCheck, color: 'text-green-ink', word: 'Good news: ' },
  warning: { icon: TriangleAlert, color: 'text-yellow-ink', word: 'Warning: ' },
  danger: { icon: CircleAlert, color: 'text-red-ink', word: 'Important: ' },
};

/** The notifications and announcements that the bell shows. */
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
  const { icon: Icon, color, word } = announcementDisplay[item.type];
  return (
    <div className={look}>
      <Icon className={cn('mt-0.5 size-4', color)} />
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

type NoticeProps = { item: SiteItem; sitesHref: string | undefined; onFollow: (key: string) => void };

function Notice({ item, sitesHref, onFollow }: NoticeProps) {
  const { icon: Icon, words, href } = describeNotice(item, sitesHref);
  const text = (
    <>
      <Icon className="mt-0.5 size-4 text-subtle" />
      <span className="min-w-0 flex-1">
        <span className="wrap-anywhere block text-ink">
          <span className="font-medium">{item.subject}</span>
          {item.sites > 1 ? ` and ${(item.sites - 1).toLocaleString('en-US')} more` : ''}
          {words}
        </span>
        <TimeAgo at={item.at} className="text-subtle text-xs" />
      </span>
      <UnreadMark isUnread={item.isUnread} />
    </>
  );
  if (href === null) return <div className={look}>{text}</div>;
  return (
    <Link prefetch={false} href={href} onClick={() => onFollow(item.key)} className={`${look} hover:bg-sunken`}>
      {text}
    </Link>
  );
}

/** The icon, the words after the subject, and the URL that a notification links to, if any. */
function describeNotice({ kind, subject, sites, orderId }: SiteItem, sitesHref: string | undefined) {
  if (isOrderNotice(kind)) {
    const { icon, words } = orderNotices[kind];
    return { icon, words: `: ${words}`, href: orderNoticeHref(kind, orderId) };
  }
  if (isPayoutNotice(kind))
    return {
      ...payoutNotices[kind],
      words: `: ${payoutNotices[kind].words}`,
      href: kind === 'statement.issued' ? '/seller/earnings/self-billing' : '/seller/payouts',
    };
  if (isRefundNotice(kind)) return { ...refundNotices[kind], words: `: ${refundNotices[kind].words}` };
  if (isPaymentNotice(kind))
    return { ...paymentNotices[kind], words: `: ${paymentNotices[kind].words}`, href: '/user/wallet' };
  const { icon, words, status } = siteNotices[kind];
  const text = ` ${sites > 1 ? 'were' : 'was'} ${words}`;
  if (kind === 'payment.disputed') return { icon, words: text, href: '/dashboard/features/payments/disputes' };
  if (sitesHref === undefined) return { icon, words: text, href: null };
  // A removed site has no page.
  if (status === null) return { icon, words: text, href: sitesHref };
  const query = new URLSearchParams({ status, ...(sites === 1 && { q: subject }) });
  return { icon, words: text, href: `${sitesHref}?${query}` };
}

function UnreadMark({ isUnread }: { isUnread: boolean }) {
  if (!isUnread) return null;
  return (
    <span className="mt-1.5 size-2 shrink-0 rounded-full bg-accent">
      <span className="sr-only">New</span>
    </span>
  );
}
