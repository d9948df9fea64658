'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { ProjectDialog } from '@/components/projects/project-dialog';
import { Button } from '@/components/ui/button';

type CreateProjectProps = {
  niches: readonly string[];
  postTypes: readonly string[];
  /** The URL has ?new=1, so the dialog is initially open. */
  isInitiallyOpen: boolean;
};

/** The button that opens Create New Project. */
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
      <Button variant="primary" icon={<Plus className="size-4" />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Create New Project
      </Button>
      <ProjectDialog
        open={open}
        onOpenChange={change}
        niches={niches}
        postTypes={postTypes}
        failure={(status) => (status === 0 ? 'Save failed' : 'Failed to create project')}
        onSaved={(project) => {
          toast.success(`Project ${project.domain} created.`);
          router.refresh();
        }}
      />
    </>
  );
}
