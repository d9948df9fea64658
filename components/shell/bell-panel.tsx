import { CircleAlert, CircleCheck, CircleX, Clock, Info, type LucideIcon, Trash2, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import type { AnnouncementItem, BellItem, SiteItem } from '@/lib/bell/queries';
import { cn } from '../ui/cn';
import { TimeAgo } from '../ui/time-ago';

type BellPanelProps = {
  items: readonly BellItem[];
  /** Unread ones that are older than these. */
  unshown: number;
  sitesHref: string | undefined;
  emptyText: string;
  onFollow: () => void;
};

const siteLooks: Record<SiteItem['kind'], { icon: LucideIcon; words: string; status: string | null }> = {
  'site.approved': { icon: CircleCheck, words: 'approved', status: 'Approved' },
  'site.rejected': { icon: CircleX, words: 'rejected', status: 'Rejected' },
  'site.pending': { icon: Clock, words: 'sent back to review', status: 'Pending' },
  'site.removed': { icon: Trash2, words: 'removed by the marketplace', status: null },
  'payment.disputed': { icon: TriangleAlert, words: 'disputed', status: null },
};

const announcementLooks: Record<AnnouncementItem['type'], { icon: LucideIcon; color: string; word: string }> = {
  info: { icon: Info, color: 'text-blue-ink', word: 'Information: ' },
  success: { icon: CircleCheck, color: 'text-green-ink', word: 'Good news: ' },
  warning: { icon: TriangleAlert, color: 'text-yellow-ink', word: 'Warning: ' },
  danger: { icon: CircleAlert, color: 'text-red-ink', word: 'Important: ' },
};

/** The content of the open bell. */
export function BellPanel({ items, unshown, sitesHref, emptyText, onFollow }: BellPanelProps) {
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
  const { icon: Icon, color, word } = announcementLooks[item.type];
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
  const { icon: Icon, words, status } = siteLooks[item.kind];
  const others = item.sites - 1;
  const query = new URLSearchParams({ ...(status && { status }), ...(others === 0 && status && { q: item.subject }) });
  const text = (
    <>
      <Icon className="mt-0.5 size-4 text-subtle" />
      <span className="min-w-0 flex-1">
        <span className="wrap-anywhere block text-ink">
          <span className="font-medium">{item.subject}</span>
          {others > 0 ? ` and ${others.toLocaleString('en-US')} more` : ''} {others > 0 ? 'were' : 'was'} {words}
        </span>
        <TimeAgo at={item.at} className="text-subtle text-xs" />
      </span>
      <UnreadMark isUnread={item.isUnread} />
    </>
  );
  const isDispute = item.kind === 'payment.disputed';
  // What was removed is nowhere to be seen any more.
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
