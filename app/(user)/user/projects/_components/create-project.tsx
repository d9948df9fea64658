'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { lazyDialog } from '@/components/ui/lazy-dialog';
import { toast } from '@/components/ui/toast';
import { useLazyDialog } from '@/components/ui/use-lazy-dialog';

const loadDialog = async () => ({
  default: (await import('@/components/projects/create-project-dialog')).CreateProjectDialog,
});
const CreateProjectDialog = lazyDialog(loadDialog);

type CreateProjectProps = {
  niches: readonly string[];
  postTypes: readonly string[];
  /** The address has ?new=1: the dialog is open from the start. */
  asked: boolean;
};

/** The button that opens Create New Project, whose code comes with the first opening. */
export function CreateProject({ niches, postTypes, asked }: CreateProjectProps) {
  const router = useRouter();
  const { open, setOpen, wanted, opener } = useLazyDialog(loadDialog);
  const [isAsked, setIsAsked] = useState(asked);
  const change = (next: boolean) => {
    setOpen(next);
    setIsAsked(false);
    // A reload opens it no more.
    if (!next && asked) router.replace('/user/projects', { scroll: false });
  };
  return (
    <>
      <Button variant="primary" icon={<Plus className="size-4" />} {...opener}>
        Create New Project
      </Button>
      {wanted || asked ? (
        <CreateProjectDialog
          open={open || isAsked}
          onOpenChange={change}
          niches={niches}
          postTypes={postTypes}
          failure={(status) => (status === 0 ? 'Save failed' : 'Failed to create project')}
          onCreated={(project) => {
            toast.success(`Project ${project.domain} created.`);
            router.refresh();
          }}
        />
      ) : null}
    </>
  );
}
