'use client';

import type { ReactNode } from 'react';
import { Dialog } from '../ui/dialog';
import { useRecordClose } from './use-record-close';

type RecordDialogProps = {
  title: ReactNode;
  description?: ReactNode;
  /** The list's address without the record: closing goes there. */
  closeHref: string;
  size?: 'sm' | 'md' | 'lg' | 'xl' | '2xl';
  children: ReactNode;
};

/** The dialog of a record that the address names (?order=12). Give it the record's id as key. */
export function RecordDialog({ title, description, closeHref, size = 'lg', children }: RecordDialogProps) {
  const { open, close } = useRecordClose(closeHref);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && close()} title={title} description={description} size={size}>
      {children}
    </Dialog>
  );
}
