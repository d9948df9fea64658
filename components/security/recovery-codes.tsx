'use client';

import { useEffect, useRef } from 'react';
import { toast } from 'sonner';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { copyText } from '@/components/ui/copy-button';
import { Icon } from '@/components/ui/icon';

type RecoveryCodesProps = {
  codes: string[];
  title: string;
  /** True while the page refreshes after the user has saved the codes. */
  pending: boolean;
  onDone: () => void;
};

/** Shows the recovery codes once: the server stores only their hashes. */
export function RecoveryCodes({ codes, title, pending, onDone }: RecoveryCodesProps) {
  // Moves the focus to the codes, because the button that had it is unmounted.
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => top.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    if (await copyText(text)) toast.success('Recovery codes copied.');
    else toast.error('Your browser blocked copying. Select the codes and copy them, or download them.');
  };
  return (
    <div ref={top} tabIndex={-1} className="grid gap-4 outline-none">
      <Alert tone="success" title={title}>
        Each code signs you in once if you lose your phone. They won’t be shown again.
      </Alert>
      <ul
        aria-label="Recovery codes"
        className="grid gap-x-6 gap-y-1.5 rounded-md bg-sunken px-4 py-3 font-mono text-ink text-xs sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button icon={<Icon name="copy" />} onClick={copy}>
          Copy
        </Button>
        <Button icon={<Icon name="download" />} onClick={() => download(text)}>
          Download
        </Button>
        <Button variant="primary" pending={pending} onClick={onDone} className="max-sm:w-full sm:ml-auto">
          I’ve saved them
        </Button>
      </div>
    </div>
  );
}

/** Saves the codes as a text file. The browser creates it, so that the codes are sent only once. */
function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(url);
}
