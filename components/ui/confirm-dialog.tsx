'use client';

import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import { Alert } from './alert';
import { Button } from './button';
import { Dialog, DialogBody, DialogFooter } from './dialog';

type ConfirmDialogProps = Pick<ComponentProps<typeof Dialog>, 'open' | 'onOpenChange' | 'trigger' | 'focusAfter'> & {
  /** The question, with the name of the record: "Delete order #1042?". */
  title: string;
  /** The consequence, e.g. "This cannot be undone." */
  description?: string;
  /** Details of what is affected, where one sentence is not enough. */
  children?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  tone?: 'danger' | 'primary';

  /**
   * Performs the action. The dialog closes when the promise resolves, and shows the error's message when it rejects.
   */
  onConfirm: () => Promise<unknown>;
};

/** Asks for a confirmation of an irreversible action. The focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { children, confirmLabel, cancelLabel = 'Cancel', tone = 'danger', onConfirm, ...dialog } = props;
  const [ownOpen, setOwnOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const cancel = useRef<HTMLButtonElement>(null);

  const setOpen = (open: boolean) => {
    if (pending) return;
    setError(null);
    setOwnOpen(open);
    dialog.onOpenChange?.(open);
  };

  const confirm = async () => {
    setPending(true);
    setError(null);
    try {
      await onConfirm();
      setOwnOpen(false);
      dialog.onOpenChange?.(false);
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : 'Something went wrong. Try again.');
    } finally {
      setPending(false);
    }
  };

  return (
    <Dialog
      {...dialog}
      open={dialog.open ?? ownOpen}
      onOpenChange={setOpen}
      size="sm"
      role="alertdialog"
      initialFocus={cancel}
    >
      {error || children ? (
        <DialogBody className="grid gap-4">
          {error ? <Alert tone="error">{error}</Alert> : null}
          {children}
        </DialogBody>
      ) : null}
      <DialogFooter className="border-t-0">
        <Button ref={cancel} disabled={pending} onClick={() => setOpen(false)}>
          {cancelLabel}
        </Button>
        <Button variant={tone} pending={pending} onClick={confirm}>
          {confirmLabel}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
