import { z } from 'zod';
import { signInBody } from './schemas';

const portal = z.enum(['user', 'admin', 'seller']);

const base64url = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[\w-]+$/, 'This is not base64url.');

const credential = {
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional().catch(undefined),
  /** Extension results are not used. */
  clientExtensionResults: z.unknown().transform(() => ({})),
};

/** RegistrationResponseJSON of WebAuthn, without fields that the server derives. */
const passkeyRegistration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(20_000),
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
});
export type PasskeyRegistration = z.output<typeof passkeyRegistration>;

/** AuthenticationResponseJSON of WebAuthn. */
export const passkeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(4_000),
    userHandle: base64url(100).optional().catch(undefined),
  }),
});
export type PasskeyAssertion = z.output<typeof passkeyAssertion>;

export const addPasskeyInput = z.object({
  name: z
    .string({ error: 'Enter a name.' })
    .trim()
    .min(1, 'Enter a name.')
    .max(60, 'The name must be at most 60 characters.'),
  response: passkeyRegistration,
});

export const removePasskeyInput = z.object({
  passkeyId: z.string().min(1).max(40),
  password: z.string({ error: 'Enter your password.' }).min(1, 'Enter your password.').max(256),
});

export const passkeySignInInput = z.object({
  portal,
  remember: z.boolean().default(false),
  response: passkeyAssertion,
});
export const beginSecondFactorInput = signInBody.pick({ email: true, password: true }).extend({ portal });
export const secondFactorInput = beginSecondFactorInput.extend({
  remember: z.boolean().default(false),
  response: passkeyAssertion,
});
