import { NextResponse } from 'next/server';
import { route } from '@/lib/http/route';
import { createProject } from '@/lib/projects/create';
import { listProjects } from '@/lib/projects/queries';
import { createProjectBody } from '@/lib/projects/schemas';
import { projectView } from '@/lib/projects/views';

/** The caller's own projects, newest first. */
export const GET = route({ access: 'session' }, async ({ actor }) => (await listProjects(actor)).map(projectView));

export const POST = route({ access: 'session', body: createProjectBody }, async ({ actor, body }) =>
  NextResponse.json(projectView(await createProject(actor, body)), { status: 201 }),
);
