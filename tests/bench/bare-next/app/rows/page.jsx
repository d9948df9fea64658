import { connection } from 'next/server';
import { runStatements } from '../statements.mjs';

/** The rows of a query in a plain table; by default those of the first page of the catalogue. */
export default async function Page({ searchParams }) {
  await connection();
  const { name = 'page' } = await searchParams;
  const { rows } = await runStatements(name);
  return (
    <table>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {Object.entries(row).map(([name, value]) => (
              <td key={name}>{value === null ? '' : String(value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
