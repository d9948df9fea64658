'use client';

import { BellIcon } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { Bell as BellState } from '@/lib/bell/queries';
import { buttonClass } from '../ui/button-class';
import { BellPanel } from './bell-panel';
import { popoverClass } from './popover-class';
import { readBell } from './read-bell';

type BellProps = {
  /** As it stood when the page was made. */
  unread: number;
  /** Where a seller's sites are, which their bell tells about. */
  sitesHref?: string;
  /** What stands in it before anything was ever told. */
  emptyText: string;
};

/** What others made of a person's sites, and what admins announce. Opening it reads it; the count goes then. */
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
        {failed ? <p className="px-3 py-2.5 text-red-ink text-sm">They could not be loaded. Open this again.</p> : null}
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
