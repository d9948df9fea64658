'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { ApiError } from '@/lib/browser/api-client';

type OperationOptions = {
  /** The error message where the server sent no text. `status` 0: no response. */
  fallback: (status: number) => string;
  /** Shows the error message, in a toast for example. Without it, `error` holds the message. */
  onError?: (message: string) => void;
};

/** Returns the state of an operation outside a form, and the function that runs it. The page is refreshed after it. */
export function useOperation({ fallback, onError }: OperationOptions) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  /** @param work sends the request, and throws ApiError */
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setPending(true);
    setError(null);
    try {
      await work();
      router.refresh();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      (onError ?? setError)(cause.message || fallback(cause.status));
    } finally {
      setPending(false);
    }
  };
  return { pending, error, setError, run };
}
