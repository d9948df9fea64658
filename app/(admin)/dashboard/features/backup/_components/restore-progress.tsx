'use client';

import { useEffect, useState } from 'react';
import { Progress } from '@/components/ui/progress';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { backupPath } from './page-texts';

const pollIntervalMs = 1_000;

/** The progress of a check or restore of an archive. */
export function RestoreProgress({ id, text }: { id: string; text: string }) {
  const [percent, setPercent] = useState(0);
  useEffect(() => {
    const timer = setInterval(async () => {
      try {
        const state = await apiFetch<{ percent: number | null }>(`${backupPath}/${id}/progress`);
        setPercent((shown) => Math.max(shown, state.percent ?? 0));
      } catch (cause) {
        // The operation continues on the server. A restore ends the session, which stops the polling.
        if (!(cause instanceof ApiError)) throw cause;
        if (cause.status === 401) clearInterval(timer);
      }
    }, pollIntervalMs);
    return () => clearInterval(timer);
  }, [id]);
  return (
    <div role="status" className="grid gap-1.5 text-muted text-sm">
      <Progress value={percent} label="Progress" />
      {percent > 0 ? `${text} ${percent} %` : text}
    </div>
  );
}
