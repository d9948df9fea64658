'use client';

import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { useHydrated } from '@/components/ui/use-hydrated';

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

type SubmitButtonProps = { pending: boolean; disabled?: boolean; children: ReactNode };

/** Renders the submit button of the sign-in pages. Before hydration it looks enabled but does not submit. */
export function SubmitButton({ pending, disabled = false, children }: SubmitButtonProps) {
  const hydrated = useHydrated();
  return (
    <Button
      type="submit"
      variant="primary"
      size="lg"
      pending={pending}
      disabled={!hydrated || disabled}
      className={hydrated ? 'w-full' : 'w-full disabled:opacity-100'}
    >
      {children}
    </Button>
  );
}
