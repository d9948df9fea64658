'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { OrderFailure, OrderWords } from '../orders/order-failure';
import { useSendOrder } from '../orders/use-send-order';
import type { ProjectChoice } from '../projects/use-project-choice';
import { type AddressedBasket, basketAddress } from './basket-address';
import { checkBasket, restoreBasket } from './check-basket';
import type { SelectedSite } from './selection-store';
import type { Selection } from './use-selection';

type SitesOrderOptions = {
  userId: string;
  selection: Selection;
  words: OrderWords;
  /** What the address brought back; it stands in for a selection that this tab does not have. */
  returned: AddressedBasket | null;
  onDone: () => void;
};

type SitesOrder = {
  /** The selection; once it is ordered, what was ordered, until the dialog has gone. */
  sites: readonly SelectedSite[];
  pending: boolean;
  failure: OrderFailure | null;
  /** What changed since the sites were ticked. */
  notice: string | null;
  /** Ids of sites that are no longer on sale. */
  gone: readonly number[];
  send: (choice: ProjectChoice) => Promise<void>;
  /** Takes the failure away once what it was about has changed. */
  forget: () => void;
};

/** The workings of an order of sites, one instance an opening of its dialog. */
export function useSitesOrder({ userId, selection, words, returned, onDone }: SitesOrderOptions): SitesOrder {
  const { sites, write } = selection;
  const router = useRouter();
  const pathname = usePathname();
  const params = useSearchParams();
  const [notice, setNotice] = useState<string | null>(null);
  const [gone, setGone] = useState<readonly number[]>([]);
  const [ordered, setOrdered] = useState<readonly SelectedSite[] | null>(null);
  const isChecked = useRef(false);
  /** Nothing can be ordered before what the address brought back is there. */
  const [isRestoring, setIsRestoring] = useState(sites.length === 0 && returned !== null);

  const check = useCallback(async () => {
    const isLost = sites.length === 0 && returned !== null;
    const now = await (isLost ? restoreBasket(returned.siteIds) : checkBasket(sites));
    setGone(now.gone);
    setNotice((before) => now.notice ?? before);
    if (now.sites) write(now.sites);
  }, [sites, write, returned]);

  // Once an opening; later changes of the selection are made in the dialog.
  useEffect(() => {
    if (isChecked.current) return;
    isChecked.current = true;
    void check().finally(() => setIsRestoring(false));
  }, [check]);

  const order = useSendOrder({
    userId,
    words,
    onStale: check,
    onDone: () => {
      setOrdered(sites);
      write([]);
      onDone();
      router.refresh();
    },
  });

  const send = async ({ projectId, complaint }: ProjectChoice) => {
    if (sites.length === 0) return order.refuse('No site selected.');
    if (complaint) return order.refuse(complaint);
    // Sorted, so that ticking the same sites in another order is the same order.
    const siteIds = sites.map(({ id }) => id).sort((a, b) => a - b);
    const shownTotalCents = sites.reduce((sum, { usdCents }) => sum + usdCents, 0);
    const back = basketAddress(pathname, new URLSearchParams(params), { projectId, siteIds });
    await order.send({ kind: 'custom', projectId, siteIds, shownTotalCents }, back);
  };

  return {
    sites: ordered ?? sites,
    pending: order.pending || isRestoring,
    failure: order.failure,
    notice,
    gone,
    send,
    forget: order.forget,
  };
}
