import { RoomSkeleton } from '@/components/orders/room/room-skeleton';
import { PageHeader } from '@/components/ui/page-header';

export default function OrderLoading() {
  return (
    <>
      <PageHeader title="Order" description="Messages, steps and facts of this order." />
      <RoomSkeleton />
    </>
  );
}
