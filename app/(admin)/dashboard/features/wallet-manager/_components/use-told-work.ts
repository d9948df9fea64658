'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';

/** What is wrong is told in sums, with what to do next: more than the usual three seconds' reading. */
const longReadMs = 12_000;

/**
 * Work of one button, told in a toast; the screen then shows what came of it.
 * @param work says whether all is as it should be, and the text; throws Error with the text to show
 */
export function useToldWork(work: () => Promise<{ isGood: boolean; text: string }>) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const run = async () => {
    setPending(true);
    try {
      const { isGood, text } = await work();
      if (isGood) toast.success(text);
      else toast.error(text, { duration: longReadMs });
      router.refresh();
    } catch (cause) {
      toast.error(cause instanceof Error ? cause.message : 'No answer came. Please try again.');
    } finally {
      setPending(false);
    }
  };
  return { pending, run };
}
