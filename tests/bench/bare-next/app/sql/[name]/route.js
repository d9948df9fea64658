import { runStatements } from '../../statements.mjs';

/** Runs LinkMarket's own SQL of a query and sends the rows: no sign-in, no checks, no view. */
export async function GET(_request, { params }) {
  const { rows, total } = await runStatements((await params).name);
  return Response.json(rows, { headers: total === undefined ? {} : { 'x-total-count': String(total) } });
}
