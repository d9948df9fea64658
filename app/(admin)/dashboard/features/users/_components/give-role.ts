import { apiFetch } from '@/lib/browser/api-client';

/**
 * Gives somebody a role by both addresses that keep one (spec 000, section 4). Where the second fails, the first is taken
 * back, so that what the screen shows again is what is true.
 * @throws ApiError of the call that failed
 */
export async function giveRole(id: string, role: string, before: string): Promise<void> {
  const path = `/api/users/${id}`;
  await apiFetch(path, { method: 'PATCH', body: { role } });
  try {
    await apiFetch(`/api/acl/users/${id}/roles`, { method: 'POST', body: { roleName: role } });
  } catch (cause) {
    await Promise.allSettled([apiFetch(path, { method: 'PATCH', body: { role: before } })]);
    throw cause;
  }
}
