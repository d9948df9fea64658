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
