import { connection } from 'next/server';
import { runStatements } from '../statements.mjs';

/** The rows of the first page of the catalogue in a plain table. */
export default async function Page() {
  await connection();
  const { rows } = await runStatements('page');
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
