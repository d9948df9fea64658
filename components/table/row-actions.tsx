'use client';

import { useRouter } from 'next/navigation';
import type { ComponentProps } from 'react';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { IconButton } from '../ui/icon-button';
import { toast } from '../ui/toast';

type RowActionsProps = {
  name: string;
  /** Of useLazyDialog; spread on the button that edits. */
  opener: Partial<ComponentProps<typeof IconButton>>;
  /** The question, naming the thing, and what it means. */
  question: string;
  consequence: string;
  confirmLabel: string;
  /** Told when it is gone. */
  deleted: string;
  /** @throws ApiError */
  remove: () => Promise<unknown>;
};

/** The two buttons at the end of a row: edit, and delete after a question. */
export function RowActions(props: RowActionsProps) {
  const { name, opener, question, consequence, confirmLabel, deleted, remove } = props;
  const router = useRouter();
  const confirm = async () => {
    await remove().finally(() => router.refresh());
    toast.success(deleted);
  };
  return (
    <span className="flex shrink-0 justify-end gap-1">
      <IconButton label={`Edit ${name}`} {...opener}>
        <span aria-hidden="true" className="icon-pencil size-4" />
      </IconButton>
      <ConfirmDialog
        trigger={
          <IconButton label={`Delete ${name}`} className="text-red-ink">
            <span aria-hidden="true" className="icon-trash size-4" />
          </IconButton>
        }
        title={question}
        description={consequence}
        confirmLabel={confirmLabel}
        onConfirm={confirm}
      />
    </span>
  );
}
