import { NextResponse } from 'next/server';
import { route } from '@/lib/http/route';
import { createUser } from '@/lib/users/create';
import { listPeople } from '@/lib/users/directory-queries';
import { createUserBody, usersQuery } from '@/lib/users/schemas';
import { personView } from '@/lib/users/views';

/** By name: an array, its length over all pages in X-Total-Count. Whoever assigns roles chooses from it as well. */
export const GET = route({ access: ['ManageUsers', 'ManageRoles'], query: usersQuery }, async ({ query }) => {
  const { rows, total } = await listPeople(query);
  return NextResponse.json(rows.map(personView), { headers: { 'X-Total-Count': String(total) } });
});

export const POST = route({ access: 'ManageUsers', body: createUserBody }, async ({ actor, body }) =>
  NextResponse.json(personView(await createUser(actor, body)), { status: 201 }),
);
