'use client';

import * as Radix from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

const widths = { sm: 'sm:max-w-md', md: 'sm:max-w-lg', lg: 'sm:max-w-2xl', xl: 'sm:max-w-4xl' };

type DialogProps = {
  /** Leave both out with a `trigger`: the dialog then keeps its own state. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** The element that opens it; focus returns there. */
  trigger?: ReactNode;
  title: ReactNode;
  description?: ReactNode;
  size?: keyof typeof widths;
  role?: 'dialog' | 'alertdialog';
  onOpenAutoFocus?: ComponentProps<typeof Radix.Content>['onOpenAutoFocus'];
  /** DialogBody and DialogFooter; both may stand inside one `<form className="contents">`. */
  children: ReactNode;
};

/** A modal: in the middle on wide screens, a sheet from below on phones. Only its body scrolls. */
export function Dialog(props: DialogProps) {
  const {
    open,
    onOpenChange,
    trigger,
    title,
    description,
    size = 'md',
    role = 'dialog',
    onOpenAutoFocus,
    children,
  } = props;
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {trigger ? <Radix.Trigger asChild>{trigger}</Radix.Trigger> : null}
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 bg-scrim data-[state=closed]:animate-scrim-out data-[state=open]:animate-scrim-in" />
        <Radix.Content
          role={role}
          onOpenAutoFocus={onOpenAutoFocus}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={cn(
            'fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col rounded-t-xl bg-overlay shadow-overlay outline-none data-[state=closed]:animate-sheet-out data-[state=open]:animate-sheet-in',
            'sm:inset-x-4 sm:top-1/2 sm:bottom-auto sm:mx-auto sm:max-h-[min(90dvh,56rem)] sm:-translate-y-1/2 sm:rounded-xl sm:data-[state=closed]:animate-dialog-out sm:data-[state=open]:animate-dialog-in',
            widths[size],
          )}
        >
          <div className="flex items-start justify-between gap-4 border-line border-b px-5 py-4">
            <div className="min-w-0">
              <Radix.Title className="text-base text-ink">{title}</Radix.Title>
              {description ? (
                <Radix.Description className="mt-1 text-muted text-sm">{description}</Radix.Description>
              ) : null}
            </div>
            <Radix.Close
              aria-label="Close"
              className="-mr-1.5 grid size-7 shrink-0 place-items-center rounded-md text-subtle transition-colors hover:bg-sunken hover:text-ink"
            >
              <X aria-hidden="true" className="size-4" />
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function DialogBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cn('min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-4', className)} />;
}

/** Actions at the bottom, the main one last. */
export function DialogFooter({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      {...rest}
      className={cn(
        'flex flex-wrap items-center justify-end gap-2 border-line border-t px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]',
        className,
      )}
    />
  );
}

/** Wraps a button that closes the dialog it stands in. */
export function DialogClose({ children }: { children: ReactNode }) {
  return <Radix.Close asChild>{children}</Radix.Close>;
}
