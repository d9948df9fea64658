'use client';

import { type ComponentProps, type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { Dialog } from '../ui/dialog';
import { useRecordClose } from './use-record-close';

/** The dialog of a record that the address names and whose fields are edited. Closing it with changes asks first. */
export function useEditor(closeHref: string) {
  const { open, close } = useRecordClose(closeHref);
  const [isDirty, setIsDirty] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  return {
    open,
    /** Without asking: what was typed is saved, or the record is gone. */
    close,
    leave: () => (isDirty ? setIsLeaving(true) : close()),
    /** Something was typed. */
    touch: () => setIsDirty(true),
    /** Nothing is typed any more. */
    settle: () => setIsDirty(false),
    isLeaving,
    setIsLeaving,
  };
}

type EditorDialogProps = Pick<ComponentProps<typeof Dialog>, 'title' | 'size'> & {
  editor: ReturnType<typeof useEditor>;
  /** The form, whose onChange is `editor.touch`. */
  children: ReactNode;
};

export function EditorDialog({ editor, title, size, children }: EditorDialogProps) {
  return (
    <Dialog
      open={editor.open}
      onOpenChange={(next) => {
        if (!next) editor.leave();
      }}
      title={title}
      size={size}
    >
      {children}
      <ConfirmDialog
        open={editor.isLeaving}
        onOpenChange={editor.setIsLeaving}
        title="Discard your changes?"
        description="What you typed is not saved."
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={async () => editor.close()}
      />
    </Dialog>
  );
}
