'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { CreateProjectDialog } from '@/components/projects/create-project-dialog';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';

type CreateProjectProps = { niches: readonly string[]; postTypes: readonly string[] };

/** The button that opens Create New Project. */
export function CreateProject({ niches, postTypes }: CreateProjectProps) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setOpen(true)}>
        Create New Project
      </Button>
      <CreateProjectDialog
        open={open}
        onOpenChange={setOpen}
        niches={niches}
        postTypes={postTypes}
        failure={(status) => (status === 0 ? 'Save failed' : 'Failed to create project')}
        onCreated={(project) => {
          toast.success(`Project ${project.domain} created.`);
          router.refresh();
        }}
      />
    </>
  );
}
