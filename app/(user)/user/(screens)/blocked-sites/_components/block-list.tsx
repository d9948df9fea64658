'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { FormDialog } from '@/components/form/dialog-form';
import { getFormText, TextareaField } from '@/components/form/fields';
import { useOperation } from '@/components/form/use-operation';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { FileDrop } from '@/components/ui/file-drop';
import { Icon } from '@/components/ui/icon';
import { callAction, saveFailure } from '@/lib/browser/api-client';
import { pageAccount } from '@/lib/browser/page-account';
import { sendFile } from '@/lib/browser/upload';
import { blockDomainsAction, unblockDomainsAction } from '@/lib/projects/actions';

type ListProps = {
  /** Null for all projects. */
  projectId: string | null;
  /** "all projects" or the domain of the project. */
  name: string;
};

type Outcome = { added: number; skipped: number };

/** Renders the button and the dialog that add typed domains, or those of a file. */
export function BlockDomains({ projectId, name }: ListProps) {
  const [file, setFile] = useState<File | null>(null);
  const path = projectId ? `/api/user/projects/${projectId}/blocklist` : '/api/user/blocklist';
  const submit = async (data: FormData): Promise<Outcome> => {
    if (!file)
      return callAction(() => blockDomainsAction({ projectId, text: getFormText(data, 'text') }, pageAccount()));
    const { added, skipped } = await sendFile<{ added: number; skipped: unknown[] }>(path, file, { method: 'PUT' });
    return { added, skipped: skipped.length };
  };
  return (
    <FormDialog<Outcome>
      trigger={
        <Button variant="primary" icon={<Icon name="plus" />}>
          Block domains
        </Button>
      }
      title="Block domains"
      description={`Their sites are left out for ${name}.`}
      submitLabel="Block"
      onOpenChange={() => setFile(null)}
      submit={submit}
      fallback={() => 'Save failed'}
      done={describeOutcome}
    >
      {(errors) => (
        <>
          <TextareaField
            name="text"
            label="Domains or addresses, one a line"
            rows={6}
            disabled={file !== null}
            error={errors.text}
            placeholder={'example.com\nhttps://www.example.org/'}
          />
          <FileDrop
            accept=".csv,.txt,.tsv"
            aria-label="List of domains"
            prompt="Or choose a text or CSV file"
            limits="First column, up to 2 MB"
            onFile={setFile}
          />
        </>
      )}
    </FormDialog>
  );
}

function describeOutcome({ added, skipped }: Outcome): string {
  const domains = added === 1 ? '1 domain was blocked.' : `${added.toLocaleString('en-US')} domains were blocked.`;
  const lines =
    skipped === 1 ? '1 line has no domain.' : `${skipped}${skipped === 100 ? ' or more' : ''} lines have no domain.`;
  return skipped > 0 ? `${domains} ${lines}` : domains;
}

export function UnblockDomain({ projectId, domain }: { projectId: string | null; domain: string }) {
  const { pending, run } = useOperation({ fallback: () => 'Save failed', onError: (text) => toast.error(text) });
  return (
    <Button
      size="sm"
      pending={pending}
      aria-label={`Unblock ${domain}`}
      onClick={() =>
        void run(() => callAction(() => unblockDomainsAction({ projectId, domains: [domain] }, pageAccount())))
      }
    >
      Unblock
    </Button>
  );
}

export function UnblockAll({ projectId, name, total }: ListProps & { total: number }) {
  return (
    <ConfirmAction
      trigger={
        <Button size="sm" icon={<Icon name="trash" />}>
          Unblock all
        </Button>
      }
      title={`Unblock all domains of ${name}?`}
      description={`${total.toLocaleString('en-US')} ${total === 1 ? 'domain is' : 'domains are'} removed from the list.`}
      confirmLabel="Unblock all"
      action={() =>
        callAction(() => unblockDomainsAction({ projectId, domains: null }, pageAccount())).catch(saveFailure)
      }
      done="The list is empty."
    />
  );
}
