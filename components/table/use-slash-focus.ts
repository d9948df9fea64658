'use client';

import { type RefObject, useEffect } from 'react';

/** "/" focuses the field, unless the user is typing in another field or a dialog is open. */
export function useSlashFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target;
      const typing =
        target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]');
      if (typing || document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [field]);
}
