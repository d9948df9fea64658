'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { isLostChunk } from '@/components/ui/retry-chunk';
import { findCurrent } from './nav';

export type FailureProps = { error: Error & { digest?: string }; retry: () => void };

/** The message for each path, which also applies to the pages below it. */
type FailureTexts = Readonly<Record<string, string>>;

/** Renders the body of a portal's error.tsx: the message for the failed page, inside the portal's frame. */
export function PortalFailure({ error, retry, texts }: FailureProps & { texts: FailureTexts }) {
  const links = Object.entries(texts).map(([href, text]) => ({ href, text }));
  const title = findCurrent(usePathname(), links)?.text ?? 'Something went wrong';
  const details = useFailureText(error, 'Your saved data is safe.');
  return (
    <div
      role="alert"
      className="flex items-start gap-2.5 rounded-md border border-red-line bg-red-soft px-3 py-2.5 text-red-ink text-sm"
    >
      <Icon name="circle-alert" className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <h1 className="font-medium text-sm">{title}</h1>
        <p className="mt-0.5">{details}</p>
        {error.digest ? <p className="mt-0.5 text-xs">Reference {error.digest}</p> : null}
      </div>
      <Button
        size="sm"
        className="-my-1 shrink-0"
        onClick={isLostChunk(error) ? () => window.location.reload() : retry}
      >
        Try again
      </Button>
    </div>
  );
}

/**
 * Returns the text of a failure. The server does not disclose the cause, so the health endpoint is queried to find out
 * whether the server is unavailable; otherwise `fallback` is shown.
 */
export function useFailureText(error: unknown, fallback: string): string {
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    console.error(error);
    fetch('/api/health').then(
      ({ status }) => setIsAway(status === 503),
      // No response, e.g. offline.
      () => setIsAway(false),
    );
  }, [error]);
  return isAway
    ? 'The marketplace is temporarily unavailable. Your saved data is safe. Please try again in a few seconds.'
    : fallback;
}
