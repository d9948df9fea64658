import { cn } from './cn';

/** Renders a grey placeholder with the size of the content, to avoid layout shift. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn('skeleton', className)} />;
}

/** Renders the placeholders of a table, for loading.tsx. */
export function TableSkeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="h-10 border-line border-b bg-sunken" />
      {Array.from({ length: 10 }, (_, row) => `row ${row}`).map((key) => (
        <div key={key} className="flex h-12 items-center gap-6 border-line border-b px-4 last:border-b-0">
          <Skeleton className="w-2/5" />
          <Skeleton className="w-1/6" />
          <Skeleton className="w-1/6" />
          <Skeleton className="ml-auto w-16" />
        </div>
      ))}
    </div>
  );
}

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

type CardSkeletonProps = { label: string; lines?: number; className?: string };

export function CardSkeleton({ label, lines = 6, className = '' }: CardSkeletonProps) {
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
