import { cn } from './cn';

/** Renders a grey placeholder with the size of the content, to avoid layout shift. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn('skeleton', className)} />;
}

/** Renders the placeholder of a table, for loading.tsx, as one element: each first response of a screen contains it. */
export function TableSkeleton({ label }: { label: string }) {
  return <div role="status" aria-label={label} className="table-skeleton rounded-lg border border-line bg-surface" />;
}
