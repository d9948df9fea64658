import { z } from 'zod';
import type { VatCheck } from '@/db/schema/tax';
import { env } from '@/lib/env';
import { log } from '@/lib/platform/log/log';
import { vatPrefix, vatTerritory } from './countries';
import { readOperator } from './operator';
import { isInVies } from './vat-id';

/** How long a person waits for an answer, and how long a job: some member states take longer. */
const personMs = 10_000;
export const jobMs = 30_000;
/** An answer has less than 1 kB. */
const maxBytes = 20_000;

/** The errors about the number that was asked for: it can never be found, so it is not a valid one. */
const invalidInput = 'INVALID_INPUT';
/** The errors about the operator's own number. */
const invalidRequester = 'INVALID_REQUESTER_INFO';

const answerBody = z.object({
  valid: z.boolean(),
  requestIdentifier: z.string().nullish(),
  /** Names an error that the check met, beside `valid: false`. */
  userError: z.string().nullish(),
});
const errorBody = z.object({ errorWrappers: z.array(z.object({ error: z.string() })).min(1) });

/**
 * Asks VIES whether a VAT identification number of a member state is registered
 * (https://ec.europa.eu/assets/taxud/vow-information/swagger_publicVAT.yaml). Only an answer about the number counts: after
 * any error, such as MS_UNAVAILABLE, and without an answer in time the state is `unavailable`.
 * @param vatId with the prefix of its member state
 * @param requester the operator's own number with its prefix, for which VIES gives a consultation number; null for none
 * @param timeoutMs how long to wait for the answer, also where VIES is asked twice
 */
export async function askVies(vatId: string, requester: string | null, timeoutMs = personMs): Promise<VatCheck> {
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await send(vatId, requester, signal);
  // The number of the operator is wrong or has ended, which says nothing about the buyer's.
  if (answer === invalidRequester && requester !== null) {
    log().warn("VIES does not accept the operator's own VAT id, so that checks have no consultation number.");
    return toCheck(await send(vatId, null, signal), null);
  }
  return toCheck(answer, requester);
}

type Answer = z.output<typeof answerBody>;

function toCheck(answer: Answer | string, requester: string | null): VatCheck {
  const consultation = (typeof answer !== 'string' && answer.requestIdentifier?.trim()) || null;
  return {
    state: typeof answer === 'string' ? (answer === invalidInput ? 'invalid' : 'unavailable') : isValid(answer),
    checkedAt: new Date().toISOString(),
    ...{ consultation, requester: consultation && requester },
  };
}

const isValid = ({ valid }: Answer) => (valid ? 'valid' : 'invalid');

/** Sends a check. @returns the answer, or the code of an error */
async function send(vatId: string, requester: string | null, signal: AbortSignal): Promise<Answer | string> {
  const origin = env().VIES_BASE_URL ?? 'https://ec.europa.eu';
  try {
    const response = await fetch(`${origin}/taxation_customs/vies/rest-api/check-vat-number`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({
        countryCode: vatId.slice(0, 2),
        vatNumber: vatId.slice(2),
        ...(requester && { requesterMemberStateCode: requester.slice(0, 2), requesterNumber: requester.slice(2) }),
      }),
      redirect: 'error',
      signal,
    });
    const code = readAnswer(response.status, JSON.parse(await readText(response)));
    if (typeof code === 'string' && code !== invalidInput) log().warn({ code }, 'VIES could not check a VAT id.');
    return code;
  } catch (thrown) {
    log().warn({ err: thrown }, 'VIES did not answer.');
    return 'NO_ANSWER';
  }
}

function readAnswer(status: number, body: unknown): Answer | string {
  const refused = errorBody.safeParse(body).data?.errorWrappers[0]?.error;
  if (refused !== undefined) return refused.slice(0, 60);
  const parsed = answerBody.safeParse(body);
  if (status !== 200 || !parsed.success) return 'UNKNOWN_FORM';
  const { userError } = parsed.data;
  return userError && !['VALID', 'INVALID'].includes(userError) ? userError.slice(0, 60) : parsed.data;
}

/** @throws Error for a longer body */
async function readText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > maxBytes) throw new Error('The answer of VIES is too long.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/**
 * Reads the operator's own VAT id, which VIES answers with a consultation number: that of the country whose rules apply,
 * otherwise the first one of a member state. Null for none.
 */
export async function readRequester(): Promise<string | null> {
  const { operator, tax } = await readOperator();
  const known = operator.vatIds.filter(
    ({ country, number }) => isInVies(country) && number.startsWith(vatPrefix(country)),
  );
  return (known.find(({ country }) => vatTerritory(country) === vatTerritory(tax.country)) ?? known[0])?.number ?? null;
}
