'use client';

import { type ImportEndpoint, UploadCsv } from '@/components/sites/upload-csv';
import { countOf } from '@/components/ui/format';
import { redirectIfSignedOut } from '@/lib/browser/api-client';
import { sendFile } from '@/lib/browser/upload';
import type { EditFileResult } from '@/lib/sites/import/edit-contract';

/** Calls POST /api/seller/sites/import. */
const callEndpoint = (path: string): ImportEndpoint => {
  const at = (flag: string, columns: string) =>
    `${path}?${new URLSearchParams({ ...(flag && { [flag]: '1' }), columns })}`;
  return {
    check: async (file, columns, options) => toCheck(await sendFile(at('dryRun', columns), file, options)),
    commit: async (file, columns, options) => {
      const { changed, review, rejected, errors } = await sendFile<EditFileResult>(at('', columns), file, options);
      return {
        summary: `Changed ${countOf(changed, 'site')}.${review > 0 ? ` We review ${countOf(review, 'site')} again.` : ''}`,
        skipped: rejected,
        errors,
      };
    },
    rejectedPath: (columns) => at('rejected', columns),
    keyField: {
      ...{ field: 'id', or: 'url', label: 'ID', question: 'Which column contains the ID?' },
      hint: 'with the IDs of the export',
    },
    megabytes: 50,
    words: { verb: 'Change', working: 'Changing your sites…', again: 'Edit by another file' },
  };
};

const toCheck = ({ changed, unchanged, review, rejected, ...result }: EditFileResult) => ({
  ...result,
  ...{ changed, ready: changed, duplicates: unchanged, skipped: rejected },
  figures: [
    ['To change', changed],
    ['Unchanged', unchanged],
    ['Need review', review],
    ['Skipped', rejected],
  ] satisfies [string, number][],
  note:
    review > 0
      ? `${countOf(review, 'site')} will return to review: buyers cannot order an edited site until we approve it again.`
      : undefined,
});

/** Renders the dialog that changes the seller's sites by an edited export. */
export function EditByFile({ exportHref }: { exportHref: string }) {
  return (
    <UploadCsv
      title="Edit by file"
      description="Edit the export in a spreadsheet, and preview each change before it is saved."
      path="/api/seller/sites/import"
      callEndpoint={callEndpoint}
      help={
        <p className="text-muted text-sm">
          Sites are found by the column ID. Rows and columns that you remove stay as they are.{' '}
          <a href={exportHref} download className="rounded-sm text-accent-ink underline">
            Download all your sites
          </a>
        </p>
      }
      onRefused={redirectIfSignedOut}
      newNiches="Buyers can filter by new niches after our review."
      success="Your sites were changed."
      failure={(_, message) => message || 'The file couldn’t be read. Please try again.'}
    />
  );
}
