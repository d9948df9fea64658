'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { Progress } from '@/components/ui/progress';
import type { ActionResult } from '@/lib/platform/http/action';

const pollIntervalMs = 2_000;

type BackgroundProgressProps = {
  /** The progress when the page was rendered, in percent. */
  first: number;
  /** A server action that returns the progress in percent; null when the work is done. */
  getProgress: (input: Record<string, never>) => Promise<ActionResult<number | null>>;
  label: string;
  /** Shown before the percentage. */
  text: string;
};

/** Renders the progress of work that runs in the background; refreshes the page when it is done. */
export function BackgroundProgress({ first, getProgress, label, text }: BackgroundProgressProps) {
  const router = useRouter();
  const [percent, setPercent] = useState(first);
  useEffect(() => {
    const timer = setInterval(async () => {
      // If the connection fails, the next poll retries.
      const response = await getProgress({}).catch(() => null);
      if (!response?.ok) return;
      if (response.data !== null) return setPercent(response.data);
      clearInterval(timer);
      router.refresh();
    }, pollIntervalMs);
    return () => clearInterval(timer);
  }, [router, getProgress]);
  return (
    <div role="status" className="grid min-w-48 gap-1.5 text-muted text-sm">
      <Progress value={percent} label={label} />
      {text} {percent} %
    </div>
  );
}
