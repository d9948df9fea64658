import type { SettlementType } from '@/db/schema/settlement';

/** A line of a provider's statement. Amounts are signed integer minor units of `currency` (upper case). */
export type StatementLine = {
  /** The provider's id of the line, unique in the statement. */
  reference: string;
  type: SettlementType;
  /** The provider's own type. */
  providerType: string;
  /** Positive increases the balance at the provider. Zero for fees. */
  grossMinor: number;
  /** A positive fee is a cost. The balance changes by gross less fee. */
  feeMinor: number;
  currency: string;
  /** The provider's object that the line is about, e.g. re_… or po_…; empty when it names none. */
  source: string;
  /** The payment of the line, and the top-up that this payment names; null when the line does not state it. */
  paymentReference: string | null;
  topupId: string | null;
  occurredAt: Date;
  availableOn: Date | null;
};

/** A time range of the statement: `from` inclusive, `until` exclusive. */
export type StatementWindow = { from: Date; until: Date };

type StatementPage = {
  lines: StatementLine[];
  /** Cursor of the next page of the window; null for the last one. */
  next: string | null;
  /** The earliest transaction on this page that is not final and must be read again. */
  openSince: Date | null;
};

/** Reads a provider's statement. */
export type SettlementReader = {
  /** The earliest time for which the provider has a statement. */
  earliest(now: Date): Date;
  /**
   * Returns the next window to read. It may overlap with the previous one, for lines that appear late.
   * @returns null while the provider has no further statement
   */
  nextWindow(readUntil: Date, now: Date): StatementWindow | null;
  /** @throws ProviderError when the provider does not respond, or the account may not read the statement */
  read(window: StatementWindow, cursor: string | null): Promise<StatementPage>;
};
