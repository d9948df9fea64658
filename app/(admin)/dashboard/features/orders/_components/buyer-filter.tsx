'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { toast } from 'sonner';
import { useParamChange } from '@/components/table/use-param-change';
import { Select } from '@/components/ui/select';
import { ApiError } from '@/lib/browser/api-client';
import { callAction } from '@/lib/browser/call-action';
import type { Buyer } from '@/lib/orders/buyers';
import { listBuyersAction } from '../actions';

/** Filters the list by user. The options load on hover or focus; on touch screens they load immediately. */
export function BuyerFilter({ chosen }: { chosen: Buyer | null }) {
  const value = useSearchParams().get('userId') ?? '';
  const { pending, change } = useParamChange();
  const [buyers, setBuyers] = useState<Buyer[]>([]);
  const hasLoaded = useRef(false);

  const load = async () => {
    if (hasLoaded.current) return;
    hasLoaded.current = true;
    try {
      setBuyers(await callAction(listBuyersAction({})));
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      // Allows the next hover or focus to retry.
      hasLoaded.current = false;
      toast.error(cause.message || 'Users couldn’t be loaded. Please try again.');
    }
  };

  // Touch screens have no hover, and a native picker that is open does not update its options.
  const loadForTouch = useEffectEvent(() => {
    if (matchMedia('(hover: none)').matches) void load();
  });
  useEffect(() => loadForTouch(), []);

  const isListed = !chosen || buyers.some(({ id }) => id === chosen.id);
  const options = isListed ? buyers : [chosen, ...buyers];
  return (
    <Select
      size="sm"
      aria-label="User"
      aria-busy={pending}
      className="w-[calc(50%-0.25rem)] sm:w-52"
      value={options.some(({ id }) => id === value) ? value : ''}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onChange={(event) => change({ userId: event.target.value })}
    >
      <option value="">All users</option>
      {options.map(({ id, name, email }) => (
        <option key={id} value={id}>
          {name ? `${name} (${email})` : email}
        </option>
      ))}
    </Select>
  );
}
