import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import {
  type ProofStatement,
  parseStatement,
  proofFaults,
  type Verification,
  verifyProof,
} from '@/lib/links/passport/verify-proof';
import { runCommand } from './process/lifetime';

/**
 * `npm run passport:verify -- <file> [--keys=<file or URL>]`: verifies a link passport, the JSON of
 * `GET /api/proofs/{id}`, without a database or a running app. The keys are read from the issuer that the passport
 * names, or from `--keys`: with a file, nothing is requested from other servers. Exits with 1 unless the passport is
 * valid.
 */
runCommand(async (lifetime) => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { keys: { type: 'string' } } });
  const [file, ...more] = positionals;
  if (!file || more.length > 0) throw new Error('Usage: npm run passport:verify -- <file> [--keys=<file or URL>]');
  const proof = parseJson(await readText(file), passport, `${file} is not the JSON of a link passport.`);
  const statement = parseStatement(proof.statement);
  const source = values.keys ?? (statement && keysUrlOf(statement));
  const keys = source ? await readKeys(source) : [];
  const result = await verifyProof(proof, keys);
  process.stdout.write(print(result, { statement, source, revokedAt: proof.revokedAt }));
  await lifetime.end(result.state === 'valid' ? 0 : 1);
});

const passport = z.object({
  statement: z.string(),
  signature: z.string(),
  keyId: z.string(),
  revokedAt: z.iso.datetime().nullable().default(null),
});
const keySet = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      kid: z.string(),
      exp: z.int().optional(),
    }),
  ),
});

function parseJson<T>(text: string, schema: z.ZodType<T>, message: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(message, { cause });
  }
}

const keysUrlOf = ({ issuer }: ProofStatement) => `${issuer.replace(/\/$/, '')}/.well-known/linkmarket-keys`;

async function readKeys(source: string) {
  const text = /^https?:\/\//i.test(source) ? await download(source) : await readText(source);
  return parseJson(text, keySet, `${printable(source)} contains no Ed25519 keys in the form of a JSON Web Key Set.`)
    .keys;
}

async function readText(file: string): Promise<string> {
  if (!existsSync(file)) throw new Error(`The file ${printable(file)} does not exist.`);
  return readFile(file, 'utf8');
}

const timeoutMs = 10_000;
const maxBytes = 1_000_000;

/** Requests keys. Unencrypted http is limited to this machine, because another server could replace the keys. */
async function download(url: string): Promise<string> {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    throw new Error(`The keys at ${printable(url)} cannot be trusted without https. Save them and use --keys=<file>.`);
  }
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) }).catch(
    (cause: unknown) => {
      throw new Error(`The keys could not be read from ${printable(url)}.`, { cause });
    },
  );
  if (!response.ok || !response.body) throw new Error(`${printable(url)} answered ${response.status} without keys.`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`${printable(url)} answered with more than ${maxBytes} bytes.`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Escapes characters that control the terminal or the direction of text. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

type Context = { statement: ProofStatement | null; source: string | null; revokedAt: string | null };

function print(result: Verification, { statement, source, revokedAt }: Context): string {
  const lines = [...(statement ? listFacts(statement) : []), `Keys          ${source ?? 'none read'}`];
  return `${[...lines.map(printable), '', ...describeResult(result, statement, revokedAt)].join('\n')}\n`;
}

function listFacts(statement: ProofStatement): string[] {
  const { audit, indexable } = statement;
  return [
    `Passport      ${statement.id}`,
    `Issuer        ${statement.issuer}`,
    `Link          ${statement.verdict === 'ok' ? 'in place' : 'in place, with differences from what was ordered'}`,
    `Page          ${statement.page}`,
    ...(statement.finalUrl !== statement.page ? [`Redirected to ${statement.finalUrl}`] : []),
    `Leads to      ${statement.target}`,
    `Anchor text   ${statement.anchor}`,
    `Rel           ${statement.rel || 'none'}`,
    `Indexing      ${indexable === null ? 'unknown' : indexable ? 'allowed' : 'not allowed'}`,
    `Checked       ${statement.checkedAt}`,
    `Visible text  ${statement.textHash ? `SHA-256 ${statement.textHash}` : 'unknown'}`,
    `Audit log     ${audit ? `seal ${audit.position}:${audit.hash}` : 'no seal yet'}`,
  ];
}

function describeResult(result: Verification, statement: ProofStatement | null, revokedAt: string | null): string[] {
  switch (result.state) {
    case 'valid':
      return [
        'The passport is valid: the owner of the key signed exactly these facts.',
        `It may have been revoked after the file was saved: see ${printable(`${statement?.issuer}/proof/${statement?.id}`)}.`,
      ];
    case 'revoked':
      return [`The signature is valid, but the passport was revoked at ${revokedAt}. Do not rely on it.`];
    case 'unsupported':
      return ['This version of Node.js cannot verify Ed25519 signatures. Use Node.js 20.19 or newer.'];
    case 'invalid':
      return [`The passport is not valid. ${proofFaults[result.fault]}`];
  }
}
