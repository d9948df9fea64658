'use client';

import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { DialogBody, DialogFooter } from '@/components/ui/dialog';

/** Shows a new signing secret, which is not shown again. */
export function SecretStep({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <>
      <DialogBody className="grid gap-4">
        <Alert tone="warning">Copy the signing secret now. It won’t be shown again.</Alert>
        <div className="flex items-center gap-2">
          <code className="wrap-anywhere min-w-0 flex-1 rounded-md bg-sunken px-3 py-2 text-ink text-sm">{secret}</code>
          <CopyButton text={secret} label="Copy secret" />
        </div>
        <p className="text-muted text-sm">Your program verifies the header webhook-signature with it.</p>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogFooter>
    </>
  );
}
