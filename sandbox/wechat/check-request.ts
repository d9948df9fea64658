import { verify } from 'node:crypto';
import type { GatewayRequest } from '@/sandbox/http/request';
import { WechatError } from './errors';
import type { WechatGateway } from './gateway';
import { publicKeyId } from './public-key-id';

const scheme = 'WECHATPAY2-SHA256-RSA2048';
const toleranceSeconds = 300;

/**
 * Requires a valid signature of the merchant.
 * @throws WechatError SIGN_ERROR with the reason; PARAM_ERROR for an unknown `Wechatpay-Serial`
 */
export function requireSignature({ merchant, merchantKey, key }: WechatGateway, request: GatewayRequest): void {
  const input = parse(request.headers.authorization ?? '');
  if (!merchant || !merchantKey) throw refusal('The sandbox has no merchant');
  if (!input) throw refusal(`Authorization is not of the form ${scheme} mchid="…",nonce_str="…",…`);
  const { mchid, nonce_str: nonce, timestamp, serial_no: serial, signature } = input;
  if (mchid !== merchant.mchid) throw refusal('mchid is not the merchant of the sandbox');
  if (serial !== merchant.merchantSerial) throw refusal('serial_no is not the certificate of the merchant');
  if (!timestamp || Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw refusal('timestamp is more than five minutes off');
  }
  const { pathname, search } = request.url;
  const text = `${request.method}\n${pathname}${search}\n${timestamp}\n${nonce}\n${request.body}\n`;
  const isGood = verify('sha256', Buffer.from(text), merchantKey, Buffer.from(signature ?? '', 'base64'));
  if (!isGood) throw refusal('The signature does not match the request');
  const requested = request.headers['wechatpay-serial'];
  if (requested !== undefined && requested !== key.serial && requested !== publicKeyId(key)) {
    throw new WechatError('PARAM_ERROR', 'Wechatpay-Serial is not a key of WeChat Pay');
  }
}

function parse(header: string): Record<string, string> | null {
  if (!header.startsWith(`${scheme} `)) return null;
  const parts = [...header.slice(scheme.length).matchAll(/([a-z_]+)="([^"]*)"/g)];
  return Object.fromEntries(parts.map(([, name = '', value = '']) => [name, value]));
}

function refusal(reason: string): WechatError {
  return new WechatError('SIGN_ERROR', reason);
}
