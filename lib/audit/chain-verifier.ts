import { z } from 'zod';
import { type AuditKey, getMacKeyId, parseLine, verifyLine } from '@/lib/platform/audit/keys';

import { ChainDigest, type Sealed, sealHash } from './chain';

export type ChainHead = { position: number; hash: string };

export type ChainFault = {
  kind: 'changed' | 'removed' | 'inserted' | 'forged' | 'seal missing' | 'key missing' | 'head';
  /** A sentence that names the entry. */
  text: string;
};

export type ChainReport = {
  isSound: boolean;
  faults: ChainFault[];
  /** The position behind which seals were verified; 0 for the whole chain. */
  from: number;
  sealed: number;
  /** The number of entries that are not yet sealed. */
  waiting: number;
  /** The last seal; a copy elsewhere shows later whether the end of the chain was removed. */
  head: ChainHead | null;
  /** Keys other than the first of SECRET_KEYS, and the last position that needs each. */
  olderKeys: { id: string; until: number; isHeld: boolean }[];
  /** Entries up to this position are verified by an anchor and do not need their keys. */
  anchoredUntil: number;
  /** The digest of the chain, for an anchor; null unless the whole was verified. */
  digest: string | null;
  /** From where a later verification can continue; null for an empty chain. */
  verified: VerifiedChain | null;
};

/** The action of an entry that anchors the chain (anchor-chain.ts). */
export const anchorAction = 'audit.anchored';

/** The content of an anchor's `after`: the chain up to a position, verified with all keys at that time. */
const anchorSchema = z.object({ position: z.int().positive(), hash: z.string(), digest: z.string() });

type Row = Sealed & { hash: string; keyId: string; isThere: boolean };

/** Further faults would only repeat the first ones. */
const maxFaults = 50;

/** What a verification of the chain up to a position has found, from which a later one continues. */
export const verifiedChain = z.object({
  position: z.int().positive(),
  hash: z.string(),
  /** The largest number of an entry up to the position. */
  lastAuditId: z.int(),
  /** The last position that needs each key. */
  needed: z.array(z.tuple([z.string(), z.int()])),
  anchoredUntil: z.int(),
});
export type VerifiedChain = z.output<typeof verifiedChain>;

/** Verifies the chain seal by seal, from the first one or behind a position that was verified before. */
export class ChainVerifier {
  readonly #faults: ChainFault[] = [];
  readonly #digest = new ChainDigest();
  readonly #digests = new Map<number, string>();
  /** The last position that needs each key, by key id. */
  #needed = new Map<string, number>();
  #head: ChainHead | null = null;
  #lastAuditId = 0;
  #sealed = 0;
  #anchoredUntil = 0;
  #isExpectedThere = false;

  constructor(
    private readonly keys: readonly AuditKey[],
    /** The positions that an anchor may refer to. */
    private readonly anchored: ReadonlySet<number>,
    private readonly expected: ChainHead | undefined,
    private readonly verified: VerifiedChain | null = null,
  ) {
    if (!verified) return;
    this.#head = { position: verified.position, hash: verified.hash };
    this.#lastAuditId = verified.lastAuditId;
    this.#sealed = verified.position;
    this.#needed = new Map(verified.needed);
    this.#anchoredUntil = verified.anchoredUntil;
  }

  step(row: Row): void {
    const { position, hash, keyId, auditId, isThere } = row;
    const before = this.#head ?? { position: 0, hash: '' };
    if (position === before.position + 1) this.#checkSeal(row, before.hash);
    else
      this.#report(
        'seal missing',
        `Seal ${position} follows seal ${before.position}: the seals in between were removed.`,
      );
    if (!isThere) this.#report('removed', `Entry ${auditId} was sealed at position ${position} and no longer exists.`);
    else this.#checkEntry(row);
    this.#isExpectedThere ||= position === this.expected?.position && hash === this.expected.hash;
    this.#digest.add(hash, keyId, toSealed(row));
    if (this.anchored.has(position)) this.#digests.set(position, this.#digest.toHex());
    this.#head = { position, hash };
    this.#lastAuditId = Math.max(this.#lastAuditId, auditId);
    this.#sealed += 1;
  }

  end(): Omit<ChainReport, 'isSound' | 'waiting' | 'from'> {
    for (const [id, until] of this.#needed) {
      if (this.#isHeld(id) || until <= this.#anchoredUntil) continue;
      this.#report(
        'key missing',
        `Entries up to position ${until} need the key "${id}", which is not in SECRET_KEYS, and no anchor covers them. Restore the key and run "npm run keys:rotate".`,
      );
    }
    if (this.expected && !this.#isExpectedThere) {
      const { position, hash } = this.expected;
      this.#report('head', `The seal ${position}:${hash} that was recorded earlier is no longer in the chain.`);
    }
    const older = [...this.#needed].filter(([id]) => id !== this.keys[0]?.id);
    return {
      faults: this.#faults,
      sealed: this.#sealed,
      head: this.#head,
      olderKeys: older.map(([id, until]) => ({ id, until, isHeld: this.#isHeld(id) })),
      anchoredUntil: this.#anchoredUntil,
      // The digest covers all seals from the first.
      digest: this.verified ? null : this.#digest.toHex(),
      verified: this.#head && {
        ...this.#head,
        lastAuditId: this.#lastAuditId,
        needed: [...this.#needed],
        anchoredUntil: this.#anchoredUntil,
      },
    };
  }

  #checkSeal(row: Row, previous: string): void {
    const { position, hash, keyId, auditId, isThere } = row;
    this.#needed.set(keyId, position);
    const key = this.keys.find(({ id }) => id === keyId);
    if (key && isThere && hash !== sealHash(key, previous, toSealed(row))) {
      this.#report('changed', describeChanged(auditId, position));
    }
  }

  #checkEntry(row: Row): void {
    const { position, auditId, content, mac } = row;
    if (content === null) return;
    const line = parseLine(content);
    const state = verifyLine(line, mac, this.keys);
    const keyId = getMacKeyId(mac);
    if (keyId) this.#needed.set(keyId, position);
    if (state === 'forged') this.#report('forged', `Entry ${auditId} differs from what the application wrote.`);
    if (state === 'authentic' && line.action === anchorAction && this.#isHeld(row.keyId)) {
      this.#acceptAnchor(row, anchorSchema.safeParse(line.after).data);
    }
  }

  #acceptAnchor({ auditId, position }: Row, facts: { position: number; digest: string } | undefined): void {
    if (!facts || facts.position >= position) return;
    if (this.#digests.get(facts.position) === facts.digest) {
      this.#anchoredUntil = Math.max(this.#anchoredUntil, facts.position);
    } else {
      const places = `up to position ${facts.position}`;
      this.#report(
        'changed',
        `Entries or seals ${places} differ from those covered by the anchor in entry ${auditId}.`,
      );
    }
  }

  readonly #isHeld = (keyId: string) => this.keys.some(({ id }) => id === keyId);

  #report(kind: ChainFault['kind'], text: string): void {
    if (this.#faults.length < maxFaults) this.#faults.push({ kind, text });
  }
}

const describeChanged = (auditId: number, position: number) =>
  `Entry ${auditId} differs from what was sealed, or its seal ${position} was changed.`;

const toSealed = ({ isThere, content, ...row }: Row): Sealed => ({ ...row, content: isThere ? content : null });
