'use client';

import { Bell as BellIcon, CircleCheck, CircleX, Clock, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useId, useRef, useState } from 'react';
import type { BellItem, Bell as BellState } from '@/lib/bell/queries';
import type { ActionAnswer } from '@/lib/http/action';
import { callAction } from '@/lib/http/call-action';
import { ApiError } from '@/lib/http/client';
import { buttonClass } from '../ui/button-class';
import { TimeAgo } from '../ui/time-ago';
import { popoverClass } from './popover-class';

type BellProps = {
  /** As it stood when the page was made. */
  bell: BellState;
  /** Answers the bell as it stands, and remembers that it was read. */
  read: (input: Record<string, never>) => Promise<ActionAnswer<BellState>>;
  /** Where the sites are that it tells about. */
  href: string;
};

const looks: Record<BellItem['kind'], { icon: typeof Clock; words: string; status: string | null }> = {
  'site.approved': { icon: CircleCheck, words: 'approved', status: 'Approved' },
  'site.rejected': { icon: CircleX, words: 'rejected', status: 'Rejected' },
  'site.pending': { icon: Clock, words: 'sent back to review', status: 'Pending' },
  'site.removed': { icon: Trash2, words: 'removed by the marketplace', status: null },
};

/** What others made of a person's sites. Opening it reads it; the count of the unread goes then. */
export function Bell({ bell, read, href }: BellProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(bell);
  const [failed, setFailed] = useState(false);
  const open = async () => {
    setFailed(false);
    try {
      const latest = await callAction(read({}));
      setShown({ ...latest, unread: 0 });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setFailed(true);
    }
  };
  const name = shown.unread === 0 ? 'Notifications' : `Notifications, ${shown.unread.toLocaleString('en-US')} unread`;
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={name}
        title={name}
        className={buttonClass({ variant: 'ghost', size: 'sm', square: true, className: 'relative' })}
      >
        <BellIcon aria-hidden="true" className="size-4" />
        {shown.unread > 0 ? (
          <span
            aria-hidden="true"
            className="absolute -top-0.5 -right-0.5 min-w-4 rounded-full bg-accent px-1 text-center font-medium text-[10px] text-on-accent leading-4 tabular-nums"
          >
            {shown.unread > 99 ? '99+' : shown.unread}
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
        {failed ? <p className="px-3 py-2.5 text-red-ink text-sm">They could not be loaded. Open this again.</p> : null}
        {shown.items.length === 0 ? (
          <p className="px-3 py-6 text-center text-muted text-sm">
            Nothing yet. Here you learn when a site of yours is approved, rejected or removed.
          </p>
        ) : (
          <ul className="divide-y divide-line">
            {shown.items.map((item) => (
              <li key={item.id}>
                <Notice item={item} href={href} onFollow={() => panel.current?.hidePopover()} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

function Notice({ item, href, onFollow }: { item: BellItem; href: string; onFollow: () => void }) {
  const { icon: Icon, words, status } = looks[item.kind];
  const others = item.sites - 1;
  const query = new URLSearchParams({ ...(status && { status }), ...(others === 0 && status && { q: item.subject }) });
  const text = (
    <>
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-subtle" />
      <span className="min-w-0 flex-1">
        <span className="wrap-anywhere block text-ink">
          <span className="font-medium">{item.subject}</span>
          {others > 0 ? ` and ${others.toLocaleString('en-US')} more` : ''} {others > 0 ? 'were' : 'was'} {words}
        </span>
        <TimeAgo at={item.at} className="text-subtle text-xs" />
      </span>
      {item.isUnread ? (
        <span className="mt-1.5 size-2 shrink-0 rounded-full bg-accent">
          <span className="sr-only">New</span>
        </span>
      ) : null}
    </>
  );
  const look = 'flex items-start gap-2.5 px-3 py-2.5 text-sm';
  // What was removed is nowhere to be seen any more.
  if (status === null) return <div className={look}>{text}</div>;
  return (
    <Link href={`${href}?${query}`} prefetch={false} onClick={onFollow} className={`${look} hover:bg-sunken`}>
      {text}
    </Link>
  );
}
