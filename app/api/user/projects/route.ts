import { NextResponse } from 'next/server';
import { route } from '@/lib/http/route';
import { createProject } from '@/lib/projects/create';
import { listProjects } from '@/lib/projects/queries';
import { createProjectBody, listProjectsQuery } from '@/lib/projects/schemas';
import { projectView } from '@/lib/projects/views';

/** The caller's own projects, newest first: an array, its length over all pages in X-Total-Count. */
export const GET = route({ access: 'session', query: listProjectsQuery }, async ({ actor, query }) => {
  const { rows, total } = await listProjects(actor, query);
  return NextResponse.json(rows.map(projectView), { headers: { 'X-Total-Count': String(total) } });
});

export const POST = route({ access: 'session', body: createProjectBody }, async ({ actor, body }) =>
  NextResponse.json(projectView(await createProject(actor, body)), { status: 201 }),
);
