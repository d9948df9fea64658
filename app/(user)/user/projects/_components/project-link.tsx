import Link from 'next/link';
import type { ProjectView } from '@/lib/projects/views';

/** A project's name, which leads to its page. */
export function ProjectLink({ project }: { project: Pick<ProjectView, 'id' | 'domain'> }) {
  return (
    <Link
      prefetch={false}
      href={`/user/projects/${project.id}`}
      className="wrap-anywhere rounded-sm font-medium text-ink hover:text-accent-ink hover:underline"
    >
      {project.domain}
    </Link>
  );
}
