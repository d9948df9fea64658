import type { Readable } from 'node:stream';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import { importCancelledError, withImportSlot } from '@/lib/platform/import-slot';
import { lockDomains, namesOf } from '@/lib/sites/domain-figures/lock-domains';
import { isDuplicateSiteError, lockSites } from '@/lib/sites/lock';
import { type ChangedSite, saveOwnSites } from '@/lib/sites/own-bulk/save';
import { describeSiteChanges, planSiteChanges, returnsToReview } from '@/lib/sites/plan-changes';
import type { SiteRow } from '@/lib/sites/views';
import { analyzeFile } from './analyze-file';
import type { RowProblem } from './copy-line';
import { editableColumns } from './edit-columns';
import type { EditFileResult } from './edit-contract';
import { maxNamedNiches, receiveCsv } from './import-upload';
import { getRowContext, type RowContext } from './known-names';
import type { ColumnChoices } from './map-header';
import { fieldLabels, listColumns, listFields } from './preview-import';
import { proposeNiches } from './propose-niches';
import { type RowEdit, readEdits } from './read-edits';
import { formatRejectedHeader, formatRejectedRow } from './rejected-rows';

/** An uploaded CSV file of a seller's edits. */
type EditUpload = { file: Readable; name: string; choices: ColumnChoices; signal?: AbortSignal };

const maxErrors = 100;
const maxListedChanges = 100;
/** The maximum number of sites that one transaction changes. */
const maxChanges = 10_000;
/** The number of sites that are locked by one statement. */
const lockBatch = 500;

/**
 * Changes the actor's own sites by the cells of a CSV file that differ from what is stored, all or nothing, as
 * `updateOwnSite` changes one. Rows that cannot be applied are left out. The same file again changes nothing.
 * @param isDryRun changes nothing
 * @throws AppError invalid_input for a file that is not CSV, has no usable header or no rows, or was canceled; too_large;
 * conflict if no import slot becomes free in time, or if a site is changed at the same time
 */
export async function editSitesByFile(actor: Actor, upload: EditUpload, isDryRun: boolean): Promise<EditFileResult> {
  return withEdits(actor, upload, async (tx, path, context) => {
    const { signal } = upload;
    const edits: RowEdit[] = [];
    const errors: RowProblem[] = [];
    let [unchanged, rejected] = [0, 0];
    for await (const rows of readEdits(tx, path, context, signal)) {
      for (const row of rows) {
        if ('problem' in row) {
          rejected += 1;
          if (errors.length < maxErrors) errors.push(row.problem);
        } else if (row.edit) edits.push(row.edit);
        else unchanged += 1;
      }
      if (edits.length > maxChanges) throw tooManyChangesError();
    }
    if (!isDryRun) await saveEdits(tx, actor, edits, context);
    if (signal?.aborted) throw importCancelledError();
    const { analysis, known } = context;
    return {
      ...{ rows: analysis.rows, changed: edits.length, unchanged, rejected, errors },
      review: edits.filter(({ site, changes }) => {
        const plan = planSiteChanges(site, changes, context.pricing, 'seller');
        return plan !== null && returnsToReview(site, plan.after);
      }).length,
      changes: edits.slice(0, maxListedChanges).map(describeEdit),
      unknownHeaders: analysis.unknownHeaders,
      ...(known.newNiches.length > 0 && { newNiches: known.newNiches.slice(0, maxNamedNiches) }),
      columns: listColumns(analysis),
      fields: listFields('edits'),
    };
  });
}

/** Formats the rows of a file that an edit would leave out, with the reasons, as CSV. Changes nothing. */
export async function formatRejectedEdits(actor: Actor, upload: EditUpload): Promise<string> {
  return withEdits(actor, upload, async (tx, path, context) => {
    const { headers } = context.analysis;
    let text = formatRejectedHeader(headers);
    for await (const rows of readEdits(tx, path, context, upload.signal)) {
      for (const row of rows) if ('problem' in row) text += formatRejectedRow(headers, row);
    }
    return text;
  });
}

/** Reads an upload as a file of edits, in a transaction and one at a time for a seller. */
function withEdits<T>(
  actor: Actor,
  { file, name, choices, signal }: EditUpload,
  use: (tx: Transaction, path: string, context: RowContext) => Promise<T>,
): Promise<T> {
  return receiveCsv(file, name, async ({ path }) => {
    const analysis = await analyzeFile(path, 'edits', { choices });
    return withImportSlot(actor.userId, signal, async (tx) =>
      use(tx, path, await getRowContext(tx, analysis, { audience: 'seller', userId: actor.userId })),
    );
  });
}

async function saveEdits(
  tx: Transaction,
  actor: Actor,
  edits: readonly RowEdit[],
  { pricing }: RowContext,
): Promise<void> {
  const { replaced } = await proposeNiches(tx, actor, new Set(edits.flatMap(({ changes }) => changes.niche ?? [])));
  const moved = edits.flatMap(({ changes }) => (changes.url === undefined ? [] : getSiteDomain(changes.url)));
  if (moved.length > 0) await lockDomains(tx, 'shared', namesOf(moved));
  const bySite = new Map(edits.map((edit) => [edit.site.id, edit]));
  const ids = [...bySite.keys()].sort((one, other) => one - other);
  for (let at = 0; at < ids.length; at += lockBatch) {
    const batch = ids.slice(at, at + lockBatch);
    const locked = new Map((await lockSites(tx, batch)).map((site) => [site.id, site]));
    const changed = batch.flatMap((id): ChangedSite[] => {
      const [site, edit] = [locked.get(id), bySite.get(id)];
      if (!edit || site?.version !== edit.site.version) throw changedMeanwhileError();
      const { niche } = edit.changes;
      const changes = { ...edit.changes, ...(niche !== undefined && { niche: replaced.get(niche) ?? niche }) };
      const plan = planSiteChanges(site, changes, pricing, 'seller');
      return plan ? [{ site, after: plan.after, entries: [describeSiteChanges(site, plan)] }] : [];
    });
    await saveOwnSites(tx, actor, changed).catch((thrown: unknown) => {
      throw isDuplicateSiteError(thrown) ? changedMeanwhileError() : thrown;
    });
  }
}

function describeEdit({ row, site, changes }: RowEdit): EditFileResult['changes'][number] {
  const after: SiteRow = { ...site, ...changes };
  const cells = editableColumns.flatMap(([field, , format]) => {
    const [before, now] = [String(format(site) ?? ''), String(format(after) ?? '')];
    return before === now ? [] : [{ field, label: fieldLabels[field], before, after: now }];
  });
  return { row, id: site.id, name: site.name, cells };
}

function tooManyChangesError(): AppError {
  return new AppError(
    'too_large',
    `The file changes more than ${maxChanges.toLocaleString('en-US')} sites. Split it into smaller files.`,
  );
}

function changedMeanwhileError(): AppError {
  return new AppError(
    'conflict',
    'A site was changed while the file was read. Nothing was saved: check the file again.',
  );
}
