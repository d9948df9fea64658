import { isDay, readTable, toAccountNumber, toCents, unreadableError } from './file';

/** A row of the list of bookings that banks export as CSV. */
export type BankRow = {
  /** The IBAN or number of the account; null when the file does not name it. */
  account: string | null;
  /** The booking day as YYYY-MM-DD. */
  day: string;
  /** Whether the file shows if its days begin with the day or the month; otherwise `day` was read with the day first. */
  isDayClear: boolean;
  /** Positive; `isCredit` says whether it reached the account. */
  amountCents: number;
  /** ISO 4217 code; null when the file does not name it. */
  currency: string | null;
  isCredit: boolean;
  /** Whether the bank says that it took a booking back. */
  isReversal: boolean;
  remittance: string;
  /** All cells: a reference may stand in a column that is not known. */
  text: string;
  payerName: string;
};

/**
 * The titles of columns in the languages of European and American banks, without accents and punctuation. The first
 * title that a file has is used; of texts, all.
 */
const titles = {
  day: 'booking date|bookingdate|date booked|posting date|date completed utc|completed date|date utc|buchungstag|buchungsdatum|buchung|data ksiegowania|data operacji|data transakcji|boekdatum|boekingsdatum|transactiedatum|date comptable|date operation|date d operation|fecha contable|fecha operacion|fecha de operacion|data contabile|data operazione|bogforingsdato|bokforingsdag|bokforingsdatum|transaction date|date|datum|data|fecha|dato',
  amount:
    'amount|betrag|betrag eur|betrag in eur|umsatz|umsatz in eur|kwota|kwota operacji|kwota transakcji|kwota w pln|montant|montant eur|importe|importe eur|importo|importo eur|bedrag|bedrag eur|belob|belopp|amount eur|amount usd|transaction amount',
  credit:
    'credit|credit amount|paid in|money in|haben|gutschrift|gutschrift in eur|gutschriften|uznania|wplywy|montant credit|credit euros|avere|accrediti|entrate|ingresos|abono|haber|bij|kredit',
  debit:
    'debit|debit amount|paid out|money out|soll|lastschrift|belastung|belastung in eur|belastungen|obciazenia|wydatki|montant debit|debit euros|dare|addebiti|uscite|gastos|cargo|debe|af|debet',
  sign: 'af bij|credit debit|debit credit|debit credit indicator|dr cr|cr dr|soll haben|soll haben kennzeichen|sens|type debit credit|bij af',
  currency:
    'currency|payment currency|wahrung|waehrung|waluta|waluta operacji|devise|divisa|moneda|muntsoort|munt|valuta',
  remittance:
    'verwendungszweck|verwendungszweck zeile 1|verwendungszweck zeile 2|buchungstext|remittance information|remittance|payment reference|reference|referenz|description|transaction description|details|payment details|memo|message|tytul|tytul operacji|tytul przelewu|opis|opis operacji|szczegoly transakcji|libelle|libelle operation|detail|omschrijving|omschrijving 1|omschrijving 2|omschrijving 3|mededelingen|mededeling|concepto|observaciones|causale|descrizione|betalingskenmerk|end to end id|end to end referenz|kundenreferenz end to end|kundenreferenz|tekst|text|rubrik',
  payer:
    'payer|payer name|sender|sender name|counterparty|counterparty name|partner name|beguenstigter zahlungspflichtiger|begunstigter zahlungspflichtiger|auftraggeber begunstigter|auftraggeber beguenstigter|name zahlungsbeteiligter|zahlungspflichtiger|zahlungspflichtige r|auftraggeber|auftraggeber empfanger|nadawca|kontrahent|dane kontrahenta|nadawca odbiorca|nazwa kontrahenta|naam tegenpartij|naam omschrijving|tegenpartij|ordenante|emetteur|ordinante|name',
  account:
    'iban auftragskonto|auftragskonto|iban bban|iban konto|kontonummer iban|own account|account number|account iban|account|rekening|rekeningnummer|rachunek|numer rachunku|compte|cuenta|konto',
  state: 'state|status|info|booking status|stan',
} as const;
type Column = keyof typeof titles;

const ibanPattern = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
/** An account number. Some banks write a name such as "EUR Main" where others have the number. */
const numberPattern = /^\d[\d/]{5,33}$/;
/** What stands in a column without a title when debits have no minus: Soll, Haben. */
const signPattern = /^(?:S|H|C|D|CR|DR)$/i;

/** The header stands below at most this number of lines, which name the account and the period. */
const mostLinesAbove = 40;

const normalize = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/ł/gi, 'l')
    .replace(/ß/g, 'ss')
    .replace(/ø/gi, 'o')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/**
 * Reads the list of bookings that a bank exports as CSV: its columns are recognized by their titles. Rows that the bank
 * has not booked yet are left out.
 * @throws AppError invalid_input for a file without a day and an amount, and for a row whose day or amount is not clear
 */
export function readBankTable(text: string): BankRow[] {
  const table = readTable(text, (lines) => lines.find((line) => isHeader(line.split(/[;,\t]/))) ?? lines[0] ?? '');
  const at = table.slice(0, mostLinesAbove).findIndex(isHeader);
  const header = table[at];
  if (!header) {
    throw unreadableError(
      'It is neither a camt.053 document nor a list of bookings: no line names a column for the day and one for the amount. Export the statement as camt.053.',
    );
  }
  const columns = new Map(header.map((title, column) => [normalize(title), column]));
  const find = (name: Column): number[] => titles[name].split('|').flatMap((title) => columns.get(title) ?? []);
  const rows = table.slice(at + 1).flatMap((cells, index) => {
    const all = (name: Column) => find(name).map((column) => (cells[column] ?? '').trim());
    const first = (name: Column) => all(name)[0] ?? '';
    const untitled = cells.filter((cell, column) => cell.trim() !== '' && (header[column] ?? '').trim() === '');
    const isFilled = first('day') !== '' && [...all('amount'), ...all('credit'), ...all('debit')].some(Boolean);
    return isFilled && isBooked(first('state')) && isBooked(first('day'))
      ? [{ cells, untitled, all, first, place: `Row ${at + index + 2}` }]
      : [];
  });
  const days = dayReader(rows.map(({ first }) => first('day')));
  const amounts = amountReader(rows.flatMap(({ all }) => [...all('amount'), ...all('credit'), ...all('debit')]));
  const findCurrency = (text: string | undefined) => /\b[A-Z]{3}\b/.exec(text?.replace('€', 'EUR') ?? '')?.[0] ?? null;
  const headerCurrency = findCurrency(header[find('amount')[0] ?? -1]);
  // The lines above the titles name the account, if no column does.
  const accountAbove =
    table
      .slice(0, at)
      .flat()
      .map(toAccountNumber)
      .find((cell) => ibanPattern.test(cell)) ?? null;
  const used = new Set([...find('day'), ...find('amount'), ...find('credit'), ...find('debit')]);
  return rows.map(({ cells, untitled, all, first, place }) => {
    const sign = first('sign') || (untitled.find((cell) => signPattern.test(cell.trim())) ?? '').trim();
    const signed = readSigned({ all, first, sign }, amounts, place);
    const currency =
      all('currency').find((cell) => /^[A-Z]{3}$/.test(cell)) ?? findCurrency(first('amount')) ?? headerCurrency;
    const texts = [...all('remittance').filter(Boolean), ...untitled.filter((cell) => !signPattern.test(cell.trim()))];
    const account = toAccountNumber(first('account'));
    const remittance =
      find('remittance').length > 0 ? texts : cells.filter((cell, column) => cell.trim() !== '' && !used.has(column));
    return {
      account: ibanPattern.test(account) || numberPattern.test(account) ? account : accountAbove,
      ...days(first('day'), place),
      amountCents: Math.abs(signed),
      currency,
      isCredit: signed > 0,
      isReversal: /\b(?:storno|reversal|reversed|reverted|extourne|storneering)\b/i.test(texts.join(' ')) && signed < 0,
      remittance: remittance.join(' ').replace(/\s+/g, ' ').trim(),
      text: cells.join(' '),
      payerName: all('payer').find(Boolean) ?? '',
    };
  });
}

function isHeader(cells: readonly string[]): boolean {
  const found = new Set(cells.map((cell) => normalize(cell.replace(/^"|"$/g, ''))));
  const has = (name: Column) => titles[name].split('|').some((title) => found.has(title));
  return has('day') && (has('amount') || has('credit'));
}

/** The states of bookings that are not final yet, or never will be; some banks write them instead of the day. */
const unbooked =
  /pending|vorgemerkt|declined|failed|revert|geweigerd|oczekuj|cancel|blocked|reject|abgelehnt|odrzuc|^offen$/i;
const isBooked = (state: string): boolean => !unbooked.test(state);

type Cells = { all: (name: Column) => string[]; first: (name: Column) => string; sign: string };

/** Reads the amount of a row, negative for a debit. */
function readSigned({ all, first, sign }: Cells, read: (text: string, place: string) => number, place: string): number {
  const amount = all('amount').find(Boolean);
  if (amount === undefined) {
    const [credit, debit] = [first('credit'), first('debit')].map((cell) => (cell === '' ? 0 : read(cell, place)));
    return credit || -Math.abs(debit ?? 0);
  }
  const cents = read(amount, place);
  if (sign === '') return cents;
  return /^(?:bij|credit|crdt|cr|c|h|haben|\+)$/i.test(sign) ? Math.abs(cents) : -Math.abs(cents);
}

/**
 * Creates the function that reads amounts in any notation. Where a file has both, a comma or a period before three digits
 * is a thousands separator if the other one separates decimals.
 */
function amountReader(all: readonly string[]): (text: string, place: string) => number {
  const decimalOf = (text: string) => /([.,])\d{1,2}\D*$/.exec(text)?.[1];
  const decimals = new Set(all.flatMap((text) => decimalOf(text) ?? []));
  return (text, place) => {
    const isNegative = /[-−(]\D*\d|\d\D*[-−)]\s*$|\bD(?:R|BIT)?\s*$/i.test(text.replace(/[A-Z]{3}\s*$/, ''));
    const digits = text.replace(/[^\d.,]/g, '');
    const own = decimalOf(digits) ?? (decimals.size === 1 ? [...decimals][0] : undefined);
    const isClear = own !== undefined || !/[.,]/.test(digits);
    const plain = own === '.' ? digits.replace(/,/g, '') : digits.replace(/\./g, '').replace(',', '.');
    const cents = isClear ? toCents(plain) : null;
    if (cents === null) throw unreadableError(`${place} has the amount "${text.slice(0, 40)}", which is not clear.`);
    return isNegative ? -cents : cents;
  };
}

/**
 * Creates the function that reads days. Of days such as 03/04/2026 and 03-04-2026, the month is first if another day of
 * the file shows it.
 */
function dayReader(all: readonly string[]): (text: string, place: string) => Pick<BankRow, 'day' | 'isDayClear'> {
  const parts = all.flatMap((text) => {
    const [, one, two] = /^(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}/.exec(text) ?? [];
    return one === undefined ? [] : [{ one: Number(one), two: Number(two) }];
  });
  const isMonthFirst = parts.some(({ two }) => two > 12);
  const isDayClear = parts.every(({ one, two }) => one === two) || parts.some(({ one, two }) => one > 12 || two > 12);
  return (text, place) => {
    const [, year, month, day] = /^(\d{4})-?\/?\.?(\d{2})-?\/?\.?(\d{2})/.exec(text) ?? [];
    const [, one, separator, two, last] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/.exec(text) ?? [];
    const [dayPart, monthPart] = separator !== '.' && isMonthFirst ? [two, one] : [one, two];
    const read =
      year !== undefined
        ? `${year}-${month}-${day}`
        : `${last?.length === 2 ? `20${last}` : last}-${monthPart?.padStart(2, '0')}-${dayPart?.padStart(2, '0')}`;
    if (!isDay(read)) throw unreadableError(`${place} has the day "${text.slice(0, 40)}", which is not clear.`);
    return { day: read, isDayClear };
  };
}
