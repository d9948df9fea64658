import { runStatements } from '../../statements.mjs';

/** Runs LinkMarket's SQL of a query and returns the rows, without sign-in, checks or views. */
export async function GET(_request, { params }) {
  const { rows, total } = await runStatements((await params).name);
  return Response.json(rows, { headers: total === undefined ? {} : { 'x-total-count': String(total) } });
}
