'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { EditProjectDialog } from '@/components/projects/project-dialog';
import { EditDeleteMenu } from '@/components/table/row-actions';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';
import type { ProjectView } from '@/lib/projects/views';

type ProjectActionsProps = {
  project: ProjectView;
  niches: readonly string[];
  postTypes: readonly string[];
  /** The URL to open after the deletion, for the project's own page. */
  leadsTo?: string;
};

/** Edits a project, and deletes it after confirmation. */
export function ProjectActions({ project, niches, postTypes, leadsTo }: ProjectActionsProps) {
  const router = useRouter();
  const [isEditing, setEditing] = useState(false);
  const { id, domain } = project;
  const remove = async () => {
    try {
      await apiFetch(`/api/user/projects/${id}`, { method: 'DELETE' }).catch(redirectIfSignedOut);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      throw new Error(cause.message || (cause.status === 0 ? 'Delete failed' : 'Failed to delete'));
    }
    if (leadsTo) router.push(leadsTo);
  };
  return (
    <>
      <EditDeleteMenu
        name={domain}
        onEdit={() => setEditing(true)}
        question="Delete this project?"
        consequence={`${domain} is removed from your list. Existing orders won’t change.`}
        confirmLabel="Delete project"
        deleted={`Project ${domain} deleted.`}
        remove={remove}
      />
      <EditProjectDialog
        project={project}
        open={isEditing}
        onOpenChange={setEditing}
        niches={niches}
        postTypes={postTypes}
      />
    </>
  );
}
