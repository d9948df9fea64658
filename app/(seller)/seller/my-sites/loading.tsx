import { TableSkeleton } from '@/components/ui/skeleton';

export default function Loading() {
  return <TableSkeleton rows={10} label="Loading your sites" />;
}
