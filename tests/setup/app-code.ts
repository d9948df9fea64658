import { Secret, TOTP } from 'otpauth';

/** The code of the authenticator app with this secret, `steps` half minutes from now. */
export function appCode(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}
