import type { ReactNode } from 'react';
import { Alert } from '@/components/ui/alert';
import { Select } from '@/components/ui/controls';
import { ChangedCells, type ChangedSite } from './changed-cells';
import { ImportProblems, NewNiches } from './import-report';

/** The response of an upload endpoint for ?mode=check. */
export type ImportCheck = {
  rows: number;
  ready: number;
  duplicates: number;
  skipped: number;
  errors: { row: number; column: string; reason: string }[];
  unknownHeaders: string[];
  newNiches?: string[];
  columns: { index: number; header: string; sample: string; field: string | null }[];
  fields: { field: string; label: string }[];
  /** The numbers to show instead of those of a site import. */
  figures?: [name: string, value: number][];
  /** The recognized format of a file without a key field. */
  format?: string;
  /** The imported things, if they are not sites: "12 domains". */
  subject?: string;
  /** A line below the numbers. */
  note?: string | undefined;
  /** The first sites that a file changes, with the cells before and after. */
  changes?: ChangedSite[];
  /** How many it changes. */
  changed?: number;
};

/** The field without which a file cannot be imported. */
export type KeyField = {
  field: string;
  /** Another field that is enough. */
  or?: string;
  label: string;
  question: string;
  hint: string;
};

export const urlField: KeyField = {
  field: 'url',
  label: 'URL',
  question: 'Which column contains the URL?',
  hint: 'with the site addresses',
};

/** The fields that the user assigned to columns, by column index: the name of a field, or 'none'. */
export type Choices = Readonly<Record<number, string>>;

/** Returns the field of a column: the user's choice, or the one detected. */
export function fieldOf(column: ImportCheck['columns'][number], choices: Choices): string {
  return choices[column.index] ?? column.field ?? 'none';
}

/** Assigns a field to a column. A field belongs to one column, so its previous column is ignored from then on. */
export function assignColumn(check: ImportCheck, choices: Choices, index: number, field: string): Choices {
  const before = check.columns.find(
    (column) => field !== 'none' && column.index !== index && fieldOf(column, choices) === field,
  );
  return { ...choices, ...(before && { [before.index]: 'none' }), [index]: field };
}

/** Returns the `columns` parameter of the upload endpoints: `3:dr,7:none`. */
export function columnsParam(choices: Choices): string {
  return Object.entries(choices)
    .map(([index, field]) => `${index}:${field}`)
    .join(',');
}

type ImportCheckViewProps = {
  check: ImportCheck;
  choices: Choices;
  onChoose: (index: number, field: string) => void;
};

/** Renders the preview of an import: the number of rows, the detected columns, and the errors of rows. */
export function ImportCheckView({
  newNiches,
  keyField,
  ...props
}: ImportCheckViewProps & { newNiches: ReactNode; keyField: KeyField | undefined }) {
  const { check, choices, onChoose } = props;
  const hasKey = check.columns.some((column) => [keyField?.field, keyField?.or].includes(fieldOf(column, choices)));
  const figures = check.figures ?? [
    ['To import', check.ready],
    ['Duplicates', check.duplicates],
    ['Skipped', check.skipped],
  ];
  return (
    <>
      {keyField && !hasKey ? (
        <Alert tone="warning" title={keyField.question}>
          No header in this file matches. Choose “{keyField.label}” for the column {keyField.hint}.
        </Alert>
      ) : (
        <dl className="flex flex-wrap gap-px overflow-clip rounded-lg border border-line bg-line">
          {figures.map(([name, value]) => (
            <Figure key={name} name={name} value={value} />
          ))}
        </dl>
      )}
      {check.note ? <p className="text-muted text-sm">{check.note}</p> : null}
      {keyField ? <ColumnMapping check={check} choices={choices} onChoose={onChoose} /> : null}
      <NewNiches names={check.newNiches}>{newNiches}</NewNiches>
      {check.errors.length > 0 ? <ImportProblems errors={check.errors} total={check.skipped} /> : null}
      {check.changes && check.changes.length > 0 ? (
        <ChangedCells changes={check.changes} total={check.changed ?? check.changes.length} />
      ) : null}
    </>
  );
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div className="min-w-0 flex-1 basis-24 bg-surface px-4 py-3 max-sm:px-3">
      <dt className="truncate text-muted text-xs">{name}</dt>
      <dd className="mt-0.5 text-ink text-xl">{value.toLocaleString('en-US')}</dd>
    </div>
  );
}

/** Maps the columns of the file to fields; unrecognised columns come first. */
function ColumnMapping({ check, choices, onChoose }: ImportCheckViewProps) {
  const unknown = check.columns.filter(({ field }) => field === null);
  const known = check.columns.filter(({ field }) => field !== null);
  const list = (columns: ImportCheck['columns']) => (
    <ul className="divide-y divide-line rounded-md border border-line">
      {columns.map((column) => (
        <Column
          key={column.index}
          column={column}
          field={fieldOf(column, choices)}
          fields={check.fields}
          onChoose={onChoose}
        />
      ))}
    </ul>
  );
  return (
    <section aria-label="Columns" className="grid min-w-0 gap-3 text-sm">
      {unknown.length > 0 ? (
        <div>
          <h3 className="text-ink">Unrecognized columns</h3>
          <p className="mt-0.5 mb-2 text-muted text-xs">Match them to a field, or leave them out.</p>
          {list(unknown)}
        </div>
      ) : null}
      {known.length > 0 ? (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm py-0.5 text-accent-ink">
            {known.length === 1 ? '1 recognized column' : `${known.length} recognized columns`}
          </summary>
          <div className="mt-2">{list(known)}</div>
        </details>
      ) : null}
    </section>
  );
}

type ColumnProps = Pick<ImportCheck, 'fields'> &
  Pick<ImportCheckViewProps, 'onChoose'> & { column: ImportCheck['columns'][number]; field: string };

function Column({ column, field, fields, onChoose }: ColumnProps) {
  const header = column.header || `Column ${column.index + 1}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-3 py-2">
      <span className="min-w-0 flex-1 basis-40">
        <span className="block truncate text-ink">{header}</span>
        <span className="block truncate text-subtle text-xs">
          {column.sample ? `e.g. ${column.sample}` : 'empty in the first rows'}
        </span>
      </span>
      <Select
        size="sm"
        aria-label={`Field for ${header}`}
        className="w-44 max-sm:w-full"
        value={field}
        onChange={(event) => onChoose(column.index, event.target.value)}
      >
        <option value="none">Not used</option>
        {fields.map((known) => (
          <option key={known.field} value={known.field}>
            {known.label}
          </option>
        ))}
      </Select>
    </li>
  );
}
