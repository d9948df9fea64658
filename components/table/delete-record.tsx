'use client';

import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { apiFetch } from '@/lib/http/client';
import { deleteFailure } from '../form/http-failure';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { toast } from '../ui/toast';

type DeleteRecordProps = {
  /** Its address. */
  path: string;
  /** E.g. "package". */
  noun: string;
  name: string;
  /** What deleting means for everything else. */
  consequence: string;
  onDeleted: () => void;
};

/** The delete button of a record's dialog; asks first. */
export function DeleteRecord({ path, noun, name, consequence, onDeleted }: DeleteRecordProps) {
  const router = useRouter();
  const remove = async () => {
    await apiFetch(path, { method: 'DELETE' }).catch(deleteFailure);
    toast.success(`${name} deleted.`);
    onDeleted();
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={
        <Button
          variant="ghost"
          className="mr-auto text-red-ink"
          icon={<Trash2 aria-hidden="true" className="size-4" />}
        >
          <span className="max-sm:sr-only">Delete</span>
        </Button>
      }
      title={`Delete the ${noun} “${name}”?`}
      description={consequence}
      confirmLabel={`Delete ${noun}`}
      onConfirm={remove}
    />
  );
}
