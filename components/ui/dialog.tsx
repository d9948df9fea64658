'use client';

import dynamic from 'next/dynamic';
import {
  type ComponentProps,
  cloneElement,
  createContext,
  type MouseEvent,
  type ReactElement,
  use,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { cn } from './cn';
import type { DialogPanelProps } from './dialog-panel';
import { retryChunk } from './retry-chunk';

/** Loaded with the first opening: Radix and its dependencies are 20 kB. */
const DialogPanel = dynamic(
  retryChunk(() => import('./dialog-panel').then((module) => module.DialogPanel)),
  { ssr: false },
);

type ButtonProps = { 'aria-haspopup'?: 'dialog'; onClick?: (event: MouseEvent<HTMLElement>) => void };

const SetOpen = createContext<(open: boolean) => void>(() => undefined);

type DialogProps = DialogPanelProps & {
  /** Omit both with a `trigger`: the dialog then keeps its own state. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** The button that opens it. */
  trigger?: ReactElement<ButtonProps>;
};

/**
 * Renders a modal dialog: centred on wide screens, a bottom sheet on phones. Only its body scrolls. When it closes, the
 * focus returns to the element that had it before, or moves to the result (`focusAfter`).
 */
export function Dialog({ open: controlled, onOpenChange, trigger, ...panel }: DialogProps) {
  const [own, setOwn] = useState(false);
  const open = controlled ?? own;
  // Stays mounted after the first opening, for the closing animation.
  const [isMounted, setMounted] = useState(open);
  if (open && !isMounted) setMounted(true);
  const opener = useRef<HTMLElement>(null);

  // A layout effect runs before Radix moves the focus.
  useLayoutEffect(() => {
    if (open && document.activeElement instanceof HTMLElement) opener.current = document.activeElement;
  }, [open]);

  const setOpen = (next: boolean) => {
    setOwn(next);
    onOpenChange?.(next);
  };

  return (
    <SetOpen value={setOpen}>
      {trigger ? cloneElement(trigger, { 'aria-haspopup': 'dialog', onClick: () => setOpen(true) }) : null}
      {isMounted ? <DialogPanel {...panel} open={open} onOpenChange={setOpen} opener={opener} /> : null}
    </SetOpen>
  );
}

export function DialogBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cn('dialog-body', className)} />;
}

/** Actions at the bottom, the primary one last. */
export function DialogFooter({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cn('dialog-footer', className)} />;
}

/** Wraps a button that closes the dialog around it. */
export function DialogClose({ children }: { children: ReactElement<ButtonProps> }) {
  const setOpen = use(SetOpen);
  return cloneElement(children, {
    onClick: (event) => {
      children.props.onClick?.(event);
      if (!event.defaultPrevented) setOpen(false);
    },
  });
}
