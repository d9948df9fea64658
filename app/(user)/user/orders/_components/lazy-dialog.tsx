'use client';

import { type ComponentProps, Suspense, useEffect } from 'react';
import { RecordDialog } from '@/components/table/record-dialog';
import { DialogBody } from '@/components/ui/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { loadDialog } from './load-dialogs';

type LazyDialogProps = ComponentProps<typeof RecordDialog> & { dialog: keyof typeof loadDialog };

/** A dialog that the address opens and whose contents' code comes with it, not with the page. */
export function LazyDialog({ dialog, children, ...record }: LazyDialogProps) {
  // Beside the panel's code, not after it.
  useEffect(() => {
    void Promise.allSettled([loadDialog[dialog]()]);
  }, [dialog]);
  const waiting = (
    <DialogBody className="grid content-start gap-4" aria-busy="true">
      <Skeleton className="h-16" />
      <Skeleton className="h-16" />
      <Skeleton className="w-1/2" />
    </DialogBody>
  );
  return (
    <RecordDialog {...record}>
      <Suspense fallback={waiting}>{children}</Suspense>
    </RecordDialog>
  );
}
