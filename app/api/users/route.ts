import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { listResponse, totalCount } from '@/lib/platform/http/list-response';
import { createUser } from '@/lib/users/create';
import { countPeople, selectPeople } from '@/lib/users/directory-queries';
import { createUserBody, usersQuery } from '@/lib/users/schemas';
import { personResponse, personView } from '@/lib/users/views';

/** Lists users by name, also for role assignment. X-Total-Count has the total. */
export const GET = route(
  {
    access: ['ManageUsers', 'ManageRoles'],
    summary: 'Lists users by name.',
    response: z.array(personResponse),
    responseHeaders: totalCount,
    query: usersQuery,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) =>
    listResponse({
      caller: actor,
      limit: query.limit,
      rows: selectPeople(query),
      count: (on) => countPeople(query, on),
      view: personView,
    }),
);

export const POST = route(
  {
    access: 'ManageUsers',
    recentAuthentication: true,
    summary: 'Creates a user.',
    response: personResponse,
    status: 201,
    errors: ['conflict'],
    body: createUserBody,
  },
  async ({ actor, body }) => personView(await createUser(actor, body)),
);
