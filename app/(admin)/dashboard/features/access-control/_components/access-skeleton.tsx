import { Skeleton } from '@/components/ui/skeleton';
import { permissions } from '@/lib/access/permissions';

/** Stands where the roles and their permissions will. */
export function AccessSkeleton() {
  return (
    <div role="status" aria-label="Loading roles" className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <div className="card grid gap-4 p-5">
        {['name', 'admin', 'user', 'seller'].map((key) => (
          <Skeleton key={key} className="h-7" />
        ))}
      </div>
      <div className="card grid gap-5 p-5">
        {permissions.map((permission) => (
          <Skeleton key={permission} className="h-9" />
        ))}
      </div>
    </div>
  );
}
