'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { firstPage } from '@/components/table/url';
import { useLatestUrl, useParamChange } from '@/components/table/use-param-change';
import { filterParams } from './filter-params';
import type { ReadParam } from './list-active-filters';

/** How long the URL waits for the next edit, in milliseconds. */
const pauseMs = 400;

type Values = Readonly<Record<string, readonly string[]>>;

/**
 * Parameters of the URL that a control changes: `apply` at once, `edit` after a pause, so that what is typed is one entry
 * of the history, and `flush` ends the pause. `values` are those of the control: an edit that waits, then the values that
 * were sent until the server has responded, then those of the URL.
 * @param names the parameters of the control
 * @param read reads the URL
 */
export function useSettledParams(names: readonly string[], read: ReadParam) {
  const { pending, change } = useParamChange();
  const isLeaving = useIsLeaving();
  const [waiting, setWaiting] = useState<Values | null>(null);
  const [sent, setSent] = useState<Values | null>(null);
  const inUrl: Values = Object.fromEntries(names.map((name) => [name, read(name)]));
  const values = waiting ?? (pending ? sent : null) ?? inUrl;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const send = (next: Values) => {
    setWaiting(null);
    if (!pending && JSON.stringify(next) === JSON.stringify(inUrl)) return;
    setSent(next);
    change(next);
  };
  // A timer and a closing menu call functions of an earlier rendering; the URL may have changed since.
  const latest = useRef({ values, waiting, send, isLeaving, isClosed: false });
  useLayoutEffect(() => {
    latest.current = { values, waiting, send, isLeaving, isClosed: false };
  });

  const drop = useCallback(() => {
    clearTimeout(timer.current);
    latest.current.waiting = null;
    setWaiting(null);
  }, []);
  const flush = useCallback(() => {
    const { waiting, send, isLeaving } = latest.current;
    drop();
    if (waiting && !isLeaving()) send(waiting);
  }, [drop]);
  const edit = (changes: Values) => {
    const next = { ...latest.current.values, ...changes };
    Object.assign(latest.current, { values: next, waiting: next });
    setWaiting(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(flush, pauseMs);
  };
  const apply = (changes: Values) => {
    const next = { ...latest.current.values, ...changes };
    drop();
    latest.current.values = next;
    latest.current.send(next);
  };

  // Back and Forward leave the list that was edited.
  useEffect(() => {
    window.addEventListener('popstate', drop);
    return () => window.removeEventListener('popstate', drop);
  }, [drop]);

  // A control that is closed within the pause still applies its edit, unless the list is closed with it. Layout effects end
  // before the pending navigation is forgotten.
  useLayoutEffect(
    () => () => {
      latest.current.isClosed = latest.current.isLeaving();
    },
    [],
  );
  const pathname = usePathname();
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      const { waiting, send, isClosed } = latest.current;
      if (waiting && !isClosed && window.location.pathname === pathname) send(waiting);
    },
    [pathname],
  );

  return { values, pending, edit, apply, flush };
}

/**
 * Checks whether a pending navigation leaves the list, or closes the dialog around it: a parameter that is no filter is
 * removed.
 */
function useIsLeaving(): () => boolean {
  const getLatestUrl = useLatestUrl();
  const pathname = usePathname();
  const searchParams = useSearchParams();
  return () => {
    const { pathname: next, params } = getLatestUrl();
    const isKept = (name: string) => filterParams.includes(name) || name in firstPage || params.has(name);
    return next !== pathname || ![...searchParams.keys()].every(isKept);
  };
}
