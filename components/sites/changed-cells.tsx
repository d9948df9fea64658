import { FirstRows } from './first-rows';

/** A site that a file changes. */
export type ChangedSite = {
  row: number;
  id: number;
  name: string;
  cells: { field: string; label: string; before: string; after: string }[];
};

/** Renders the cells that a file changes, each with its value before and after. */
export const ChangedCells = ({ changes, total }: { changes: readonly ChangedSite[]; total: number }) => (
  <FirstRows label="Changed cells" rows={changes} total={total} noun="changed sites">
    {(rows) => <SiteList changes={rows} />}
  </FirstRows>
);

function SiteList({ changes }: { changes: readonly ChangedSite[] }) {
  return (
    <ul className="divide-y divide-line rounded-md border border-line">
      {changes.map(({ row, id, name, cells }) => (
        <li key={id} className="flex flex-wrap gap-x-3 gap-y-1 px-3 py-2">
          <span className="w-20 shrink-0 text-muted tabular-nums">Row {row.toLocaleString('en-US')}</span>
          <div className="min-w-0 flex-1 basis-56">
            <p className="wrap-anywhere font-medium text-ink">{name}</p>
            <dl className="mt-1 grid gap-1">
              {cells.map(({ field, label, before, after }) => (
                <div key={field} className="wrap-anywhere flex flex-wrap gap-x-2">
                  <dt className="text-muted">{label}</dt>
                  <dd className="min-w-0">
                    <Value name="Before" text={before} className="text-muted line-through" />
                    <span aria-hidden="true"> → </span>
                    <Value name="After" text={after} className="text-ink" />
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The maximum length of a value, so that rules of 2,000 characters do not hide the other cells. */
const longest = 200;

/** Renders a value; an empty one as a word, because an empty text that is struck through is invisible. */
function Value({ name, text, className }: { name: string; text: string; className: string }) {
  if (text === '') return <em className="text-muted">empty</em>;
  return (
    <span className={`whitespace-pre-wrap ${className}`}>
      <span className="sr-only">{name}: </span>
      {text.length > longest ? `${text.slice(0, longest)}…` : text}
    </span>
  );
}
