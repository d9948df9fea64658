'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import { ApiError } from '@/lib/browser/api-client';
import { callAction } from '@/lib/browser/call-action';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';
import { optionalSiteColumns, type SiteColumn } from '@/lib/sites/columns';
import { saveColumnsAction } from '../actions';

const labels: Record<SiteColumn, string> = {
  niche: 'Niche',
  country: 'Country and language',
  dr: 'DR, domain rating',
  da: 'DA, domain authority',
  as: 'AS, authority score',
  traffic: 'Traffic a month',
  keywords: 'Keywords',
  refDomains: 'Referring domains',
  spam: 'Spam score',
  link: 'Link type',
  words: 'Words in an article',
  tat: 'Turnaround',
};

type ColumnsDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What is shown now. */
  columns: readonly SiteColumn[];
};

/** Which figures the list shows; kept with the account. */
export function ColumnsDialog(props: ColumnsDialogProps) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Columns"
      description="Website and price always stand. Your choice is kept on every device."
      size="md"
    >
      <ColumnsForm {...props} />
    </Dialog>
  );
}

function ColumnsForm({ onOpenChange, columns }: ColumnsDialogProps) {
  const router = useRouter();
  const [chosen, setChosen] = useState<readonly SiteColumn[]>(columns);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setPending(true);
    setError(null);
    try {
      await callAction(saveColumnsAction({ columns: [...chosen] })).catch(redirectIfSignedOut);
      router.refresh();
      onOpenChange(false);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause.message || 'The columns were not saved. Try again.');
    } finally {
      setPending(false);
    }
  };
  return (
    <form className="contents" onSubmit={save}>
      <DialogBody className="grid content-start gap-3">
        {error ? <Alert tone="error">{error}</Alert> : null}
        <fieldset className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
          <legend className="sr-only">Columns to show</legend>
          {optionalSiteColumns.map((name) => (
            <Checkbox
              key={name}
              label={labels[name]}
              checked={chosen.includes(name)}
              onChange={(event) =>
                setChosen(event.target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
              }
            />
          ))}
        </fieldset>
      </DialogBody>
      <DialogFooter>
        <Button variant="ghost" className="mr-auto" onClick={() => setChosen(optionalSiteColumns)}>
          All
        </Button>
        <Button onClick={() => onOpenChange(false)} disabled={pending}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" pending={pending}>
          Save
        </Button>
      </DialogFooter>
    </form>
  );
}
