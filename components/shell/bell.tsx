'use client';

import { BellIcon } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useId, useRef, useState } from 'react';
import { ApiError } from '@/lib/browser/api-client';
import { readAction } from '@/lib/browser/call-action';
import { markNotificationsReadAction } from '@/lib/notifications/actions';
import type { NotificationList as BellState } from '@/lib/notifications/queries';
import { buttonClass } from '../ui/button-class';
import { retryChunk } from '../ui/retry-chunk';
import { popoverClass } from './popover-class';

const Loading = () => (
  <p role="status" className="px-3 py-6 text-center text-muted text-sm">
    Loading…
  </p>
);

/** Its code is loaded with the first opening: the bell is on every page. */
const BellPanel = dynamic(
  retryChunk(() => import('./bell-panel').then((module) => module.BellPanel)),
  { ssr: false, loading: Loading },
);

type BellProps = {
  /** The number of unread notifications at render time. */
  unread: number;
  /** The URL of the seller's sites, which the notifications link to. */
  sitesHref?: string;
  /** The text when there are no notifications. */
  emptyText: string;
};

/** The bell: notifications about the user's sites and orders, and announcements. Opening it marks them as read. */
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
          <Loading />
        )}
      </div>
    </>
  );
}

/** Reads the notifications and marks them as read. @returns null when the request failed */
async function readBell(): Promise<BellState | null> {
  try {
    return await readAction(markNotificationsReadAction({}));
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    return null;
  }
}
