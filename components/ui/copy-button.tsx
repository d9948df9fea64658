'use client';

import { type ComponentProps, useEffect, useState } from 'react';
import { toast } from 'sonner';
import { IconButton } from './button';
import { Icon } from './icon';

/**
 * Copies a text to the clipboard. Browsers provide `navigator.clipboard` only on https pages; on plain http it falls
 * back to `document.execCommand('copy')`.
 * @returns false where the browser allows neither; the user then has to select the text manually
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Undefined on plain http, unlike its type.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    if (!clipboard) return copySelected(text);
    await clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Selects the text in a hidden element, copies it, and restores the selection. Does not move the focus. */
function copySelected(text: string): boolean {
  const selection = window.getSelection();
  if (!selection) return false;
  const before = selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
  const holder = document.createElement('pre');
  holder.textContent = text;
  holder.style.cssText = 'position:fixed;top:0;clip-path:inset(50%);user-select:text;-webkit-user-select:text';
  // Sets the exact text: copying the rendered selection may lose the last line break.
  holder.addEventListener('copy', (event) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  });
  document.body.append(holder);
  selection.selectAllChildren(holder);
  const isCopied = document.execCommand('copy');
  holder.remove();
  selection.removeAllRanges();
  if (before) selection.addRange(before);
  return isCopied;
}

type CopyButtonProps = Pick<ComponentProps<typeof IconButton>, 'label' | 'variant'> & { text: string };

/** Copies a text and confirms it briefly. If the browser denies clipboard access, asks the user to copy it manually. */
export function CopyButton({ text, label, variant = 'secondary' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    if (await copyText(text)) setCopied(true);
    else toast.error('Your browser blocked copying. Select the text and copy it.');
  };

  return (
    <>
      <IconButton label={label} variant={variant} onClick={copy}>
        {copied ? <Icon name="check" className="text-green-ink" /> : <Icon name="copy" />}
      </IconButton>
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </>
  );
}
