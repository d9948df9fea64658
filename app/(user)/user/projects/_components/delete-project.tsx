'use client';

import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { IconButton } from '@/components/ui/icon-button';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';

type DeleteProjectProps = {
  id: string;
  domain: string;
  /** The URL to open after the deletion, for the project's own page. */
  leadsTo?: string;
};

/** Deletes a project after confirmation. */
export function DeleteProject({ id, domain, leadsTo }: DeleteProjectProps) {
  const router = useRouter();
  const remove = async () => {
    try {
      await apiFetch(`/api/user/projects/${id}`, { method: 'DELETE' }).catch(redirectIfSignedOut);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      throw new Error(cause.message || (cause.status === 0 ? 'Delete failed' : 'Failed to delete'));
    }
    toast.success(`Project ${domain} deleted.`);
    if (leadsTo) router.push(leadsTo);
    else router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={
        <IconButton label={`Delete ${domain}`}>
          <Trash2 className="size-4" />
        </IconButton>
      }
      title="Delete this project?"
      description={`${domain} is removed from your list. Existing orders won’t change.`}
      confirmLabel="Delete project"
      onConfirm={remove}
    />
  );
}
