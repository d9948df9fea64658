import type { ReactNode } from 'react';
import { Alert } from '@/components/ui/alert';
import { FirstRows } from './first-rows';

type NewNichesProps = { names?: readonly string[] | undefined; children: ReactNode };

/** Renders the niches of a file that are not in the list, with what happens to them. Nothing if there are none. */
export function NewNiches({ names = [], children }: NewNichesProps) {
  if (names.length === 0) return null;
  return (
    <Alert title={names.length === 1 ? 'New niche' : 'New niches'}>
      {names.join(', ')}. {children}
    </Alert>
  );
}

type Problem = { row: number; column: string; reason: string };

type ImportProblemsProps = {
  /** The first errors. */
  errors: readonly Problem[];
  /** The total number of errors. */
  total: number;
};

/** Renders rows that cannot be imported, with row, column and reason. */
export const ImportProblems = ({ errors, total }: ImportProblemsProps) => (
  <FirstRows label="Skipped rows" rows={errors} total={total} noun="skipped rows">
    {(rows) => <ProblemList errors={rows} />}
  </FirstRows>
);

function ProblemList({ errors }: { errors: readonly Problem[] }) {
  return (
    <ul className="divide-y divide-line rounded-md border border-line">
      {errors.map(({ row, column, reason }) => (
        <li key={row} className="flex gap-3 px-3 py-2">
          <span className="w-20 shrink-0 text-muted tabular-nums">Row {row.toLocaleString('en-US')}</span>
          <span className="wrap-anywhere min-w-0">
            {column ? <span className="font-medium text-ink">{column}: </span> : null}
            <span className="text-muted">{reason}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The response of the two upload endpoints. */
export type UploadResult = {
  inserted?: number;
  duplicates?: number;
  skipped?: number;
  /** The first skipped rows, with the reasons. */
  errors?: Problem[];
  /** Columns that were ignored. */
  unknownHeaders?: string[];
  /** Niches that wait for review. */
  newNiches?: string[];
  /** What to show instead of the numbers. */
  summary?: string;
};

const number = (value: number | undefined, missing: string) => value?.toLocaleString('en-US') ?? missing;

type UploadSummaryProps = { title: string; result: UploadResult; newNiches: ReactNode };

/** Renders the result of an upload. A number missing in the response is shown as '?' or '0'. */
export function UploadSummary({ title, result, newNiches }: UploadSummaryProps) {
  const { errors = [], unknownHeaders = [] } = result;
  return (
    <>
      <Alert tone="success" title={title}>
        {result.summary ??
          `Inserted: ${number(result.inserted, '?')}, Duplicates: ${number(result.duplicates, '0')}, Skipped: ${number(result.skipped, '0')}`}
      </Alert>
      {unknownHeaders.length > 0 ? (
        <p className="wrap-anywhere text-muted text-sm">Unused columns: {unknownHeaders.join(', ')}</p>
      ) : null}
      <NewNiches names={result.newNiches}>{newNiches}</NewNiches>
      {errors.length > 0 ? <ImportProblems errors={errors} total={result.skipped ?? errors.length} /> : null}
    </>
  );
}
