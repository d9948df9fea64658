'use client';

import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ContactDataBadge } from '@/components/orders/state-badges';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { EmptyState } from '@/components/ui/empty-state';
import { formatBytes } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import type { EventView, MessageView, RoomView } from '@/lib/orders/messages/contract';
import type { RoomSide } from '@/lib/orders/messages/room';

function EventLine({ event: { texts, note, author, isOwn, by, at, hasContactData } }: { event: EventView }) {
  return (
    <div className="mx-auto max-w-prose px-2 text-center text-muted text-xs">
      <p className="wrap-anywhere text-pretty">
        {texts.join(' ')}{' '}
        <span className="whitespace-nowrap text-subtle">
          {author === '' || by === 'system' || isOwn ? '' : `${author} · `}
          <TimeAgo at={at} />
        </span>
      </p>
      {note ? (
        <div className="mt-1.5 inline-block rounded-md bg-sunken px-2.5 py-1.5 text-left text-muted text-sm">
          <MessageText text={note} />
        </div>
      ) : null}
      {hasContactData ? (
        <p className="mt-1">
          <ContactDataBadge />
        </p>
      ) : null}
    </div>
  );
}

function Message({ message: { author, isOwn, by, text, files, at, hasContactData } }: { message: MessageView }) {
  return (
    <article className={cn('flex min-w-0 flex-col gap-1', isOwn ? 'items-end' : 'items-start')}>
      <p className="flex flex-wrap items-center gap-x-1.5 px-1 text-muted text-xs">
        <span className={cn('font-medium', by === 'staff' && !isOwn ? 'text-accent-ink' : 'text-ink')}>{author}</span>
        <span aria-hidden="true">·</span>
        <TimeAgo at={at} />
        {hasContactData ? <ContactDataBadge /> : null}
      </p>
      <div
        className={cn(
          'grid max-w-[min(85%,42rem)] grid-cols-[minmax(0,1fr)] gap-2 rounded-lg border px-3 py-2 text-ink text-sm',
          isOwn ? 'border-accent-line bg-accent-soft' : 'border-line bg-surface',
        )}
      >
        {text ? <MessageText text={text} /> : null}
        {files.length > 0 ? (
          <ul className="grid gap-1">
            {files.map(({ id, fileName, sizeBytes, path }) => (
              <li key={id} className="min-w-0">
                <a
                  href={path}
                  download=""
                  className="flex min-h-6 min-w-0 items-center gap-1.5 text-accent-ink hover:underline"
                >
                  <Icon name="file-text" />
                  <span className="truncate">{fileName}</span>
                  <span className="shrink-0 text-muted text-xs">{formatBytes(sizeBytes)}</span>
                </a>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </article>
  );
}

/** An address, without the punctuation that ends a sentence. */
const address = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}’”])/i;

/** Renders the text with its line breaks, and with links for addresses. */
function MessageText({ text }: { text: string }) {
  // `split` with a group returns the addresses at the odd positions.
  const parts = text.split(address).map((part, position) => ({ part, position }));
  return (
    <p className="whitespace-pre-wrap wrap-anywhere">
      {parts.map(({ part, position }) =>
        position % 2 === 1 ? (
          <a
            key={position}
            href={part}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="text-accent-ink underline"
          >
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  );
}

type StreamProps = {
  room: RoomView;
  side: RoomSide;
  dividerId: string | null;
  older: 'idle' | 'loading' | 'failed';
  onOlder: () => void;
};

/** Closer to the end than this, new entries scroll into view. */
const nearEndPx = 120;

/** Renders the entries of a room, oldest first. It starts at its end, and stays there while new entries appear. */
export function Stream({ room: { entries, older: olderCursor }, side, dividerId, older, onOlder }: StreamProps) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const heightBefore = useRef<number | null>(null);
  const [hasMore, setHasMore] = useState(false);
  const [firstId, lastId] = [entries[0]?.id, entries.at(-1)?.id];
  const isOwnLast = entries.at(-1)?.isOwn ?? false;

  // Before the first paint, so that nothing moves.
  useLayoutEffect(() => {
    if (isAtEnd.current || isOwnLast) scrollToEnd(box.current);
    else if (lastId) setHasMore(true);
  }, [lastId, isOwnLast]);
  // Keeps the position when older entries are added above.
  useLayoutEffect(() => {
    const { current } = box;
    if (!current || firstId === undefined) return;
    if (heightBefore.current !== null) current.scrollTop += current.scrollHeight - heightBefore.current;
    heightBefore.current = null;
  }, [firstId]);
  // A hidden tab may have been opened with a size of zero.
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) scrollToEnd(current);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);

  const onScroll = () => {
    const { current } = box;
    if (!current) return;
    isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < nearEndPx;
    if (isAtEnd.current) setHasMore(false);
  };

  return (
    <div className="relative grid min-h-40 grid-cols-[minmax(0,1fr)]">
      <div
        ref={box}
        role="log"
        aria-live="off"
        aria-label="Messages and steps of the order"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
        tabIndex={0}
        onScroll={onScroll}
        className="max-h-[60dvh] min-w-0 overflow-y-auto overscroll-contain px-4 py-4 outline-offset-[-2px] sm:px-5 lg:max-h-[max(24rem,calc(100dvh-26rem))]"
      >
        {olderCursor === null ? null : (
          <div className="mb-4 text-center">
            <Button
              size="sm"
              pending={older === 'loading'}
              onClick={() => {
                heightBefore.current = box.current?.scrollHeight ?? null;
                onOlder();
              }}
            >
              Show older
            </Button>
            {older === 'failed' ? (
              <p role="alert" className="mt-1.5 text-red-ink text-xs">
                They couldn’t be loaded. Try again.
              </p>
            ) : null}
          </div>
        )}
        {entries.length === 0 ? (
          <EmptyState icon={<Icon name="messages-square" />} title="No messages yet" className="py-6">
            {emptyTexts[side]}
          </EmptyState>
        ) : (
          <ol className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {entries.map((entry) => (
              <Fragment key={entry.id}>
                {entry.id === dividerId ? <UnreadDivider /> : null}
                <li className="min-w-0">
                  {entry.type === 'event' ? <EventLine event={entry} /> : <Message message={entry} />}
                </li>
              </Fragment>
            ))}
          </ol>
        )}
      </div>
      {hasMore ? (
        <Button
          size="sm"
          icon={<Icon name="arrow-down" />}
          onClick={() => scrollToEnd(box.current)}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-overlay"
        >
          New messages
        </Button>
      ) : null}
    </div>
  );
}

const scrollToEnd = (box: HTMLElement | null) => box?.scrollTo({ top: box.scrollHeight });

const emptyTexts: Record<RoomSide, string> = {
  buyer: 'Questions about this order? Write here, and the answer appears in this place.',
  seller: 'Questions about this order? Write to the buyer here. Our team can read this room.',
  staff: 'What you write here is read by the buyer, and by the seller who carries out the order.',
};

function UnreadDivider() {
  return (
    <li className="flex items-center gap-3 text-accent-ink text-xs">
      <span aria-hidden="true" className="h-px flex-1 bg-accent-line" />
      New
      <span aria-hidden="true" className="h-px flex-1 bg-accent-line" />
    </li>
  );
}
