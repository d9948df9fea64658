'use client';

import { Check, Copy } from 'lucide-react';
import { type ComponentProps, useEffect, useState } from 'react';
import { toast } from 'sonner';
import { copyText } from './copy-text';
import { IconButton } from './icon-button';

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
        {copied ? <Check className="size-4 text-green-ink" /> : <Copy className="size-4" />}
      </IconButton>
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </>
  );
}
