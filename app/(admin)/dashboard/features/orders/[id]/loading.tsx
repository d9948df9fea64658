import { RoomSkeleton } from '@/components/orders/room/room-skeleton';
import { PageHeader } from '@/components/ui/page-header';

export default function AdminOrderLoading() {
  return (
    <>
      <PageHeader title="Order" description="Messages, brief, delivery and money of this order." />
      <RoomSkeleton />
    </>
  );
}
