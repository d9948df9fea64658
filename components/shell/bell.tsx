'use client';

import {
  BellIcon,
  CircleAlert,
  CircleCheck,
  CircleX,
  Clock,
  Info,
  type LucideIcon,
  Package,
  Trash2,
  TriangleAlert,
} from 'lucide-react';
import Link from 'next/link';
import { useId, useRef, useState } from 'react';
import { ApiError } from '@/lib/browser/api-client';
import { callAction } from '@/lib/browser/call-action';
import { markNotificationsReadAction } from '@/lib/notifications/actions';
import type {
  AnnouncementItem,
  NotificationList as BellState,
  NotificationItem,
  SiteItem,
} from '@/lib/notifications/queries';
import { buttonClass } from '../ui/button-class';
import { cn } from '../ui/cn';
import { TimeAgo } from '../ui/time-ago';
import { popoverClass } from './popover-class';

type BellProps = {
  /** The number of unread notifications at render time. */
  unread: number;
  /** The URL of the seller's sites, which the notifications link to. */
  sitesHref?: string;
  /** The text when there are no notifications. */
  emptyText: string;
};

/** The bell: notifications about the user's sites, and announcements. Opening it marks them as read. */
export function Bell({ unread, sitesHref, emptyText }: BellProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [bell, setBell] = useState<BellState | null>(null);
  const [failed, setFailed] = useState(false);
  const open = async () => {
    setFailed(false);
    const latest = await readBell();
    if (latest) setBell({ ...latest, unread: 0 });
    else setFailed(true);
  };
  const count = bell?.unread ?? unread;
  const name = count === 0 ? 'Notifications' : `Notifications, ${count.toLocaleString('en-US')} unread`;
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={name}
        title={name}
        className={buttonClass({ variant: 'ghost', size: 'sm', square: true, className: 'relative' })}
      >
        <BellIcon className="size-4" />
        {count > 0 ? (
          <span
            aria-hidden="true"
            className="absolute -top-0.5 -right-0.5 min-w-4 rounded-full bg-secondary px-1 text-center font-medium text-[10px] text-on-secondary leading-4 tabular-nums"
          >
            {count > 99 ? '99+' : count}
          </span>
        ) : null}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        onToggle={(event) => {
          if (event.newState === 'open') void open();
        }}
        className={popoverClass}
      >
        <h2 className="border-line border-b px-3 py-2.5 font-medium text-ink text-sm">Notifications</h2>
        {failed ? (
          <p className="px-3 py-2.5 text-red-ink text-sm">
            Notifications couldn’t be loaded. Open this menu again to retry.
          </p>
        ) : null}
        {bell ? (
          <BellPanel
            items={bell.items}
            unshown={bell.unshown}
            sitesHref={sitesHref}
            emptyText={emptyText}
            onFollow={() => panel.current?.hidePopover()}
          />
        ) : failed ? null : (
          <p role="status" className="px-3 py-6 text-center text-muted text-sm">
            Loading…
          </p>
        )}
      </div>
    </>
  );
}

type BellPanelProps = {
  items: readonly NotificationItem[];
  /** The number of unread notifications older than those shown. */
  unshown: number;
  sitesHref: string | undefined;
  emptyText: string;
  onFollow: () => void;
};

type SiteDisplay = {
  icon: LucideIcon;
  /** A participle that follows "was" or "were", or a verb in the past tense. */
  words: string;
  isVerb?: true;
  status: string | null;
};

const siteDisplay: Record<SiteItem['kind'], SiteDisplay> = {
  'site.approved': { icon: CircleCheck, words: 'approved', status: 'Approved' },
  'site.rejected': { icon: CircleX, words: 'rejected', status: 'Rejected' },
  'site.pending': { icon: Clock, words: 'sent back to review', status: 'Pending' },
  'site.removed': { icon: Trash2, words: 'removed by the marketplace', status: null },
  'payment.disputed': { icon: TriangleAlert, words: 'disputed', status: null },
  'order.offered': { icon: Package, words: 'offered to you', status: null },
  'order.accepted': { icon: CircleCheck, words: 'accepted', status: null },
  'order.declined': { icon: CircleX, words: 'declined', status: null },
  'order.expired': { icon: CircleX, words: 'not answered in time', status: null },
  'order.cancelled': { icon: CircleX, words: 'cancelled', status: null },
  'order.delivered': { icon: Package, words: 'published, to be approved', status: null },
  'order.revision': { icon: Clock, words: 'sent back for a change', status: null },
  'order.approved': { icon: CircleCheck, words: 'approved', status: null },
  'order.extension': { icon: Clock, words: 'received a request for more days', isVerb: true, status: null },
  'order.extension_answered': { icon: Clock, words: 'received an answer about more days', isVerb: true, status: null },
  'order.released': { icon: Info, words: 'released by the seller and can be cancelled', status: null },
  'order.due': { icon: Clock, words: 'came close to the due time', isVerb: true, status: null },
  'order.late': { icon: TriangleAlert, words: 'passed the due day', isVerb: true, status: null },
  'order.disputed': { icon: TriangleAlert, words: 'disputed', status: null },
  'order.dispute_withdrawn': { icon: Info, words: 'continued: its dispute was withdrawn', status: null },
  'order.settled': { icon: CircleCheck, words: 'settled', status: null },
  'order.taken_over': { icon: Info, words: 'taken over by our team', status: null },
};

const announcementDisplay: Record<AnnouncementItem['type'], { icon: LucideIcon; color: string; word: string }> = {
  info: { icon: Info, color: 'text-blue-ink', word: 'Information: ' },
  success: { icon: CircleCheck, color: 'text-green-ink', word: 'Good news: ' },
  warning: { icon: TriangleAlert, color: 'text-yellow-ink', word: 'Warning: ' },
  danger: { icon: CircleAlert, color: 'text-red-ink', word: 'Important: ' },
};

function BellPanel({ items, unshown, sitesHref, emptyText, onFollow }: BellPanelProps) {
  if (items.length === 0) return <p className="px-3 py-6 text-center text-muted text-sm">{emptyText}</p>;
  return (
    <ul className="divide-y divide-line">
      {items.map((item) => (
        <li key={item.key}>
          {item.kind === 'announcement' ? (
            <Announcement item={item} />
          ) : (
            <SiteNotice item={item} href={sitesHref} onFollow={onFollow} />
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

function SiteNotice({ item, href, onFollow }: { item: SiteItem; href: string | undefined; onFollow: () => void }) {
  const { icon: Icon, words, isVerb, status } = siteDisplay[item.kind];
  const others = item.sites - 1;
  const were = others > 0 ? 'were' : 'was';
  const query = new URLSearchParams({ ...(status && { status }), ...(others === 0 && status && { q: item.subject }) });
  const text = (
    <>
      <Icon className="mt-0.5 size-4 text-subtle" />
      <span className="min-w-0 flex-1">
        <span className="wrap-anywhere block text-ink">
          <span className="font-medium">{item.subject}</span>
          {others > 0 ? ` and ${others.toLocaleString('en-US')} more` : ''} {isVerb ? words : `${were} ${words}`}
        </span>
        <TimeAgo at={item.at} className="text-subtle text-xs" />
      </span>
      <UnreadMark isUnread={item.isUnread} />
    </>
  );
  const isDispute = item.kind === 'payment.disputed';
  // A removed site has no page.
  if (!isDispute && (status === null || href === undefined)) return <div className={look}>{text}</div>;
  return (
    <Link
      prefetch={false}
      href={isDispute ? '/dashboard/features/payments/disputes' : `${href}?${query}`}
      onClick={onFollow}
      className={`${look} hover:bg-sunken`}
    >
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

/** Reads the notifications and marks them as read. @returns null when the request failed */
async function readBell(): Promise<BellState | null> {
  try {
    return await callAction(markNotificationsReadAction({}));
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    return null;
  }
}
