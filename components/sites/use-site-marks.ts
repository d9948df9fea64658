import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { toastWithUndo } from '@/components/ui/toast-with-undo';
import { ApiError, callAction, redirectIfSignedOut } from '@/lib/browser/api-client';
import { pageAccount } from '@/lib/browser/page-account';
import type { ActionResult } from '@/lib/platform/http/action';
import type { NotedRow } from '@/lib/sites/views';

type Mark = { siteId: number; kind: 'favourite' | 'hidden'; on: boolean };
export type MarkSite = (mark: Mark, accountId: string | undefined) => Promise<ActionResult<void>>;

const toastMs = 2800;

export type SiteMarks = {
  /** The site whose mark is being saved. */
  busy: number | null;
  isFavourite: (id: number) => boolean;
  /** Adds a site to the favourites or removes it. */
  star: (id: number) => Promise<void>;
  /** Hides a site or unhides it. @returns whether that was saved */
  hide: (site: Pick<NotedRow, 'id' | 'name'>) => Promise<boolean>;
};

/**
 * Saves the user's marks of listed sites.
 * @param favourites the favourites among the rows, as rendered by the server
 * @param areHidden whether the list is that of hidden sites
 */
export function useSiteMarks(favourites: ReadonlySet<number>, areHidden: boolean, markSite: MarkSite): SiteMarks {
  const router = useRouter();
  const [busy, setBusy] = useState<number | null>(null);
  /** The favourites saved since these sites were rendered. */
  const [starred, setStarred] = useState<{ of: unknown; on: ReadonlyMap<number, boolean> }>({
    of: favourites,
    on: new Map(),
  });
  const isFavourite = (id: number) =>
    (starred.of === favourites ? starred.on.get(id) : undefined) ?? favourites.has(id);

  /** Saves one change at a time, so that a double click saves once. @returns whether the change was saved */
  const mark = async (next: Mark): Promise<boolean> => {
    if (busy !== null) return false;
    setBusy(next.siteId);
    try {
      await callAction(() => markSite(next, pageAccount())).catch(redirectIfSignedOut);
      router.refresh();
      return true;
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || 'Your change wasn’t saved. Try again.', { duration: toastMs });
      return false;
    } finally {
      setBusy(null);
    }
  };

  const star = async (id: number) => {
    const on = !isFavourite(id);
    if (!(await mark({ siteId: id, kind: 'favourite', on }))) return;
    setStarred((before) => ({
      of: favourites,
      on: new Map(before.of === favourites ? before.on : []).set(id, on),
    }));
  };

  const hide = async ({ id, name }: Pick<NotedRow, 'id' | 'name'>) => {
    const on = !areHidden;
    if (!(await mark({ siteId: id, kind: 'hidden', on }))) return false;
    toastWithUndo(on ? `${name} is hidden` : `${name} is shown again`, () => {
      void mark({ siteId: id, kind: 'hidden', on: !on });
    });
    return true;
  };

  return { busy, isFavourite, star, hide };
}
