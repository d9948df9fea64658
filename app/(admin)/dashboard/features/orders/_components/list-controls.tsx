'use client';

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { toast } from 'sonner';
import { FilterSelect } from '@/components/table/filters';
import { createRowSelection, PageCheckbox, RowCheckbox } from '@/components/table/row-selection';
import { userLabel } from '@/components/ui/format';
import { ApiError, readAction } from '@/lib/browser/api-client';
import { listBuyersAction, listFulfillersAction } from '@/lib/orders/actions';
import type { Buyer } from '@/lib/orders/order/staff-queue';
import type { ActionResult } from '@/lib/platform/http/action';

type Option = { value: string; label: string };

type UserFilterProps = {
  /** The URL parameter. */
  param: string;
  label: string;
  allLabel: string;
  /** The options before the users. */
  fixed?: readonly Option[];
  /** The user in the URL, who may not be among the loaded ones. */
  chosen: Buyer | null;
  load: () => Promise<ActionResult<Buyer[]>>;
};

/** Filters the list by buyer. */
export const BuyerFilter = ({ chosen }: Pick<UserFilterProps, 'chosen'>) => (
  <UserFilter param="userId" label="User" allLabel="All users" chosen={chosen} load={() => listBuyersAction({})} />
);

const fulfillers: readonly Option[] = [
  { value: 'staff', label: 'Staff' },
  { value: 'seller', label: 'Any seller' },
];

/** Filters the list by who fulfills the order. */
export const FulfillerFilter = ({ chosen }: Pick<UserFilterProps, 'chosen'>) => (
  <UserFilter
    param="fulfilledBy"
    label="Fulfilled by"
    allLabel="Staff and sellers"
    fixed={fulfillers}
    chosen={chosen}
    load={() => listFulfillersAction({})}
  />
);

/** Filters the list by user. The options load on hover or focus; on touch screens they load immediately. */
function UserFilter({ param, label, allLabel, fixed = [], chosen, load }: UserFilterProps) {
  const [loaded, setLoaded] = useState<Buyer[]>([]);
  const hasLoaded = useRef(false);

  const loadOnce = async () => {
    if (hasLoaded.current) return;
    hasLoaded.current = true;
    try {
      setLoaded(await readAction(load()));
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      // Allows the next hover or focus to retry.
      hasLoaded.current = false;
      toast.error(cause.message || 'Users couldn’t be loaded. Please try again.');
    }
  };

  // Touch screens have no hover, and a native picker that is open does not update its options.
  const loadForTouch = useEffectEvent(() => {
    if (matchMedia('(hover: none)').matches) void loadOnce();
  });
  useEffect(() => loadForTouch(), []);

  const isListed = !chosen || loaded.some(({ id }) => id === chosen.id);
  const users = (isListed ? loaded : [chosen, ...loaded]).map((user) => ({ value: user.id, label: userLabel(user) }));
  return (
    <FilterSelect
      param={param}
      label={label}
      allLabel={allLabel}
      options={[...fixed, ...users]}
      className="w-[calc(50%-0.25rem)] sm:w-44"
      onApproach={() => void loadOnce()}
    />
  );
}

/** The numbers of the selected orders. */
export const orderSelection = createRowSelection<number>();

export const OrderCheckbox = ({ id }: { id: number }) => (
  <RowCheckbox selection={orderSelection} id={id} label={`Select order #${id}`} />
);

/** Selects all orders of the page. */
export const OrdersCheckbox = ({ ids }: { ids: readonly number[] }) => (
  <PageCheckbox selection={orderSelection} ids={ids} label="Select every order on this page" />
);
