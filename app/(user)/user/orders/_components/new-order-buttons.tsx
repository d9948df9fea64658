import { ListPlus, Plus } from 'lucide-react';
import { isFlagOn } from '@/lib/settings/feature-flags/read-flags';
import { DialogOpener } from './dialog-opener';
import { newParam, ordersScreen } from './orders-address';

/** The two ways to a new order; a part that an admin turned off is not offered. */
export async function NewOrderButtons({ packageHref }: { packageHref: string }) {
  const [hasSites, hasPackages] = await Promise.all([isFlagOn('marketplace'), isFlagOn('packages')]);
  return (
    <>
      {hasSites ? (
        <DialogOpener href={`${ordersScreen}?${newParam}=custom`} icon={<ListPlus className="size-4" />}>
          Build Custom
        </DialogOpener>
      ) : null}
      {hasPackages ? (
        <DialogOpener href={packageHref} variant="primary" icon={<Plus className="size-4" />}>
          New Order
        </DialogOpener>
      ) : null}
    </>
  );
}
