import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PasskeyAssertion, PasskeyRegistration } from '@/lib/auth/contract';

type Told = { origin?: string; rpID?: string; isVerified?: boolean; counter?: number };

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

/** Encodes CBOR (RFC 8949), as far as an attestation requires it. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (!(value instanceof Map)) throw new Error('Not encoded here.');
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count]);
  return count < 256
    ? Buffer.from([(major << 5) | 24, count])
    : Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
}

/** A software authenticator with one ES256 key. It responds in the JSON format of the browser. */
export function makeSoftwarePasskey() {
  const id = randomBytes(24);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credential = {
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key' as const,
    clientExtensionResults: {},
  };
  let uses = 0;

  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = ({ rpID = 'localhost', isVerified = true, counter }: Told, isNew: boolean) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? uses);
    const flags = 1 | (isVerified ? 4 : 0) | (isNew ? 64 : 0);
    return Buffer.concat([sha256(rpID), Buffer.from([flags]), count]);
  };

  return {
    credentialId: credential.id,
    /** The result of navigator.credentials.create() */
    register(challenge: string, told: Told = {}): PasskeyRegistration {
      const key = new Map<unknown, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(key)]);
      const attestation = new Map<unknown, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', Buffer.concat([authenticatorData(told, true), attested])],
      ]);
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', challenge, told.origin ?? 'http://localhost:3000')),
          attestationObject: base64url(cbor(attestation)),
          transports: ['internal'],
        },
      };
    },
    /** The result of navigator.credentials.get() */
    answer(challenge: string, told: Told = {}): PasskeyAssertion {
      uses += 1;
      const client = clientData('webauthn.get', challenge, told.origin ?? 'http://localhost:3000');
      const data = authenticatorData(told, false);
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
        },
      };
    },
  };
}
