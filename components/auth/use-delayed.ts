'use client';

import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Does something a while after `start`, unless the screen is left before.
 * @param act the latest one is called
 */
export function useDelayed(delayMs: number, act: () => void): { started: boolean; start: () => void } {
  const [started, setStarted] = useState(false);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (!started) return;
    const timer = setTimeout(() => latest.current(), delayMs);
    return () => clearTimeout(timer);
  }, [started, delayMs]);
  const start = useCallback(() => setStarted(true), []);
  return { started, start };
}
