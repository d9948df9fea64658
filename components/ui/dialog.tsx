'use client';

import {
  type ComponentProps,
  cloneElement,
  createContext,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { cn } from './cn';
import { lazyPart } from './lazy-part';

const loadPanel = () => import('./dialog-panel');
const DialogPanel = lazyPart(loadPanel, { isDialog: true });

/** What is lost now is asked for again by the press. */
const preload = () => void Promise.allSettled([loadPanel()]);

const never = () => () => undefined;
const inBrowser = () => true;
const onServer = () => false;

export const DialogContext = createContext<{ setOpen: (open: boolean) => void }>({ setOpen: () => undefined });

type OpenerProps = {
  onClick?: (event: MouseEvent<HTMLElement>) => void;
  onPointerEnter?: () => void;
  onFocus?: () => void;
  'aria-haspopup'?: 'dialog';
};

export type DialogPanelProps = {
  title: ReactNode;
  description?: ReactNode;
  size?: 'sm' | 'md' | 'lg' | 'xl' | '2xl';
  role?: 'dialog' | 'alertdialog';
  /** Where the focus starts; without it on the first field, or the first control where there is none. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** DialogBody and DialogFooter; both may stand inside one `<form className="contents">`. */
  children: ReactNode;
};

type DialogProps = DialogPanelProps & {
  /** Leave both out with a `trigger`: the dialog then keeps its own state. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** The button that opens it. */
  trigger?: ReactElement<OpenerProps>;
};

/**
 * A modal: in the middle on wide screens, a sheet from below on phones; only its body scrolls. Focus returns to where
 * it was. Radix (12 kB) is fetched with the first opening, or when the pointer nears the trigger, so that a page pays
 * nothing for the dialogs it might show.
 */
export function Dialog({ open: controlled, onOpenChange, trigger, ...panel }: DialogProps) {
  const [own, setOwn] = useState(false);
  const open = controlled ?? own;
  const [wanted, setWanted] = useState(open);
  const opener = useRef<HTMLElement>(null);
  if (open && !wanted) setWanted(true);
  // A portal sends nothing from the server, but its boundary would be hydrated last of all, when the browser is idle:
  // a dialog that the address opens would come late.
  const isHydrated = useSyncExternalStore(never, inBrowser, onServer);

  // Before the panel moves the focus, which it does in an effect of its own.
  useLayoutEffect(() => {
    if (open && document.activeElement instanceof HTMLElement) opener.current = document.activeElement;
  }, [open]);

  const context = useMemo(
    () => ({
      setOpen: (next: boolean) => {
        setOwn(next);
        onOpenChange?.(next);
      },
    }),
    [onOpenChange],
  );

  return (
    <DialogContext value={context}>
      {trigger
        ? cloneElement(trigger, {
            'aria-haspopup': 'dialog',
            onPointerEnter: preload,
            onFocus: preload,
            onClick: (event: MouseEvent<HTMLElement>) => {
              trigger.props.onClick?.(event);
              if (!event.defaultPrevented) context.setOpen(true);
            },
          })
        : null}
      {wanted && isHydrated ? <DialogPanel {...panel} open={open} opener={opener} /> : null}
    </DialogContext>
  );
}

export function DialogBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cn('dialog-body', className)} />;
}

/** Actions at the bottom, the main one last. */
export function DialogFooter({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cn('dialog-footer', className)} />;
}

/** Wraps a button that closes the dialog it stands in. */
export function DialogClose({ children }: { children: ReactElement<OpenerProps> }) {
  const { setOpen } = useContext(DialogContext);
  return cloneElement(children, {
    onClick: (event: MouseEvent<HTMLElement>) => {
      children.props.onClick?.(event);
      if (!event.defaultPrevented) setOpen(false);
    },
  });
}
