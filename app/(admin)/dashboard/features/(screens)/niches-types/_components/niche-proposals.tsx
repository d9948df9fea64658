'use client';

import { toast } from 'sonner';
import { FormDialog } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import { useOperation } from '@/components/form/use-operation';
import { createRowSelection, RowCheckbox, SelectionBar, useSelectedIds } from '@/components/table/row-selection';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { TimeAgo } from '@/components/ui/time-ago';
import { callAction, saveFailure } from '@/lib/browser/api-client';
import { reviewNicheAction } from '@/lib/sites/actions';
import type { NicheProposal } from '@/lib/taxonomy/queries';

type NicheProposalsProps = {
  proposals: readonly NicheProposal[];
  /** The number of all proposals, of which the oldest are listed. */
  total: number;
  niches: readonly string[];
};

const selection = createRowSelection<string>();
const saveFailed = (status: number) => `Save failed (HTTP ${status})`;
const countNiches = (count: number) => (count === 1 ? '1 niche' : `${count} niches`);

/** Niches of imported sites that wait for review. Renders nothing without one. */
export function NicheProposals({ proposals, total, niches }: NicheProposalsProps) {
  const keys = useSelectedIds(selection);
  if (proposals.length === 0) return null;
  const selected = proposals.filter(({ key }) => keys.includes(key));
  return (
    <div className="mb-4">
      <Card>
        <CardHeader
          title={`Niches to review (${total})`}
          description="Imported sites have them. Buyers can’t filter by them yet."
        />
        <ul aria-label="Niches to review" className="divide-y divide-line">
          {proposals.map((proposal) => (
            <Proposal key={proposal.key} proposal={proposal} niches={niches} />
          ))}
        </ul>
      </Card>
      {selected.length > 0 ? (
        <SelectionBar count={countNiches(selected.length)} onClear={() => selection.write([])}>
          <ReplaceDialog proposals={selected} niches={niches} />
        </SelectionBar>
      ) : null}
    </div>
  );
}

function Proposal({ proposal, niches }: { proposal: NicheProposal; niches: readonly string[] }) {
  const { key, name, proposedBy, createdAt, sites } = proposal;
  const { pending, run } = useOperation({ fallback: saveFailed, onError: toast.error });
  const accept = () =>
    run(async () => {
      await callAction(() => reviewNicheAction({ kind: 'accept', key }));
      toast.success(`${name} added.`);
    });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5 sm:px-5">
      <span className="flex min-w-0 gap-3">
        <RowCheckbox selection={selection} id={key} label={`Select ${name}`} />
        <span className="min-w-0">
          <span className="wrap-anywhere block text-ink text-sm">{name}</span>
          <span className="wrap-anywhere block text-muted text-xs">
            {sites === 1 ? '1 site' : `${sites.toLocaleString('en-US')} sites`} · {proposedBy} ·{' '}
            <TimeAgo at={createdAt} />
          </span>
        </span>
      </span>
      <span className="flex gap-2">
        <ReplaceDialog proposals={[proposal]} niches={niches} />
        <Button size="sm" pending={pending} aria-label={`Add ${name}`} onClick={() => void accept()}>
          Add
        </Button>
      </span>
    </li>
  );
}

type ReplaceProps = { proposals: readonly NicheProposal[]; niches: readonly string[] };

/** Returns “Owls”, or 3 niches. */
const nameNiches = (proposals: readonly NicheProposal[]) =>
  proposals.length === 1 ? proposals.map(({ name }) => `“${name}”`).join() : countNiches(proposals.length);

/** Replaces niches by one of the list. */
function ReplaceDialog({ proposals, niches }: ReplaceProps) {
  const named = nameNiches(proposals);
  const isOne = proposals.length === 1;
  return (
    <FormDialog
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Replace ${isOne ? named.slice(1, -1) : named}`}>
          Replace
        </Button>
      }
      title={isOne ? `Replace the niche ${named}` : `Replace ${named}`}
      description={`${isOne ? 'Its' : 'Their'} sites and later imports get the niche you choose.`}
      size="sm"
      fields={[{ name: 'niche', label: 'Niche', placeholder: 'Choose a niche', options: niches }]}
      submitLabel="Replace"
      submit={async (data) => {
        const niche = getFormText(data, 'niche');
        const keys = proposals.map(({ key }) => key);
        await callAction(() => reviewNicheAction({ kind: 'replace', keys, niche })).catch(saveFailure);
        selection.write([]);
        return niche;
      }}
      done={(niche) => `${named} replaced by ${niche}.`}
      fallback={saveFailed}
    />
  );
}
