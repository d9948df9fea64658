'use client';

import { CircleAlert } from 'lucide-react';
import { useFailureText } from '../shell/use-failure-text';
import { isLostChunk } from '../ui/retry-chunk';

type ListFailureProps = { error: unknown; retry: () => void; text: string };

/**
 * A list that could not be loaded: the body of its error.tsx. It looks as an Alert does and is none: every visit of the
 * page loads this, and nearly none shows it.
 */
export function ListFailure({ error, retry, text }: ListFailureProps) {
  const consolation = useFailureText(error, 'Nothing you saved is lost.');
  return (
    <div
      role="alert"
      className="flex items-start gap-2.5 rounded-md border border-red-line bg-red-soft px-3 py-2.5 text-red-ink text-sm"
    >
      <CircleAlert className="mt-0.5 size-4" />
      <div className="min-w-0 flex-1">
        <h1 className="font-medium text-sm">{text}</h1>
        <p className="mt-0.5">{consolation}</p>
      </div>
      <button
        type="button"
        className="btn btn-sm -my-1 shrink-0"
        onClick={isLostChunk(error) ? () => window.location.reload() : retry}
      >
        Try again
      </button>
    </div>
  );
}
