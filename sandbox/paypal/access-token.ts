import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type HttpResponse, json } from '@/sandbox/http/reply';
import { type GatewayRequest, readFields } from '@/sandbox/http/request';
import { OAuthError } from './errors';
import type { PayPalAccount, PayPalGateway } from './gateway';

const tokenTtlSeconds = 32_400;
const grant = z.object({ grant_type: z.literal('client_credentials') });

/**
 * Answers `POST /v1/oauth2/token` with a token for the account's client id and secret. Tokens are signed rather than
 * stored, so that they survive a restart.
 * @throws OAuthError
 */
export function grantToken({ account }: PayPalGateway, request: GatewayRequest): HttpResponse {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const input = Buffer.from(basic, 'base64').toString('utf8');
  if (!account || input !== `${account.clientId}:${account.clientSecret}`) {
    throw new OAuthError('invalid_client', 'Client Authentication failed');
  }
  if (!grant.safeParse(readFields(request)).success) {
    throw new OAuthError('unsupported_grant_type', 'The sandbox supports client_credentials only');
  }
  const expires = Math.floor(Date.now() / 1_000) + tokenTtlSeconds;
  return json(200, {
    scope: 'https://uri.paypal.com/services/payments/payment',
    access_token: `A21AA${expires}.${signToken(account, String(expires))}`,
    token_type: 'Bearer',
    app_id: 'APP-SANDBOX00LINKMARKET',
    expires_in: tokenTtlSeconds,
    nonce: new Date().toISOString(),
  });
}

/** Requires a valid token of this account. @throws OAuthError */
export function requireToken({ account }: PayPalGateway, request: GatewayRequest): void {
  const [, expires, signature] = /^Bearer A21AA(\d+)\.(\w+)$/.exec(request.headers.authorization ?? '') ?? [];
  const isGood =
    account !== null &&
    expires !== undefined &&
    signature !== undefined &&
    Number(expires) > Date.now() / 1_000 &&
    isSame(signature, signToken(account, expires));
  if (!isGood) throw new OAuthError('invalid_token', 'Token signature verification failed');
}

function signToken(account: PayPalAccount, expires: string): string {
  return createHmac('sha256', account.clientSecret).update(`${account.clientId}:${expires}`).digest('hex');
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
