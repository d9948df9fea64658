'use client';

import { useRouter } from 'next/navigation';
import { useOptimistic, useTransition } from 'react';
import { toast } from 'sonner';
import { Select } from '@/components/ui/select';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { useRoleChoices } from './role-choices';

type RoleSelectProps = { id: string; name: string; role: string };

/** Changes a user's role inline with an optimistic update. Reverts it if either request fails. */
export function RoleSelect({ id, name, role }: RoleSelectProps) {
  const router = useRouter();
  const choices = useRoleChoices();
  const [pending, startTransition] = useTransition();
  const [shown, show] = useOptimistic(role);
  const options = choices.includes(role) ? choices : [role, ...choices];

  const change = (next: string) =>
    startTransition(async () => {
      show(next);
      try {
        await setRole(id, next, role);
        toast.success(`${name} is now ${next}.`);
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        toast.error('Failed to assign role.', { description: cause.message || undefined });
        // Reverts immediately, without waiting for the refreshed list.
        startTransition(() => show(role));
      }
      startTransition(() => router.refresh());
    });

  return (
    <Select
      size="sm"
      aria-label={`Role of ${name}`}
      aria-busy={pending}
      disabled={pending}
      className="w-36"
      value={shown}
      onChange={(event) => change(event.target.value)}
    >
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </Select>
  );
}

/**
 * Updates the role through both endpoints of the API that store it. If the second request fails, reverts the first, so
 * that both store the same role.
 * @throws ApiError of the failed request
 */
async function setRole(id: string, role: string, before: string): Promise<void> {
  const path = `/api/users/${id}`;
  await apiFetch(path, { method: 'PATCH', body: { role } });
  try {
    await apiFetch(`/api/acl/users/${id}/roles`, { method: 'POST', body: { roleName: role } });
  } catch (cause) {
    await Promise.allSettled([apiFetch(path, { method: 'PATCH', body: { role: before } })]);
    throw cause;
  }
}
