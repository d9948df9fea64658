'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { toast } from 'sonner';
import { useParamChange } from '@/components/table/use-param-change';
import { Select } from '@/components/ui/select';
import { ApiError } from '@/lib/browser/api-client';
import { callAction } from '@/lib/browser/call-action';
import type { Buyer } from '@/lib/orders/queries';
import { listBuyersAction } from '../actions';

/** The list's filter by user. Its choices are fetched when a pointer or the focus comes near; on a touch screen at once. */
export function BuyerFilter({ chosen }: { chosen: Buyer | null }) {
  const value = useSearchParams().get('userId') ?? '';
  const { pending, change } = useParamChange();
  const [buyers, setBuyers] = useState<Buyer[]>([]);
  const isAsked = useRef(false);

  const load = async () => {
    if (isAsked.current) return;
    isAsked.current = true;
    try {
      setBuyers(await callAction(listBuyersAction({})));
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      // The next approach asks again.
      isAsked.current = false;
      toast.error(cause.message || 'The users could not be loaded. Please try again.');
    }
  };

  // Nothing comes near before a finger presses, and a phone's picker takes up no choices once it is open.
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
