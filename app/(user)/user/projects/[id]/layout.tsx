import type { ReactNode } from 'react';
import { loadProject } from '@/app/(user)/user/projects/_components/load-project';

type ProjectLayoutProps = { params: Promise<{ id: string }>; children: ReactNode };

/**
 * Loads the project outside loading.tsx. Inside its Suspense boundary, the response has already started with status 200
 * and a 404 is no longer possible.
 */
export default async function ProjectLayout({ params, children }: ProjectLayoutProps) {
  await loadProject((await params).id);
  return children;
}
