'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { toast } from 'sonner';
import { Badge } from '@/components/ui/badge';
import { Spinner } from '@/components/ui/progress';
import { ApiError, apiFetch } from '@/lib/browser/api-client';

type StatusToggleProps = { id: number; name: string; isActive: boolean };

/** A status badge that activates or deactivates the license when clicked. */
export function StatusToggle({ id, name, isActive }: StatusToggleProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const toggle = () =>
    startTransition(async () => {
      try {
        await apiFetch(`/api/licenses/${id}`, { method: 'PUT', body: { status: isActive ? 'inactive' : 'active' } });
        startTransition(() => router.refresh());
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        toast.error(`Save failed (HTTP ${cause.status})`, { description: cause.message || undefined });
      }
    });
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isActive}
      aria-label={`${name} is active`}
      aria-busy={pending}
      data-tooltip={isActive ? 'Deactivate' : 'Activate'}
      disabled={pending}
      onClick={toggle}
      className="inline-flex min-h-6 items-center rounded-full disabled:cursor-progress"
    >
      <Badge tone={isActive ? 'green' : 'grey'} dot={!pending}>
        {pending ? <Spinner className="size-3" /> : null}
        {isActive ? 'Active' : 'Inactive'}
      </Badge>
    </button>
  );
}
