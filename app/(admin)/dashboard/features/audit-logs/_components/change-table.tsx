type ChangeTableProps = { before: Record<string, unknown> | null; after: Record<string, unknown> | null };

/** What a change changed, field by field; nothing for an entry that changed no fields. */
export function ChangeTable({ before, after }: ChangeTableProps) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) return null;
  return (
    <div className="overflow-x-auto rounded-lg border border-line">
      <table className="w-full table-fixed text-sm">
        <caption className="sr-only">What changed</caption>
        <thead className="bg-sunken text-left text-muted text-xs">
          <tr>
            <th scope="col" className="w-1/4 px-3 py-2">
              Field
            </th>
            <th scope="col" className="px-3 py-2">
              Before
            </th>
            <th scope="col" className="px-3 py-2">
              After
            </th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name} className="border-line border-t align-top">
              <th scope="row" className="break-words px-3 py-2 text-left font-normal text-muted">
                {fieldName(name)}
              </th>
              <td className="wrap-anywhere px-3 py-2">{valueText(before?.[name])}</td>
              <td className="wrap-anywhere px-3 py-2 text-ink">{valueText(after?.[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** "Link url" from "linkUrl". */
function fieldName(name: string): string {
  const words = name
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
