import { Skeleton } from '@/components/ui/skeleton';

/** The columns of a page with a room: the room first, and the facts of its order beside it or below. */
export const roomGrid = 'grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]';

/** The placeholder of a page with the steps, the room and the facts of an order. */
export function RoomSkeleton() {
  return (
    <div role="status" aria-label="Loading the order">
      <div className="card mb-4 flex gap-4 p-5 max-md:flex-col">
        {['ordered', 'accepted', 'published', 'live', 'over'].map((step) => (
          <Skeleton key={step} className="h-6 flex-1 md:h-16" />
        ))}
      </div>
      <div className={roomGrid}>
        <div className="card grid gap-6 p-5">
          <Skeleton className="h-10 w-3/4" />
          <Skeleton className="h-16 w-2/3" />
          <Skeleton className="ml-auto h-16 w-1/2" />
          <Skeleton className="h-16 w-2/3" />
          <Skeleton className="h-24 w-full" />
        </div>
        <div className="card grid content-start gap-3 p-5">
          <Skeleton className="h-5 w-1/2" />
          <Skeleton className="h-5 w-full" />
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="h-5 w-3/4" />
        </div>
      </div>
    </div>
  );
}
