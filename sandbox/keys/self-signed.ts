import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { der } from './der';

const sha256WithRsa = der.sequence(der.objectId('1.2.840.113549.1.1.11'), der.null());
const commonName = '2.5.4.3';
const organisation = '2.5.4.10';
const lifeYears = 5;

/**
 * Creates a self-signed X.509 certificate; Node.js can read certificates but not create them.
 * @param serial up to 20 bytes, the first below 0x80
 * @returns PEM
 */
export function selfSignedCertificate(privateKey: KeyObject, serial: Buffer, name: string): string {
  const from = new Date();
  const until = new Date(from);
  until.setUTCFullYear(from.getUTCFullYear() + lifeYears);
  const subject = der.sequence(attribute(organisation, 'LinkMarket sandbox'), attribute(commonName, name));
  const content = der.sequence(
    // Version 3.
    der.tagged(0, der.integer(Buffer.from([2]))),
    der.integer(serial),
    sha256WithRsa,
    subject,
    der.sequence(der.time(from), der.time(until)),
    subject,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  );
  const certificate = der.sequence(content, sha256WithRsa, der.bits(sign('sha256', content, privateKey)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function attribute(type: string, value: string): Buffer {
  return der.set(der.sequence(der.objectId(type), der.text(value)));
}
