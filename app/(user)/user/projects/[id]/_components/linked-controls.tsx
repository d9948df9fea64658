'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { UploadCsv } from '@/components/sites/upload-csv';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { countOf } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Switch } from '@/components/ui/switch';
import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import { sendFile } from '@/lib/browser/upload';
import type { ProjectView } from '@/lib/projects/contract';
import type { LinkedDomainsImport } from '@/lib/projects/linked-domains/contract';
import { formatNames } from './linked-words';

const linkedPath = (projectId: string) => `/api/user/projects/${projectId}/linked-domains`;

type ImportLinkedProps = { projectId: string; maxBytes: number };

/** Imports an export of links: choose, check, import, summary. */
export function ImportLinked({ projectId, maxBytes }: ImportLinkedProps) {
  return (
    <UploadCsv
      title="Import links"
      path={linkedPath(projectId)}
      callEndpoint={(path) => ({
        check: async (file, _, options) => toCheck(await sendFile(`${path}?dryRun=1`, file, options)),
        commit: async (file, _, options) => {
          const { subject, errors, skipped } = toCheck(await sendFile(path, file, options));
          return { errors, skipped, summary: `Imported ${subject}.` };
        },
        accept: '.csv,.tsv,.txt,text/csv,text/plain',
        megabytes: maxBytes / 1_000_000,
      })}
      success="The file was imported."
      failure={(_, message) => message || 'The file could not be sent. Try again.'}
      help={
        <ul className="grid list-disc gap-1 pl-5 text-muted text-sm">
          <li>Search Console: Links → Top linking sites or Latest links → Export as CSV</li>
          <li>Ahrefs: Backlinks, Referring domains or Anchors</li>
          <li>Semrush: Backlinks or Referring domains</li>
          <li>Majestic: Backlinks. Moz: Inbound links</li>
          <li>A list of your own: one domain or address a line</li>
        </ul>
      }
      onRefused={redirectIfSignedOut}
    />
  );
}

function toCheck(found: LinkedDomainsImport) {
  const { format, rows, domains, live, lost, unknown, anchors, skipped, moreSkipped } = found;
  const ofLinks = `the anchors of ${countOf(anchors, 'link')}`;
  const figures: [name: string, value: number][] =
    format === 'ahrefs_anchors'
      ? [['Links with an anchor', anchors]]
      : [
          ['Domains', domains],
          ['Link now', live],
          ['Linked before', lost],
          ['Not stated', unknown],
        ];
  return {
    ...{ rows, figures, columns: [], fields: [], unknownHeaders: [], duplicates: 0 },
    ready: domains || anchors,
    skipped: skipped.length + moreSkipped,
    errors: skipped.map((problem) => ({ ...problem, column: '' })),
    format: formatNames[format],
    subject: domains > 0 ? countOf(domains, 'domain') : ofLinks,
    note: domains > 0 && anchors > 0 ? `Also ${ofLinks}, which count in the anchor plan.` : undefined,
  };
}

type ClearSourceProps = { projectId: string; source: string; name: string; domains: number };

/** Removes what one tool stated, after a confirmation. */
export function ClearSource({ projectId, source, name, domains }: ClearSourceProps) {
  const removed =
    domains === 0
      ? 'Its anchors are'
      : domains === 1
        ? '1 domain and its anchors are'
        : `${domains.toLocaleString('en-US')} domains and their anchors are`;
  return (
    <ConfirmAction
      trigger={
        <Button size="sm" icon={<Icon name="trash" />} aria-label={`Clear what ${name} stated`}>
          Clear
        </Button>
      }
      title={`Clear what ${name} stated?`}
      description={`${removed} removed. You can import the file again.`}
      confirmLabel="Clear"
      action={() =>
        apiFetch(`${linkedPath(projectId)}?source=${source}`, { method: 'DELETE' }).catch(redirectIfSignedOut)
      }
      done={`${name} cleared.`}
    />
  );
}

/** Renders the setting by which the marketplace leaves out sites that link already. It is saved at once. */
export function HideLinkedSwitch({ project }: { project: ProjectView }) {
  const router = useRouter();
  const [checked, setChecked] = useState(project.hidesLinked);
  const [pending, setPending] = useState(false);
  const save = async (hidesLinked: boolean) => {
    setChecked(hidesLinked);
    setPending(true);
    try {
      const path = `/api/user/projects/${project.id}`;
      await apiFetch(path, { method: 'PUT', body: { ...project, hidesLinked } }).catch(redirectIfSignedOut);
      toast.success(
        hidesLinked ? 'The marketplace leaves these sites out.' : 'The marketplace shows and marks these sites.',
      );
      router.refresh();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setChecked(!hidesLinked);
      toast.error(cause.message || 'Save failed');
      // With the current version, after a change in another tab.
      router.refresh();
    } finally {
      setPending(false);
    }
  };
  return (
    <Switch
      checked={checked}
      disabled={pending}
      onCheckedChange={(next) => void save(next)}
      label="Leave out sites that already link in the marketplace"
    />
  );
}
