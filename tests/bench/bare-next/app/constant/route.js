const texts = new Map();

/** Responds with a constant of ?bytes= in length, as a baseline. */
export function GET(request) {
  const bytes = Number(request.nextUrl.searchParams.get('bytes'));
  if (!texts.has(bytes)) texts.set(bytes, JSON.stringify('x'.repeat(bytes - 2)));
  return new Response(texts.get(bytes), { headers: { 'content-type': 'application/json' } });
}
