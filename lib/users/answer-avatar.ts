import { getAvatar } from './avatar-queries';

/**
 * Somebody's picture as an answer: an image and nothing else, whoever opens its address. A browser may keep it and asks
 * each time whether it changed.
 * @param known the request's If-None-Match
 * @throws AppError not_found
 */
export async function answerAvatar(userId: string, known: string | null): Promise<Response> {
  const { image, hash } = await getAvatar(userId);
  const headers = { ETag: `"${hash}"`, 'Cache-Control': 'private, no-cache' };
  if (known === `"${hash}"`) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(image), {
    headers: {
      ...headers,
      'Content-Type': 'image/webp',
      'Content-Length': String(image.length),
      'Content-Disposition': 'inline; filename="picture.webp"',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
