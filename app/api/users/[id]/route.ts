import { route } from '@/lib/auth/route';
import { patchUserBody, personResponse, personView, updateUserBody, userIdParams } from '@/lib/users/contract';
import { requirePerson } from '@/lib/users/queries';
import { assignRole, updateUser } from '@/lib/users/users';
import { deleteUser } from '@/lib/workflows/delete-user';

const one = { access: 'ManageUsers', params: userIdParams } as const;

/** Used to compare a stale edit with the current version. */
export const GET = route(
  { ...one, summary: 'Returns a user.', response: personResponse, errors: ['not_found'] },
  async ({ params }) => personView(await requirePerson(params.id)),
);

export const PUT = route(
  {
    ...one,
    summary: 'Updates a user.',
    description: 'Omitted fields stay unchanged.',
    response: personResponse,
    errors: ['not_found', 'conflict', 'reauthentication_required'],
    body: updateUserBody,
  },
  async ({ actor, params, body }) => personView(await updateUser(actor, params.id, body)),
);

export const PATCH = route(
  {
    ...one,
    scope: 'none',
    summary: 'Assigns a role to a user.',
    response: personResponse,
    errors: ['not_found', 'conflict', 'reauthentication_required'],
    body: patchUserBody,
  },
  async ({ actor, params, body }) => personView(await assignRole(actor, params.id, body.role)),
);

export const DELETE = route(
  {
    ...one,
    summary: 'Deletes a user.',
    description:
      'A user with money or with orders that are not finished in the personal account, and the last owner of a team with other members, is not deleted (409).',
    errors: ['not_found', 'conflict'],
  },
  async ({ actor, params }) => deleteUser(actor, params.id),
);
