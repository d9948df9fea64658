import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { deliveryStateSchema } from './deliveries/records';
import { mailSchema } from './inbox/records';
import { keysSchema } from './keys/records';
import { paypalStateSchema } from './paypal/records';
import { publisherStateSchema } from './publisher/records';
import { stripeStateSchema } from './stripe/records';
import { wechatStateSchema } from './wechat/records';
import { wordpressStateSchema } from './wordpress/records';

const stateSchema = z.object({
  stripe: stripeStateSchema,
  paypal: paypalStateSchema.prefault({ orders: [], answers: [] }),
  wechat: wechatStateSchema.prefault({ trades: [] }),
  keys: keysSchema.nullable().default(null),
  deliveries: deliveryStateSchema,
  mails: z.array(mailSchema),
  publisher: publisherStateSchema.prefault({ pages: {}, names: {} }),
  wordpress: wordpressStateSchema.default({}),
});

type State = z.infer<typeof stateSchema>;

export type StateStore = {
  state: State;
  /** Resolves once all changes before the call are on disk; concurrent calls share one write. */
  save(): Promise<void>;
  /** Saves within a second, for frequent changes: each write contains the whole state. */
  saveSoon(): void;
};

const soonMs = 1_000;

function emptyState(): State {
  return {
    stripe: { sessions: [], intents: [], answers: [], account: { own: [], times: {} } },
    paypal: { orders: [], payoutBatches: [], answers: [], account: { own: [], times: {} } },
    wechat: { trades: [], account: { own: [], times: {} } },
    keys: null,
    deliveries: { events: [], deliveries: [] },
    mails: [],
    publisher: { pages: {}, names: {}, txt: {} },
    wordpress: {},
  };
}

/**
 * Opens the gateway's state, stored in one JSON file, so that a restarted demo keeps its sessions.
 * @param file undefined for memory only
 */
export async function openState(file: string | undefined): Promise<StateStore> {
  const state = file ? await readState(file) : emptyState();
  if (!file) return { state, save: async () => undefined, saveSoon: () => undefined };
  await mkdir(dirname(file), { recursive: true });

  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let soon: NodeJS.Timeout | undefined;
  const write = async () => {
    clearTimeout(soon);
    soon = undefined;
    const temporary = `${file}.${process.pid}.tmp`;
    await writeFile(temporary, JSON.stringify(state), { mode: 0o600 });
    await rename(temporary, file);
  };
  const start = (): Promise<void> => {
    next = undefined;
    running = write().finally(() => {
      running = undefined;
    });
    return running;
  };
  const save = (): Promise<void> => {
    if (!running) return start();
    // The current write may have started before this change: one more write follows, shared by all callers.
    next ??= running.then(start, start);
    return next;
  };
  const saveSoon = () => {
    soon ??= setTimeout(() => void save(), soonMs);
  };
  return { state, save, saveSoon };
}

/**
 * Reads the state. An invalid file (another version, edited manually) is moved aside and does not prevent the start.
 */
async function readState(file: string): Promise<State> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return emptyState();
    throw error;
  }
  const parsed = stateSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const aside = `${file}.unreadable`;
  await rename(file, aside);
  process.stderr.write(`Sandbox gateway: ${file} could not be read and was moved to ${aside}\n`);
  return emptyState();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
