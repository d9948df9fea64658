import { readLinks } from '@/lib/packages/links';

/** How many lines of a long list are shown. */
const shownRows = 20;

/** The stored links as they are understood: CSV and JSON read alike. */
export function LinksPreview({ links }: { links: string }) {
  const table = readLinks(links);
  if (typeof table === 'string' || table.rows.length === 0) return null;
  const { header, rows } = table;
  return (
    <section aria-labelledby="links-preview" className="grid gap-2">
      <h3 id="links-preview" className="font-medium text-ink text-sm">
        The saved links, as they are read
      </h3>
      <div className="overflow-x-auto rounded-md border border-line">
        <table className="w-full text-left text-sm">
          {header ? (
            <thead className="bg-sunken text-muted text-xs">
              <tr>
                {[...header.entries()].map(([at, name]) => (
                  <th key={at} scope="col" className="px-3 py-1.5 font-medium">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
          ) : null}
          <tbody className="divide-y divide-line">
            {[...rows.slice(0, shownRows).entries()].map(([line, row]) => (
              <tr key={line}>
                {[...row.entries()].map(([at, cell]) => (
                  <td key={at} className="wrap-anywhere px-3 py-1.5 text-ink">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shownRows ? <p className="text-muted text-xs">and {rows.length - shownRows} more</p> : null}
    </section>
  );
}
