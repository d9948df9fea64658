import { z } from 'zod';

const mails = z.array(
  z.object({ id: z.string(), to: z.string(), subject: z.string(), html: z.string(), text: z.string() }),
);

export type ReceivedMail = z.infer<typeof mails>[number];

/** The mails to an address in the gateway's inbox, newest first. */
export async function mailsTo(email: string): Promise<ReceivedMail[]> {
  const gateway = process.env.TEST_GATEWAY_URL;
  if (!gateway) throw new Error('TEST_GATEWAY_URL is not set: run these tests with npm test');
  const response = await fetch(`${gateway}/emails?to=${encodeURIComponent(email)}`);
  return mails.parse(await response.json());
}

/**
 * The newest mail to an address, once there are `count` of them. Waits, because mails are sent after the response, and
 * behind those of other tests.
 * @throws Error when it does not arrive in time
 */
export async function newestMailTo(email: string, count = 1): Promise<ReceivedMail> {
  for (const deadline = Date.now() + 55_000; Date.now() < deadline; ) {
    const [newest, ...older] = await mailsTo(email);
    if (newest && older.length + 1 >= count) return newest;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${count} mails to ${email} did not come.`);
}

/**
 * Collects the mails to an address as they arrive. The inbox keeps the last 200 mails to all addresses, which a run of
 * tests sends in seconds.
 */
export function collectMailsTo(email: string) {
  const collected = new Map<string, ReceivedMail>();
  const collect = async () => {
    for (const mail of await mailsTo(email)) collected.set(mail.id, mail);
  };
  const timer = setInterval(() => void collect(), 200);
  return { collected, stop: () => clearInterval(timer) };
}

/** The link in a mail. @throws Error when there is none */
export function linkIn({ text }: ReceivedMail): URL {
  const [address] = /https?:\/\/\S+(?:token=|\/invitations\/)[\w-]+/.exec(text) ?? [];
  if (!address) throw new Error(`No link in: ${text}`);
  return new URL(address);
}

export const tokenIn = (mail: ReceivedMail): string => linkIn(mail).searchParams.get('token') ?? '';
