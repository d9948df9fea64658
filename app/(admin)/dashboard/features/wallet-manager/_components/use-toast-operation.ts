'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';

/** Error messages contain amounts and the next step, which take longer to read than the default three seconds allow. */
const errorDurationMs = 12_000;

/**
 * Runs an operation, displays its result in a toast and refreshes the page.
 * @param work returns whether the result is good, and the message; throws Error with the message to display
 */
export function useToastOperation(operation: () => Promise<{ isGood: boolean; text: string }>) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const run = async () => {
    setPending(true);
    try {
      const { isGood, text } = await operation();
      if (isGood) toast.success(text);
      else toast.error(text, { duration: errorDurationMs });
      router.refresh();
    } catch (cause) {
      toast.error(cause instanceof Error ? cause.message : 'The server didn’t respond. Please try again.');
    } finally {
      setPending(false);
    }
  };
  return { pending, run };
}
