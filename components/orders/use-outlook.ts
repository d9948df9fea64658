'use client';

import { useEffect, useState } from 'react';
import { ApiError, readAction } from '@/lib/browser/api-client';
import { pageAccount } from '@/lib/browser/page-account';
import { getOutlookAction } from '@/lib/orders/actions';
import type { Outlook } from './outlook';

/** The pause after a change before the server is asked. */
const pauseMs = 300;

type OutlookOptions = {
  /** Whether orders of the account can need an approval; otherwise the server is not asked. */
  isLimited: boolean;
  projectId: string;
  /** With tax, in USD cents. */
  totalCents: number;
  /** The sites with the `rel` of their briefs, which the policy judges; a package has no site. */
  items: readonly { siteId: number | null; rel: string }[];
};

/**
 * Asks the server what will happen to an order when it is sent, again after each change. Null while it is not known; the
 * order is decided again when it is sent.
 */
export function useOutlook({ isLimited, projectId, totalCents, items }: OutlookOptions): Outlook | null {
  const [known, setKnown] = useState<{ question: string; outlook: Outlook | null } | null>(null);
  const isAsked = isLimited && projectId !== '' && totalCents > 0;
  const question = isAsked ? JSON.stringify({ projectId, totalCents, items }) : '';

  useEffect(() => {
    if (question === '') return;
    let isStale = false;
    const timer = setTimeout(() => {
      readAction(getOutlookAction(JSON.parse(question), pageAccount()))
        .catch((cause: unknown) => {
          if (!(cause instanceof ApiError)) throw cause;
          return null;
        })
        .then((outlook) => {
          if (!isStale) setKnown({ question, outlook });
        });
    }, pauseMs);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [question]);

  // What was true of another project or total could hide that this order is paid at once.
  return known?.question === question ? known.outlook : null;
}
