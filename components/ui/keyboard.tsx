'use client';

import { type ReactNode, type RefObject, useEffect } from 'react';

export const Kbd = ({ children }: { children: ReactNode }) => <kbd className="kbd">{children}</kbd>;

/**
 * Checks whether a key press is a shortcut of the page: a key without a modifier other than Shift, while no field has
 * the focus and no dialog or menu is open.
 */
export function isSingleKey({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  const isTyping =
    target instanceof HTMLElement &&
    target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable="true"]') !== null;
  return !isTyping && document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') === null;
}

/** Focuses the field on "/", unless the user is typing in another field or a dialog is open. */
export function useSlashFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || !isSingleKey(event)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [field]);
}
