'use client';

import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { IconButton } from '@/components/ui/button';
import { copyText } from '@/components/ui/copy-button';

/** A license key with a copy button. */
export function CopyKey({ licenseKey, name }: { licenseKey: string; name: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(licenseKey);
    setIsCopied(done);
    if (done) toast.success('Key copied.');
    else toast.error('Your browser blocked copying. Select the key and copy it.');
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <span className="flex min-w-0 items-center gap-1">
      <code className="min-w-0 truncate text-xs">{licenseKey}</code>
      <IconButton label={`Copy the key of ${name}`} onClick={copy} className="shrink-0">
        <Icon className="size-3.5" />
      </IconButton>
    </span>
  );
}
