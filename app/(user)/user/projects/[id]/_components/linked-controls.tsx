'use client';

import { Trash2, Upload } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Dialog } from '@/components/ui/dialog';
import { retryChunk } from '@/components/ui/retry-chunk';
import { Switch } from '@/components/ui/switch';
import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { ProjectView } from '@/lib/projects/contract';

const LinkedImportSteps = dynamic(
  retryChunk(() => import('./linked-import-steps').then((module) => module.LinkedImportSteps)),
  { ssr: false, loading: () => <div className="h-48" /> },
);

const linkedPath = (projectId: string) => `/api/user/projects/${projectId}/linked-domains`;

type ImportLinkedProps = { projectId: string; maxBytes: number };

/** Renders the button that opens the import of a file. */
export function ImportLinked({ projectId, maxBytes }: ImportLinkedProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button icon={<Upload className="size-4" />} variant="primary">
          Import links
        </Button>
      }
      title="Import links"
      description="From the tool that knows which sites link to you. Preview before importing."
      size="lg"
    >
      <LinkedImportSteps path={linkedPath(projectId)} maxBytes={maxBytes} onClose={() => setOpen(false)} />
    </Dialog>
  );
}

type ClearSourceProps = { projectId: string; source: string; name: string; domains: number };

/** Removes what one tool stated, after a confirmation. */
export function ClearSource({ projectId, source, name, domains }: ClearSourceProps) {
  const removed =
    domains === 0
      ? 'Its anchors are'
      : domains === 1
        ? '1 domain and its anchors are'
        : `${domains.toLocaleString('en-US')} domains and their anchors are`;
  return (
    <ConfirmAction
      trigger={
        <Button size="sm" icon={<Trash2 className="size-4" />} aria-label={`Clear what ${name} stated`}>
          Clear
        </Button>
      }
      title={`Clear what ${name} stated?`}
      description={`${removed} removed. You can import the file again.`}
      confirmLabel="Clear"
      action={() =>
        apiFetch(`${linkedPath(projectId)}?source=${source}`, { method: 'DELETE' }).catch(redirectIfSignedOut)
      }
      done={`${name} cleared.`}
    />
  );
}

/** Renders the setting by which the marketplace leaves out sites that link already. It is saved at once. */
export function HideLinkedSwitch({ project }: { project: ProjectView }) {
  const router = useRouter();
  const [checked, setChecked] = useState(project.hidesLinked);
  const [pending, setPending] = useState(false);
  const save = async (hidesLinked: boolean) => {
    setChecked(hidesLinked);
    setPending(true);
    try {
      const path = `/api/user/projects/${project.id}`;
      await apiFetch(path, { method: 'PUT', body: { ...project, hidesLinked } }).catch(redirectIfSignedOut);
      toast.success(
        hidesLinked ? 'The marketplace leaves these sites out.' : 'The marketplace shows and marks these sites.',
      );
      router.refresh();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setChecked(!hidesLinked);
      toast.error(cause.message || 'Save failed');
      // With the current version, after a change in another tab.
      router.refresh();
    } finally {
      setPending(false);
    }
  };
  return (
    <Switch
      checked={checked}
      disabled={pending}
      onCheckedChange={(next) => void save(next)}
      label="Leave out sites that already link in the marketplace"
    />
  );
}
