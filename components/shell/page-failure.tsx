'use client';

import { useEffect, useState } from 'react';
import { isLostChunk } from '../ui/is-lost-chunk';

export type PageFailureProps = { error: Error & { digest?: string }; retry: () => void };

/**
 * What stands in place of a whole page that failed, its shell as well. The digest finds the same failure in the server's
 * log; why it failed stays there, so the health address is asked whether it is only that the server cannot do its work
 * at the moment.
 */
export function PageFailure({ error, retry }: PageFailureProps) {
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    console.error(error);
    fetch('/api/health').then(
      ({ status }) => setIsAway(status === 503),
      // No answer at all, e.g. offline: then the usual text stands.
      () => setIsAway(false),
    );
  }, [error]);

  return (
    <div
      role="alert"
      className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-6 px-6 text-center"
    >
      <span aria-hidden="true" className="icon-circle-alert size-8 text-subtle" />
      <div>
        <h1 className="text-ink text-xl">Something went wrong</h1>
        <p className="mt-2 text-balance text-muted">
          {isAway
            ? 'The marketplace cannot do its work right now. Nothing you saved is lost; please try again in a few seconds.'
            : 'The page could not be shown. Nothing you saved is lost; trying again often helps.'}
        </p>
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
