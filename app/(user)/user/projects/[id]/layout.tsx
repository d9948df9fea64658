import type { ReactNode } from 'react';
import { loadProject } from '../_components/load-project';

type ProjectLayoutProps = { params: Promise<{ id: string }>; children: ReactNode };

/** Looks for the project outside loading.tsx: once that is on its way, so is the status, and a 404 comes too late. */
export default async function ProjectLayout({ params, children }: ProjectLayoutProps) {
  await loadProject((await params).id);
  return children;
}
