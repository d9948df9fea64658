'use client';

import { CircleAlert } from 'lucide-react';
import { isLostChunk } from '../ui/retry-chunk';
import { useFailureText } from './use-failure-text';

export type PageFailureProps = { error: Error & { digest?: string }; retry: () => void };

/**
 * What stands in place of a whole page that failed, its shell as well. The digest finds the same failure in the server's
 * log.
 */
export function PageFailure({ error, retry }: PageFailureProps) {
  const text = useFailureText(
    error,
    'The page could not be shown. Nothing you saved is lost; trying again often helps.',
  );
  return (
    <div
      role="alert"
      className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-6 px-6 text-center"
    >
      <p className="site-name font-medium text-ink tracking-tight" />
      <CircleAlert className="size-8 text-subtle" />
      <div>
        <h1 className="text-ink text-xl">Something went wrong</h1>
        <p className="mt-2 text-balance text-muted">{text}</p>
        {error.digest ? <p className="mt-2 text-subtle text-xs">Reference {error.digest}</p> : null}
      </div>
      {/* Not the Button: every page of the app loads this, and nearly none shows it. */}
      <button
        type="button"
        className="btn btn-primary"
        onClick={isLostChunk(error) ? () => window.location.reload() : retry}
      >
        Try again
      </button>
    </div>
  );
}
