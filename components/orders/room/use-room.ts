'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef, useState } from 'react';
import { redirectToSignIn } from '@/lib/browser/api-client';
import { accountHeaders, pageAccount } from '@/lib/browser/page-account';
import { markRoomReadAction } from '@/lib/orders/actions';
import type { MessageView, RoomEntry, RoomView } from '@/lib/orders/messages/contract';
import type { RoomSide } from '@/lib/orders/messages/room';

/** The polling intervals while the page is visible and hidden, and the longest wait after errors. */
const visibleMs = 4_000;
const hiddenMs = 60_000;
const maxErrorMs = 60_000;

type Options = {
  /** The path of the messages in the API. */
  path: string;
  side: RoomSide;
  orderId: number;
  /** Whether new entries are polled for. */
  isLive: boolean;
  /** The newest page, as the server rendered it. */
  first: RoomView;
};

/**
 * Holds the entries of a room: polls for new ones, by ETag, loads older ones, and marks messages as read while the page
 * is visible. A new step of the order refreshes the page, because it changes what the user can do.
 */
export function useRoom({ path, side, orderId, isLive, first }: Options) {
  const router = useRouter();
  const [room, setRoom] = useState(first);
  /** The first entry that was unread when it arrived. */
  const [dividerId, setDividerId] = useState(() => findUnread(first.entries)?.id ?? null);
  const [announcement, setAnnouncement] = useState('');
  const [connection, setConnection] = useState<'ok' | 'lost' | 'gone'>('ok');
  const [older, setOlder] = useState<'idle' | 'loading' | 'failed'>('idle');
  const known = useRef(new Set(first.entries.map(({ id }) => id)));
  const poll = useRef<() => void>(() => undefined);

  /** Adds the newest page to the entries that are displayed. */
  const merge = useCallback(
    (latest: RoomView) => {
      const added = latest.entries.filter(({ id }) => !known.current.has(id));
      // More arrived than a page holds.
      const isContinuous = added.length < latest.entries.length;
      if (!isContinuous) known.current.clear();
      for (const { id } of latest.entries) known.current.add(id);
      setRoom((shown) => {
        if (!isContinuous || shown.entries.length === 0) return latest;
        const fresh = new Map(latest.entries.map((entry) => [entry.id, entry]));
        const kept = shown.entries.map((entry) => fresh.get(entry.id) ?? entry);
        const isNew = (entry: RoomEntry) => !shown.entries.some(({ id }) => id === entry.id);
        return { ...latest, entries: [...kept, ...latest.entries.filter(isNew)], older: shown.older };
      });
      const unread = findUnread(added);
      if (unread) {
        setAnnouncement(`New message from ${unread.author}`);
        if (document.hidden) setDividerId((shown) => shown ?? unread.id);
      }
      if (added.some(({ type }) => type === 'event')) router.refresh();
    },
    [router],
  );

  useEffect(() => {
    if (!isLive) return;
    let timer: ReturnType<typeof setTimeout>;
    let etag = '';
    let failures = 0;
    let isOver = false;
    let running: AbortController | null = null;
    const ask = async () => {
      clearTimeout(timer);
      running?.abort();
      const request = new AbortController();
      running = request;
      const answer = await fetch(path, {
        cache: 'no-store',
        headers: { ...accountHeaders(), ...(etag && { 'If-None-Match': etag }) },
        signal: request.signal,
      })
        .then(async (response) => ({ response, latest: response.status === 200 ? await readRoomView(response) : null }))
        .catch(() => null);
      // A later request replaced this one, or the page was left.
      if (request.signal.aborted || isOver) return;
      if (answer?.response.status === 401 || answer?.response.status === 403) return redirectToSignIn();
      if (answer?.response.status === 404) return setConnection('gone');
      if (answer && (answer.latest || answer.response.status === 304)) {
        failures = 0;
        setConnection('ok');
        if (answer.latest) {
          etag = answer.response.headers.get('etag') ?? '';
          merge(answer.latest);
        }
      } else {
        failures += 1;
        // A single failure is not worth a message.
        if (failures > 1) setConnection('lost');
      }
      const wait = document.hidden ? hiddenMs : visibleMs;
      timer = setTimeout(ask, failures === 0 ? wait : Math.max(wait, Math.min(visibleMs * 2 ** failures, maxErrorMs)));
    };
    const onVisible = () => {
      if (!document.hidden) void ask();
    };
    poll.current = () => void ask();
    timer = setTimeout(ask, visibleMs);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      isOver = true;
      clearTimeout(timer);
      running?.abort();
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [path, isLive, merge]);

  useMarkRead({ side, orderId, unread: room.unread, messageId: room.newestMessageId, onRead: poll });

  const loadOlder = async () => {
    if (room.older === null || older === 'loading') return;
    setOlder('loading');
    const page = await fetch(`${path}?before=${room.older}`, { cache: 'no-store', headers: accountHeaders() })
      .then((response) => (response.ok ? readRoomView(response) : null))
      .catch(() => null);
    if (page) {
      for (const { id } of page.entries) known.current.add(id);
      setRoom((shown) => ({ ...shown, entries: [...page.entries, ...shown.entries], older: page.older }));
    }
    setOlder(page ? 'idle' : 'failed');
  };

  /** Displays a message that the user sent. */
  const addOwn = (message: MessageView) => {
    known.current.add(message.id);
    setRoom((shown) =>
      shown.entries.some(({ id }) => id === message.id) ? shown : { ...shown, entries: [...shown.entries, message] },
    );
    setDividerId(null);
    poll.current();
  };

  return { room, dividerId, announcement, connection, older, loadOlder, addOwn };
}

const findUnread = (entries: readonly RoomEntry[]) =>
  entries.find((entry): entry is MessageView => entry.type === 'message' && entry.isUnread);

/** Reads an answer of the API, whose tests check its shape. */
const readRoomView = (response: Response): Promise<RoomView> => response.json();

type MarkRead = {
  side: RoomSide;
  orderId: number;
  unread: number;
  /** The newest message that is displayed. */
  messageId: number;
  onRead: { current: () => void };
};

/** Time for which a message is displayed before it counts as read. */
const readingMs = 1_000;

/** Marks the messages as read while the page is visible. A failure is repeated with the next message. */
function useMarkRead({ side, orderId, unread, messageId, onRead }: MarkRead): void {
  useEffect(() => {
    if (unread === 0) return;
    let timer: ReturnType<typeof setTimeout>;
    const start = () => {
      clearTimeout(timer);
      if (document.hidden) return;
      timer = setTimeout(async () => {
        const answer = await markRoomReadAction({ side, orderId, messageId }, pageAccount()).catch(() => null);
        if (answer?.ok) onRead.current();
      }, readingMs);
    };
    start();
    document.addEventListener('visibilitychange', start);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', start);
    };
  }, [side, orderId, unread, messageId, onRead]);
}
