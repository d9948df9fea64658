'use client';

import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { copyText } from '@/components/ui/copy-text';
import { IconButton } from '@/components/ui/icon-button';
import { toast } from '@/components/ui/toast';

/** A license's key with a button that copies it. */
export function CopyKey({ licenseKey, name }: { licenseKey: string; name: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(licenseKey);
    setIsCopied(done);
    if (done) toast.success('Key copied.');
    else toast.error('The browser did not let the key be copied. Select and copy it by hand.');
  };
  const icon = isCopied ? 'icon-check' : 'icon-copy';
  return (
    <span className="flex min-w-0 items-center gap-1">
      <code className="min-w-0 truncate text-xs" title={licenseKey}>
        {licenseKey}
      </code>
      <IconButton label={`Copy the key of ${name}`} onClick={copy} className="shrink-0">
        <span aria-hidden="true" className={cn(icon, 'size-3.5')} />
      </IconButton>
    </span>
  );
}
