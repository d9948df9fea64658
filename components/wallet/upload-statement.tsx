'use client';

import { type ReactNode, useState } from 'react';
import { SelectField } from '@/components/form/fields';
import { useOperation } from '@/components/form/use-operation';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { FileDrop } from '@/components/ui/file-drop';
import { Icon } from '@/components/ui/icon';
import { sendFile } from '@/lib/browser/upload';

/** An account of the operator: its number and currency. */
export type StatementAccount = { id: string; currency: string };

type StatementFormProps<Result> = {
  limits: string;
  /** The API path that reads the file. It takes `account` if there are several. */
  path: string;
  accounts?: readonly StatementAccount[];
  /** What the file changed. */
  summary: (result: Result) => ReactNode;
};

type UploadStatementProps<Result> = StatementFormProps<Result> & { description: string; variant?: 'primary' };

/** Uploads a statement of the bank in a dialog, which then shows what it changed. */
export function UploadStatement<Result>({ description, variant, ...form }: UploadStatementProps<Result>) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button {...(variant && { variant })} icon={<Icon name="upload" />}>
          Upload statement
        </Button>
      }
      title="Upload a bank statement"
      description={description}
    >
      <StatementForm {...form} />
    </Dialog>
  );
}

function StatementForm<Result>({ limits, path, accounts = [], summary }: StatementFormProps<Result>) {
  const [file, setFile] = useState<File | null>(null);
  const [account, setAccount] = useState('');
  const [result, setResult] = useState<Result | null>(null);
  const { pending, error, setError, run } = useOperation({
    fallback: () => 'The statement couldn’t be uploaded. Please try again.',
  });
  const query = account && `?account=${encodeURIComponent(account)}`;
  const send = () =>
    file ? run(async () => setResult(await sendFile<Result>(`${path}${query}`, file))) : setError('Choose a file.');

  return (
    <>
      <DialogBody className="grid gap-4">
        {error ? <Alert tone="error">{error}</Alert> : null}
        {result ? (
          summary(result)
        ) : (
          <>
            <FileDrop
              prompt="Choose a statement or drop it here"
              limits={limits}
              accept=".xml,.csv,.txt"
              aria-label="Bank statement"
              disabled={pending}
              onFile={(chosen) => {
                setFile(chosen);
                setError(null);
              }}
            />
            {accounts.length > 1 ? (
              <SelectField
                label="Account"
                name="account"
                value={account}
                disabled={pending}
                options={[
                  { value: '', label: 'As the file says' },
                  ...accounts.map(({ id, currency }) => ({ value: id, label: `${currency}, ${id}` })),
                ]}
                hint="Only for a CSV file that does not name its account."
                onChange={(event) => setAccount(event.target.value)}
              />
            ) : null}
          </>
        )}
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button disabled={pending}>{result ? 'Close' : 'Cancel'}</Button>
        </DialogClose>
        {result ? null : (
          <Button variant="primary" pending={pending} onClick={send}>
            Upload
          </Button>
        )}
      </DialogFooter>
    </>
  );
}
