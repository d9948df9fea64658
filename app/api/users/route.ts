import { z } from 'zod';
import type { Executor } from '@/db/client';
import { route } from '@/lib/auth/route';
import { cursorHeaders, listResponse, pageResponse } from '@/lib/platform/http/list-response';
import { createUserBody, personResponse, personView, usersQuery } from '@/lib/users/contract';
import { countPeople, listPeople, selectPeople } from '@/lib/users/queries';
import { createUser } from '@/lib/users/users';

/** Lists users by name, also for role assignment: all of them, or with a limit a page. */
export const GET = route(
  {
    access: ['ManageUsers', 'ManageRoles'],
    summary: 'Lists users by name.',
    response: z.array(personResponse),
    responseHeaders: cursorHeaders,
    query: usersQuery,
    errors: ['rate_limited'],
  },
  async ({ actor, query: { limit, ...query } }) => {
    if (limit === undefined) {
      const count = (on: Executor) => countPeople(query, on);
      return listResponse({ caller: actor, limit, rows: selectPeople(query), count, view: personView });
    }
    return pageResponse(await listPeople({ ...query, limit }), personView);
  },
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
