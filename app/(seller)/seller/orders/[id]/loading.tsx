import { RoomSkeleton } from '@/components/orders/room/room-skeleton';
import { PageHeader } from '@/components/ui/page-header';

export default function SellerOrderLoading() {
  return (
    <>
      <PageHeader title="Order" description="What to publish, until when, and the messages of this order." />
      <RoomSkeleton />
    </>
  );
}
