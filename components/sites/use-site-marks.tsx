'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import type { ActionResult } from '@/lib/platform/http/action';

export type Mark = { siteId: number; kind: 'favourite' | 'hidden'; on: boolean };
export type MarkSite = (mark: Mark) => Promise<ActionResult<void>>;

/** Spec 001, section 9. */
const toastMs = 2800;
/** Long enough to think again. */
const undoMs = 6000;

// Fetched with the first mark; the list itself needs none of it.
const loadSave = () => import('./save-mark');

/** Marks sites as favourites or hidden. The server's answer is awaited; the page is then loaded anew. */
export function useSiteMarks(markSite: MarkSite) {
  const router = useRouter();
  const [busy, setBusy] = useState<number | null>(null);

  /** One at a time, so that a double press is one. @returns whether it was done */
  const mark = async (wanted: Mark): Promise<boolean> => {
    if (busy !== null) return false;
    setBusy(wanted.siteId);
    try {
      const failure = await loadSave().then(
        ({ saveMark }) => saveMark(markSite, wanted),
        () => '',
      );
      if (failure === null) router.refresh();
      else toast.error(failure || 'This was not saved. Try again.', { duration: toastMs });
      return failure === null;
    } finally {
      setBusy(null);
    }
  };

  const hide = async ({ id, name }: { id: number; name: string }, on: boolean): Promise<boolean> => {
    const isDone = await mark({ siteId: id, kind: 'hidden', on });
    if (!isDone) return false;
    const undo = (
      <Button size="sm" className="mt-1.5" onClick={() => void mark({ siteId: id, kind: 'hidden', on: !on })}>
        Undo
      </Button>
    );
    toast.success(on ? `${name} is hidden` : `${name} is shown again`, { description: undo, duration: undoMs });
    return true;
  };

  return {
    /** The site whose mark is on its way. */
    busy,
    star: (siteId: number, on: boolean) => mark({ siteId, kind: 'favourite', on }),
    hide,
  };
}
