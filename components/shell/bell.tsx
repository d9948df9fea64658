'use client';

import dynamic from 'next/dynamic';
import { useId, useRef, useState } from 'react';
import { Button, buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { retryChunk } from '@/components/ui/retry-chunk';
import { ApiError, callAction, readAction } from '@/lib/browser/api-client';
import { groupDigits } from '@/lib/money';
import {
  markAllNotificationsReadAction,
  markNotificationReadAction,
  readNotificationsAction,
} from '@/lib/notifications/actions';
import type { NotificationList as BellState } from '@/lib/notifications/notifications';

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

/**
 * Renders the bell: an inbox of notifications about the user's orders, payments and sites, and of announcements.
 * Following a notification marks it as read, and a button marks all.
 */
export function Bell({ unread, sitesHref, emptyText }: BellProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [bell, setBell] = useState<BellState | null>(null);
  const [failed, setFailed] = useState(false);
  const open = async () => {
    setFailed(false);
    const latest = await ask(readAction(readNotificationsAction({})));
    if (latest) setBell(latest.data);
    else setFailed(true);
  };
  const follow = async (key: string) => {
    panel.current?.hidePopover();
    setBell((before) => before && withRead(before, [key]));
    await ask(readAction(markNotificationReadAction({ key })));
  };
  const markAll = async () => {
    const upTo = bell?.upTo;
    if (!upTo) return;
    setFailed(false);
    if ((await ask(callAction(() => markAllNotificationsReadAction({ upTo })))) === null) return setFailed(true);
    const keys = bell.items.map(({ key }) => key);
    setBell((before) => before && { ...withRead(before, keys), unread: 0, unshown: 0 });
  };
  const count = bell?.unread ?? unread;
  const name = count === 0 ? 'Notifications' : `Notifications, ${groupDigits(count)} unread`;
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={name}
        data-tooltip={name}
        className={buttonClass({ variant: 'ghost', size: 'sm', square: true, className: 'relative' })}
      >
        <Icon name="bell" />
        {count > 0 ? (
          <span
            aria-hidden="true"
            className="absolute -top-0.5 -right-0.5 min-w-4 rounded-full bg-secondary px-1 text-center font-medium text-[10px] text-on-secondary leading-4"
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
        className="top-popover"
      >
        <div className="flex items-center justify-between gap-3 border-line border-b px-3 py-1">
          <h2 className="py-1.5 font-medium text-ink text-sm">Notifications</h2>
          {bell && bell.items.length > 0 ? (
            <Button
              size="sm"
              variant="ghost"
              className="-mr-2"
              disabled={bell.unread === 0}
              onClick={() => void markAll()}
            >
              Mark all as read
            </Button>
          ) : null}
        </div>
        {failed ? (
          <p className="px-3 py-2.5 text-red-ink text-sm">
            {bell
              ? 'That wasn’t saved. Please try again.'
              : 'Notifications couldn’t be loaded. Open this menu again to retry.'}
          </p>
        ) : null}
        {bell ? (
          <BellPanel
            items={bell.items}
            unshown={bell.unshown}
            sitesHref={sitesHref}
            emptyText={emptyText}
            onFollow={follow}
          />
        ) : failed ? null : (
          <Loading />
        )}
      </div>
    </>
  );
}

/** Returns the list with these notifications read. */
function withRead(bell: BellState, keys: readonly string[]): BellState {
  const read = bell.items.filter(({ key, isUnread }) => isUnread && keys.includes(key));
  return {
    ...bell,
    items: bell.items.map((item) => (read.includes(item) ? { ...item, isUnread: false } : item)),
    unread: Math.max(0, bell.unread - read.length),
  };
}

/** Awaits the answer of an action. @returns its result; null when the request failed */
async function ask<T>(answer: Promise<T>): Promise<{ data: T } | null> {
  try {
    return { data: await answer };
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    return null;
  }
}
