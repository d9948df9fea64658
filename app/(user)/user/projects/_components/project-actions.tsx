'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { EditDeleteMenu } from '@/components/form/action-menu';
import { EditProjectDialog, ProjectDialog } from '@/components/projects/project-dialog';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { ProjectView } from '@/lib/projects/contract';

type CreateProjectProps = {
  niches: readonly string[];
  postTypes: readonly string[];
  /** The URL has ?new=1, so the dialog is initially open. */
  isInitiallyOpen: boolean;
};

/** Renders the button that opens Create New Project. */
export function CreateProject({ niches, postTypes, isInitiallyOpen }: CreateProjectProps) {
  const router = useRouter();
  const [open, setOpen] = useState(isInitiallyOpen);
  const change = (next: boolean) => {
    setOpen(next);
    // Prevents a reload from opening the dialog again.
    if (!next && isInitiallyOpen) router.replace('/user/projects', { scroll: false });
  };
  return (
    <>
      <Button variant="primary" icon={<Icon name="plus" />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Create New Project
      </Button>
      <ProjectDialog
        {...{ open, niches, postTypes }}
        onOpenChange={change}
        failure={(status) => (status === 0 ? 'Save failed' : 'Failed to create project')}
        onSaved={(project) => {
          toast.success(`Project ${project.domain} created.`);
          router.refresh();
        }}
      />
    </>
  );
}

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
      <EditProjectDialog {...{ project, niches, postTypes }} open={isEditing} onOpenChange={setEditing} />
    </>
  );
}
