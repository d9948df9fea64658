/**
 * Whether a key press is a shortcut of the page: a key without a modifier other than Shift, while no field has the focus
 * and no dialog or menu is open.
 */
export function isSingleKey({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  const isTyping =
    target instanceof HTMLElement &&
    target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable="true"]') !== null;
  return !isTyping && document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') === null;
}
