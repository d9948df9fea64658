'use client';

import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Calls a function some time after `start`, unless the component unmounts first.
 * @param act the latest function passed is called
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
