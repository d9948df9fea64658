'use client';

import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { deleteFailure } from '@/lib/browser/http-failure';

type DeleteRecordProps = {
  /** Deletes the record. @throws ApiError */
  remove: () => Promise<unknown>;
  /** E.g. "package". */
  noun: string;
  name: string;
  /** The question, where the name cannot be quoted. */
  question?: string;
  /** The consequence of deleting it. */
  consequence: string;
  onDeleted: () => void;
  /** Other words for deleting. */
  words?: { verb: string; done: string };
};

const deleting = { verb: 'Delete', done: 'deleted' };

/** The Delete button of a record's dialog, with a confirmation. */
export function DeleteRecord(props: DeleteRecordProps) {
  const { remove, noun, name, question, consequence, onDeleted, words = deleting } = props;
  const router = useRouter();
  const confirm = async () => {
    await remove().catch(deleteFailure);
    toast.success(`${name} ${words.done}.`);
    onDeleted();
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={
        <Button variant="ghost" className="mr-auto text-red-ink" icon={<Trash2 className="size-4" />}>
          <span className="max-sm:sr-only">{words.verb}</span>
        </Button>
      }
      title={question ?? `${words.verb} the ${noun} “${name}”?`}
      description={consequence}
      confirmLabel={`${words.verb} ${noun}`}
      onConfirm={confirm}
    />
  );
}
