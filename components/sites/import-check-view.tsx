import { Alert } from '../ui/alert';
import { fieldOf } from './choose-column';
import { ColumnMapping } from './column-mapping';
import { ImportProblems } from './import-problems';
import type { Choices, ImportCheck } from './import-types';

type ImportCheckViewProps = {
  check: ImportCheck;
  choices: Choices;
  onChoose: (index: number, field: string) => void;
};

/** What would come of a file: how many rows, what its columns are, and what is wrong with which rows. */
export function ImportCheckView({ check, choices, onChoose }: ImportCheckViewProps) {
  const hasUrl = check.columns.some((column) => fieldOf(column, choices) === 'url');
  return (
    <>
      {hasUrl ? (
        <dl className="grid grid-cols-3 divide-x divide-line rounded-lg border border-line">
          <Figure name="To import" value={check.ready} />
          <Figure name="Duplicates" value={check.duplicates} />
          <Figure name="Skipped" value={check.skipped} />
        </dl>
      ) : (
        <Alert tone="warning" title="Which column is the URL?">
          No header of this file names it. Choose “URL” for the column with the addresses of the sites.
        </Alert>
      )}
      <ColumnMapping check={check} choices={choices} onChoose={onChoose} />
      {check.errors.length > 0 ? <ImportProblems errors={check.errors} total={check.skipped} /> : null}
    </>
  );
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div className="min-w-0 px-4 py-3">
      <dt className="truncate text-muted text-xs">{name}</dt>
      <dd className="mt-0.5 text-ink text-xl tabular-nums">{value.toLocaleString('en-US')}</dd>
    </div>
  );
}
