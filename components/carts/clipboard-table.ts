/** Matches a cell that a spreadsheet has quoted, up to the next tab, line break or the end. */
const quotedCell = /"((?:[^"]|"")*)"(?=\t|\r|\n|$)/y;
const plainCell = /[^\t\r\n]*/y;
const lineEnd = /\r\n|\r|\n/y;

/**
 * Parses the text that Excel, Google Sheets and LibreOffice copy: cells separated by tabs, rows by line breaks. A cell
 * with a tab or a line break is quoted, with its quotes doubled. Other quotes are part of the text.
 */
export function parseClipboardTable(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  while (at < text.length) {
    const quoted = take(quotedCell);
    row.push(quoted ? unquote(quoted[0], quoted[1] ?? '') : (take(plainCell)?.[0] ?? ''));
    if (text[at] === '\t') {
      at += 1;
      // A tab at the end separates an empty cell.
      if (at === text.length) row.push('');
      continue;
    }
    take(lineEnd);
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

/** Spreadsheets quote only where it is required, so that a word in quotes is a word in quotes. */
function unquote(cell: string, content: string): string {
  if (content !== '' && !/[\t\r\n"]/.test(content)) return cell;
  return content.replaceAll('""', '"').replace(/\r\n?/g, '\n');
}

/** Formats a table as spreadsheets copy it. `parseClipboardTable` is its inverse. */
export function formatClipboardTable(rows: readonly (readonly string[])[]): string {
  const formatCell = (cell: string) => (/[\t\r\n]|^"/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((row) => `${row.map(formatCell).join('\t')}\n`).join('');
}
