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
  Info,
  Landmark,
  Link2,
  type LucideIcon,
  MessageSquare,
  PencilLine,
  Scale,
  ShoppingBag,
  Trash2,
  TriangleAlert,
  Undo2,
  Unlink2,
  WalletCards,
} from 'lucide-react';
import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import { TimeAgo } from '@/components/ui/time-ago';
import type {
  BuyerNoticeKind,
  NoticeKind,
  PaymentNoticeKind,
  PayoutNoticeKind,
  RefundNoticeKind,
  SellerNoticeKind,
} from '@/db/schema/notices';
import type { AnnouncementItem, NotificationItem, SiteItem } from '@/lib/notifications/notifications';

type OrderNoticeKind = SellerNoticeKind | BuyerNoticeKind;
type MoneyNoticeKind = PayoutNoticeKind | RefundNoticeKind | PaymentNoticeKind;
type SiteNoticeKind = Exclude<NoticeKind, OrderNoticeKind | MoneyNoticeKind>;
type NoticeText = { icon: LucideIcon; words: string };

/** News of a user's sites: "Example was approved". `status` filters the list that the item links to. */
const siteNotices: Record<SiteNoticeKind, NoticeText & { status: string | null }> = {
  'site.approved': { icon: CircleCheck, words: 'approved', status: 'Approved' },
  'site.rejected': { icon: CircleX, words: 'rejected', status: 'Rejected' },
  'site.pending': { icon: Clock, words: 'sent back to review', status: 'Pending' },
  'site.removed': { icon: Trash2, words: 'removed by the marketplace', status: null },
  'site.ownership_lost': { icon: TriangleAlert, words: 'the proof of ownership was lost', status: null },
  'payment.disputed': { icon: TriangleAlert, words: 'disputed', status: null },
};

/** News of orders: "Order #12, example.com: approved". */
const orderNotices: Record<OrderNoticeKind, NoticeText> = {
  'placement.offered': { icon: ShoppingBag, words: 'new, please answer' },
  'placement.answer_due': { icon: Clock, words: 'expires soon without your answer' },
  'placement.expired': { icon: Clock, words: 'expired without your answer' },
  'placement.accepted': { icon: CircleCheck, words: 'accepted for you by our team' },
  'placement.declined': { icon: CircleX, words: 'declined for you by our team' },
  'placement.delivery_due': { icon: CalendarClock, words: 'due soon' },
  'placement.late': { icon: CircleAlert, words: 'late' },
  'placement.delivered': { icon: Link2, words: 'delivered for you by our team' },
  'placement.revision': { icon: PencilLine, words: 'a change is requested' },
  'placement.extension_granted': { icon: CalendarClock, words: 'more days granted' },
  'placement.extension_refused': { icon: CalendarClock, words: 'more days refused' },
  'placement.guarantee_extended': { icon: CalendarClock, words: 'guarantee extended' },
  'placement.approved': { icon: BadgeCheck, words: 'approved' },
  'placement.cancelled': { icon: Ban, words: 'canceled' },
  'placement.taken_over': { icon: Handshake, words: 'taken over by our team' },
  'placement.disputed': { icon: Scale, words: 'dispute opened' },
  'placement.proposal': { icon: Scale, words: 'new proposal in the dispute' },
  'placement.settled': { icon: Scale, words: 'settled' },
  'placement.dispute_withdrawn': { icon: Scale, words: 'dispute withdrawn' },
  'placement.message': { icon: MessageSquare, words: 'new messages' },
  'placement.link_changed': { icon: CircleAlert, words: 'the link changed' },
  'placement.link_broken': { icon: Unlink2, words: 'the link is missing, please repair it' },
  'placement.link_repaired': { icon: Link2, words: 'the link is in order again' },
  'placement.repair_due': { icon: Clock, words: 'two days left to repair the link' },
  'placement.lost': { icon: Unlink2, words: 'the link was lost' },
  'order.accepted': { icon: CircleCheck, words: 'accepted' },
  'order.declined': { icon: CircleX, words: 'declined and refunded' },
  'order.expired': { icon: Clock, words: 'expired and refunded' },
  'order.late': { icon: CircleAlert, words: 'late, you can cancel it' },
  'order.delivered': { icon: Link2, words: 'published, please review' },
  'order.extension_asked': { icon: CalendarClock, words: 'the seller asks for more days' },
  'order.extension_granted': { icon: CalendarClock, words: 'our team granted more days' },
  'order.extension_refused': { icon: CalendarClock, words: 'our team refused more days' },
  'order.released': { icon: Ban, words: 'you can cancel it' },
  'order.approved': { icon: BadgeCheck, words: 'approved' },
  'order.cancelled': { icon: Ban, words: 'canceled and refunded' },
  'order.taken_over': { icon: Handshake, words: 'taken over by our team' },
  'order.disputed': { icon: Scale, words: 'dispute opened' },
  'order.proposal': { icon: Scale, words: 'new proposal in the dispute' },
  'order.settled': { icon: Scale, words: 'settled' },
  'order.dispute_withdrawn': { icon: Scale, words: 'dispute withdrawn' },
  'order.message': { icon: MessageSquare, words: 'new messages' },
  'order.link_changed': { icon: CircleAlert, words: 'the link changed' },
  'order.link_broken': { icon: Unlink2, words: 'the link is missing' },
  'order.link_repaired': { icon: Link2, words: 'the link is in order again' },
  'order.link_lost': { icon: Unlink2, words: 'the link was lost, partly refunded' },
  'order.pending': { icon: Clock, words: 'pending again' },
  'order.processing': { icon: Hammer, words: 'in progress' },
  'order.live': { icon: Link2, words: 'live' },
  'order.completed': { icon: BadgeCheck, words: 'completed' },
  'order.rejected': { icon: CircleX, words: 'rejected' },
  'order.refunded': { icon: Undo2, words: 'refunded' },
  'order.recharged': { icon: CreditCard, words: 'the refund was reversed' },
  'order.link': { icon: Link2, words: 'the live link was updated' },
  'order.comment': { icon: MessageSquare, words: 'new comment' },
  'order.content': { icon: FileText, words: 'content to download' },
};

/** The pages that news of money link to. */
const [payouts, refunds, wallet] = ['/seller/payouts', '/user/wallet/refunds', '/user/wallet'];

/** News of payouts, refunds and payments, after their amount or account: "$120.00: paid out". */
const moneyNotices: Record<MoneyNoticeKind, NoticeText & { href: string }> = {
  'payout.paid': { icon: Banknote, words: 'paid out', href: payouts },
  'payout.failed': { icon: CircleX, words: 'not paid out, in your balance again', href: payouts },
  'payout.returned': { icon: CircleAlert, words: 'returned to your balance', href: payouts },
  'payout.method_set': { icon: Landmark, words: 'set as your payout method', href: payouts },
  'payout.method_removed': { icon: Landmark, words: 'removed as your payout method', href: payouts },
  'statement.issued': { icon: FileText, words: 'statement issued', href: '/seller/earnings/self-billing' },
  'refund.requested': {
    icon: Undo2,
    words: 'refund requested by a buyer',
    href: '/dashboard/features/wallet-manager?tab=refunds',
  },
  'refund.succeeded': { icon: Undo2, words: 'refunded to your payment method', href: refunds },
  'refund.failed': { icon: CircleX, words: 'not refunded, in your wallet again', href: refunds },
  'refund.declined': { icon: CircleX, words: 'refund declined', href: refunds },
  'topup.paid': { icon: WalletCards, words: 'paid and added to your wallet', href: wallet },
  'topup.failed': { icon: CircleX, words: 'payment failed, nothing was charged', href: wallet },
  'topup.review': { icon: Clock, words: 'payment in review by our team', href: wallet },
  'topup.refunded': { icon: Undo2, words: 'refunded to your payment method', href: wallet },
  'topup.disputed': { icon: TriangleAlert, words: 'withdrawn by your bank, taken from your wallet', href: wallet },
  'topup.reinstated': { icon: WalletCards, words: 'returned to your wallet', href: wallet },
  'wallet.credited': { icon: WalletCards, words: 'added to your wallet by our team', href: wallet },
};

const isMoneyNotice = (kind: NoticeKind): kind is MoneyNoticeKind => Object.hasOwn(moneyNotices, kind);
const isOrderNotice = (kind: NoticeKind): kind is OrderNoticeKind => Object.hasOwn(orderNotices, kind);

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
  const { icon: Icon, name, words, href } = describeNotice(item, sitesHref);
  const text = (
    <>
      <Icon className="mt-0.5 size-4 text-subtle" />
      <span className="min-w-0 flex-1">
        <span className="wrap-anywhere block text-ink">
          <span className="font-medium">{name}</span>
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

/** From this number on, a notification names the number of its sites or orders instead of the first of them. */
const countedFrom = 4;

/** Returns the icon, the name and the words after it, and the URL that a notification links to, if any. */
function describeNotice({ kind, subject, sites, orderId }: SiteItem, sitesHref: string | undefined) {
  const count = sites.toLocaleString('en-US');
  const nameOf = (noun: string) =>
    sites >= countedFrom ? `${count} ${noun}` : sites > 1 ? `${subject} and ${sites - 1} more` : subject;
  if (isOrderNotice(kind)) {
    const { icon, words } = orderNotices[kind];
    const list = kind.startsWith('placement.') ? '/seller/orders' : '/user/orders';
    return { icon, name: nameOf('orders'), words: `: ${words}`, href: orderId === null ? list : `${list}/${orderId}` };
  }
  if (isMoneyNotice(kind)) {
    const name = sites > 1 ? `${subject} and ${(sites - 1).toLocaleString('en-US')} more` : subject;
    return { ...moneyNotices[kind], name, words: `: ${moneyNotices[kind].words}` };
  }
  const { icon, words, status } = siteNotices[kind];
  const isCounted = sites >= countedFrom;
  const text = isCounted ? ` ${words}` : ` ${sites > 1 ? 'were' : 'was'} ${words}`;
  if (kind === 'payment.disputed')
    return { icon, name: nameOf('payments'), words: text, href: '/dashboard/features/payments/disputes' };
  if (kind === 'site.ownership_lost') {
    const query = new URLSearchParams(sites === 1 ? { q: subject } : { gap: 'ownership' });
    const href = sitesHref === undefined ? null : `${sitesHref}?${query}`;
    return { icon, name: nameOf('domains'), words: `: ${words}`, href };
  }
  const site = { icon, name: nameOf('sites'), words: text };
  if (sitesHref === undefined) return { ...site, href: null };
  // A removed site has no page.
  if (status === null) return { ...site, href: sitesHref };
  const query = new URLSearchParams({ status, ...(sites === 1 && { q: subject }) });
  return { ...site, href: `${sitesHref}?${query}` };
}

function UnreadMark({ isUnread }: { isUnread: boolean }) {
  if (!isUnread) return null;
  return (
    <span className="mt-1.5 size-2 shrink-0 rounded-full bg-accent">
      <span className="sr-only">New</span>
    </span>
  );
}
