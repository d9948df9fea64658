import { z } from 'zod';
import type { siteWordpress } from '@/db/schema/wordpress';
import { env } from '@/lib/env';
import { AppError, type ErrorCode } from '@/lib/errors';
import { describeReason } from '@/lib/links/describe-reason';
import { callAddress } from '@/lib/links/fetch-page';
import type { FetchFailure } from '@/lib/links/page-fetch';
import { openSecret, type SecretSlot, UnreadableSecret } from '@/lib/platform/secrets';

type Connection = typeof siteWordpress.$inferSelect;

/** A WordPress user and where to reach the interface. `host` is the only one that the password is sent to. */
export type WordPressAccess = Pick<Connection, 'host' | 'apiRoot' | 'username'> & { password: string };

export type WordPressCall = {
  method?: 'GET' | 'POST' | 'DELETE';
  query?: Readonly<Record<string, string>>;
  json?: object;
  file?: { content: Buffer; name: string; mediaType: string };
};

/** Returns the slot of the application password of a site. */
export const wordpressSlot = (siteId: number): SecretSlot => ({
  provider: 'wordpress',
  mode: String(siteId),
  field: 'password',
});

/** Returns the access of a connection. @throws AppError conflict without a password that can be decrypted */
export function openAccess({ siteId, host, apiRoot, username, sealedPassword }: Connection): WordPressAccess {
  if (sealedPassword === null) throw revokedError();
  try {
    return { host, apiRoot, username, password: openSecret(wordpressSlot(siteId), sealedPassword) };
  } catch (thrown) {
    if (!(thrown instanceof UnreadableSecret)) throw thrown;
    throw new AppError(
      'conflict',
      'The stored password of WordPress cannot be read. Connect the site again in My Sites.',
    );
  }
}

export const revokedError = () =>
  new AppError('conflict', 'WordPress no longer accepts the password. Connect the site again in My Sites.');

/**
 * `revoked`: WordPress says that the password is not valid. `forbidden`: the user lacks a right. `missing`: WordPress says
 * that the record does not exist. `too_large`: a body is larger than the server accepts. `refused`: another error of the
 * request. `unavailable`: no answer, or none that WordPress gives.
 */
export type WordPressFailure = 'revoked' | 'forbidden' | 'missing' | 'too_large' | 'refused' | 'unavailable';

/** A call that failed. The message is for the seller and contains no credentials. */
export class WordPressError extends AppError {
  constructor(
    readonly failure: WordPressFailure,
    message: string,
  ) {
    super(codes[failure], message);
  }
}

const codes: Record<WordPressFailure, ErrorCode> = {
  revoked: 'conflict',
  forbidden: 'unprocessable',
  missing: 'unprocessable',
  too_large: 'too_large',
  refused: 'unprocessable',
  unavailable: 'provider_failed',
};

const timeoutMs = 20_000;
/** A post with its content; longer answers fail. */
const maxAnswerBytes = 4 * 1024 * 1024;

/** Builds the address of a route; `?rest_route=` stands for sites without permalinks. */
function buildApiUrl(apiRoot: string, route: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(apiRoot);
  if (url.searchParams.has('rest_route')) url.searchParams.set('rest_route', `/${route}`);
  else url.pathname = url.pathname.replace(/\/*$/, `/${route}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Calls the REST API of a connected site. Redirects are not followed, and no other host than the connection's receives the
 * password.
 * @throws WordPressError
 */
export async function callWordPress<Answer extends z.ZodType>(
  access: WordPressAccess,
  route: string,
  schema: Answer,
  { method = 'GET', query, json, file }: WordPressCall = {},
): Promise<z.output<Answer>> {
  const url = buildApiUrl(access.apiRoot, route, query);
  if (new URL(url).hostname !== access.host) throw new Error(`The API is not on ${access.host}.`);
  const body = file ? file.content : json && JSON.stringify(json);
  const response = await callAddress(
    url,
    {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${access.username}:${access.password}`).toString('base64')}`,
        'user-agent': `LinkMarket/1.0 (+${new URL(env().APP_URL).origin})`,
        accept: 'application/json',
        ...(json && { 'content-type': 'application/json' }),
        ...(file && {
          'content-type': file.mediaType,
          'content-disposition': `attachment; filename="${file.name}"`,
        }),
      },
      ...(body !== undefined && { body }),
    },
    { timeoutMs, maxBytes: maxAnswerBytes },
  );
  if (!response.ok) throw new WordPressError('unavailable', describeFailure(access.host, response.failure));
  const { status } = response;
  const received = parseJson(response.body.toString('utf8'));
  if (status < 200 || status > 299)
    throw describeStatus(access.host, status, errorAnswer.safeParse(received).data?.code);
  const answer = schema.safeParse(received);
  if (answer.success) return answer.data;
  throw new WordPressError(
    'unavailable',
    `${access.host} did not answer as WordPress does. Is a security plugin in the way?`,
  );
}

const describeFailure = (host: string, failure: FetchFailure) =>
  `${host} could not be reached. ${describeReason(failure)} Try again in a few minutes.`;

/** An error of WordPress. Its message is not repeated: a server could write the password into it. */
const errorAnswer = z.object({
  code: z
    .string()
    .regex(/^[a-z]+(_[a-z0-9]+)+$/)
    .max(60),
});

/** Another 401 does not come from the password: the server removes the header, or a plugin answers first. */
const revokedCodes = ['incorrect_password', 'invalid_username', 'invalid_email'];
const missingCodes = ['rest_post_invalid_id', 'rest_application_password_not_found'];

function describeStatus(host: string, status: number, code = ''): WordPressError {
  const shown = code === '' ? `${status}` : `${status}, ${code}`;
  if (revokedCodes.includes(code)) return new WordPressError('revoked', revokedError().message);
  if (status === 401) {
    return new WordPressError(
      'refused',
      `${host} did not pass the sign-in on to WordPress (${shown}). Ask your host to pass on the Authorization header, and check that no plugin closes the REST API or turns off application passwords.`,
    );
  }
  if (status === 403) {
    return new WordPressError(
      'forbidden',
      `WordPress on ${host} does not allow this to the connected user (${shown}). Check the user’s role, and that no security plugin blocks the REST API.`,
    );
  }
  if (missingCodes.includes(code))
    return new WordPressError('missing', `WordPress on ${host} does not have this post any more (${status}).`);
  if (status === 413 || code === 'rest_upload_file_too_big') {
    return new WordPressError(
      'too_large',
      `${host} accepts no file of this size (${status}). Choose a smaller image, or raise the upload limit of the server.`,
    );
  }
  if (status >= 300 && status <= 399) {
    return new WordPressError(
      'unavailable',
      `${host} redirects the REST API to another address (${status}). Connect the site again.`,
    );
  }
  if (code === 'rest_upload_sideload_error')
    return new WordPressError(
      'refused',
      `WordPress on ${host} does not accept this image (${shown}). Choose a JPEG or PNG.`,
    );
  if (status >= 500) {
    return new WordPressError('unavailable', `${host} answered with an error (${shown}). Try again in a few minutes.`);
  }
  if (status === 404)
    return new WordPressError(
      'unavailable',
      `The REST API of ${host} was not found (${shown}). Connect the site again.`,
    );
  return new WordPressError('refused', `WordPress on ${host} refused the request (${shown}).`);
}

/** Parses JSON. @returns undefined for another text */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
