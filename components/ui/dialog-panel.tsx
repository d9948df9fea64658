'use client';

import * as Radix from '@radix-ui/react-dialog';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { cn } from './cn';
import { Icon } from './icon';

const widths = {
  sm: 'sm:max-w-md',
  md: 'sm:max-w-lg',
  lg: 'sm:max-w-2xl',
  xl: 'sm:max-w-4xl',
  '2xl': 'sm:max-w-6xl',
};

export type DialogPanelProps = {
  title: ReactNode;
  description?: ReactNode;
  size?: keyof typeof widths;
  role?: 'dialog' | 'alertdialog';
  /** `right`: a drawer of the full height at the right side, the whole screen on phones. Its title is announced when it changes. */
  placement?: 'center' | 'right';
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  /** Finds the element that receives the focus when the dialog closes; null for the one that opened it. */
  focusAfter?: () => HTMLElement | null;
  /** Receives the focus first. The default is the first field, or else the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Controls beside the title, before Close. */
  headerActions?: ReactNode;
  /** DialogBody and DialogFooter, optionally inside one `<form className="contents">`. */
  children: ReactNode;
};

type Props = DialogPanelProps & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Receives the focus when the dialog closes. */
  opener: RefObject<HTMLElement | null>;
};

/** Renders the content of a Dialog, based on Radix. */
export function DialogPanel(props: Props) {
  const { open, onOpenChange, opener, title, description, size = 'md', role = 'dialog', placement = 'center' } = props;
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 bg-scrim data-[state=closed]:animate-scrim-out data-[state=open]:animate-scrim-in" />
        <Radix.Content
          ref={watchBodies}
          role={role}
          onKeyDown={props.onKeyDown}
          onInteractOutside={(event) => {
            // A toast is above the dialog.
            if (isToast(event.detail.originalEvent.target)) event.preventDefault();
          }}
          onOpenAutoFocus={(event) => {
            const content = event.target instanceof HTMLElement ? event.target : null;
            const start = props.initialFocus?.current ?? (content && firstFieldIn(content));
            if (!start) return;
            event.preventDefault();
            start.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            (props.focusAfter?.() ?? opener.current)?.focus();
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={cn(
            'fixed z-50 flex flex-col bg-overlay shadow-overlay outline-none',
            placement === 'right' ? drawerClass : cn(centerClass, widths[size]),
          )}
        >
          <div className="flex items-start justify-between gap-4 border-line border-b px-5 py-4">
            <div className="wrap-anywhere min-w-0">
              <Radix.Title aria-live={placement === 'right' ? 'polite' : undefined} className="text-base text-ink">
                {title}
              </Radix.Title>
              {description ? (
                <Radix.Description className="mt-1 text-muted text-sm">{description}</Radix.Description>
              ) : null}
            </div>
            <div className="-mr-1.5 flex shrink-0 items-center gap-1">
              {props.headerActions}
              <Radix.Close
                aria-label="Close"
                className="grid size-7 shrink-0 place-items-center rounded-md text-subtle transition-colors hover:bg-sunken hover:text-ink"
              >
                <Icon name="x" />
              </Radix.Close>
            </div>
          </div>
          {props.children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const centerClass =
  'inset-x-0 bottom-0 max-h-[92dvh] rounded-t-xl data-[state=closed]:animate-sheet-out data-[state=open]:animate-sheet-in sm:inset-x-4 sm:top-1/2 sm:bottom-auto sm:mx-auto sm:max-h-[min(90dvh,56rem)] sm:-translate-y-1/2 sm:rounded-xl sm:data-[state=closed]:animate-dialog-out sm:data-[state=open]:animate-dialog-in';
const drawerClass =
  'inset-0 data-[state=closed]:animate-drawer-out data-[state=open]:animate-drawer-in sm:left-auto sm:w-[30rem]';

const isToast = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-sonner-toaster]') !== null;

/** Returns the first field of a form. In a radio group it is the checked one, as with the Tab key. */
function firstFieldIn(content: HTMLElement): HTMLElement | null {
  const first = content.querySelector<HTMLElement>(':is(input, select, textarea):not([type="hidden"], :disabled)');
  if (!(first instanceof HTMLInputElement) || first.type !== 'radio') return first;
  return content.querySelector<HTMLElement>(`input[name="${CSS.escape(first.name)}"]:checked`) ?? first;
}

const focusable =
  ':is(button, input, select, textarea):not(:disabled, [type="hidden"]), a[href], summary, [tabindex]:not([tabindex^="-"])';

/**
 * Makes a body focusable while it scrolls and nothing in it can have the focus: the keyboard cannot scroll it otherwise
 * (axe: scrollable-region-focusable).
 */
function watchBodies(content: HTMLElement | null): (() => void) | undefined {
  if (!content) return undefined;
  const isStuck = (body: Element) =>
    body.scrollHeight > body.clientHeight &&
    ![...body.querySelectorAll(focusable)].some((part) => part.checkVisibility());
  const made = new Set<Element>();
  const update = () => {
    for (const body of made)
      if (body !== document.activeElement && !isStuck(body) && made.delete(body)) body.removeAttribute('tabindex');
    for (const body of content.querySelectorAll('.dialog-body:not([tabindex])'))
      if (isStuck(body) && made.add(body)) body.setAttribute('tabindex', '0');
  };
  const [sizes, changes] = [new ResizeObserver(update), new MutationObserver(update)];
  sizes.observe(content);
  changes.observe(content, { subtree: true, childList: true, attributeFilter: ['disabled', 'hidden', 'open'] });
  return () => {
    sizes.disconnect();
    changes.disconnect();
  };
}
