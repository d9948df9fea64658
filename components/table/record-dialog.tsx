'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, startTransition, useOptimistic } from 'react';
import { Alert } from '@/components/ui/alert';
import { Dialog, DialogBody } from '@/components/ui/dialog';
import { setPendingHref } from './use-param-change';

type RecordDialogProps = {
  title: ReactNode;
  description?: ReactNode;
  /** The list's URL without the record, to which closing navigates. */
  closeHref: string;
  size?: 'sm' | 'md' | 'lg' | 'xl' | '2xl';
  /** As in Dialog. */
  focusAfter?: () => HTMLElement | null;
  children: ReactNode;
};

/** Renders the dialog of a record named by the URL (?order=12). Its key must be the record's id. */
export function RecordDialog({ closeHref, size = 'lg', children, ...dialog }: RecordDialogProps) {
  const { open, close } = useRecordClose(closeHref);
  return (
    <Dialog {...dialog} open={open} onOpenChange={(next) => !next && close()} size={size}>
      {children}
    </Dialog>
  );
}

type RecordNotFoundProps = { noun?: string; title?: string; text?: string; closeHref: string };

/** Renders the dialog for a URL that names a record that does not exist. */
export function RecordNotFound({ noun, closeHref, ...texts }: RecordNotFoundProps) {
  const { title = `No such ${noun}`, text = `This ${noun} does not exist or was deleted.` } = texts;
  return (
    <RecordDialog title={title} closeHref={closeHref} size="sm">
      <DialogBody>
        <Alert tone="warning">{text}</Alert>
      </DialogBody>
    </RecordDialog>
  );
}

/**
 * Closes the dialog of a record named by the URL, at once, while the navigation to `closeHref` is pending. After the
 * navigation, the URL alone determines what is open.
 */
export function useRecordClose(closeHref: string): { open: boolean; close: () => void } {
  const router = useRouter();
  const [isClosing, setClosing] = useOptimistic(false);
  const close = () =>
    startTransition(() => {
      setClosing(true);
      setPendingHref(closeHref);
      router.push(closeHref, { scroll: false });
    });
  return { open: !isClosing, close };
}
