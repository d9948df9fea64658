import { Skeleton } from '@/components/ui/skeleton';

/** Placeholders for tiles or a card of a landing page, with the size of the content. */
export function TileSkeletons({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => `tile ${index}`).map((key) => (
    <div key={key} className="rounded-lg border border-line bg-surface px-5 py-4 max-sm:min-h-[130px]">
      <Skeleton className="w-24" />
      <Skeleton className="mt-3 h-7 w-20 sm:h-8" />
      <Skeleton className="mt-2 h-3 w-32" />
    </div>
  ));
}

export function CardSkeleton({
  label,
  lines = 6,
  className = '',
}: {
  label: string;
  lines?: number;
  className?: string;
}) {
  return (
    <div role="status" aria-label={label} className={`rounded-lg border border-line bg-surface ${className}`}>
      <div className="border-line border-b px-5 py-3">
        <Skeleton className="h-5 w-32" />
      </div>
      <div className="grid gap-5 p-5">
        {Array.from({ length: lines }, (_, index) => `line ${index}`).map((key) => (
          <Skeleton key={key} className="odd:w-4/5" />
        ))}
      </div>
    </div>
  );
}
