import { formatUsd } from '@/lib/money';
import type { ClientLine } from '@/lib/orders/requests/client-contract';

/**
 * The styles of `ClientLines`, which are the same behind a link, in a document without the styles of the marketplace, and in
 * the portal. They use --ink, --muted, --line, --card and --brand.
 */
export const clientLinesStyles = `
.request-lines{list-style:none;margin:0;padding:0;display:grid;gap:16px}
.request-line{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:16px;min-width:0;display:grid;gap:12px}
.request-line .head{display:flex;gap:4px 16px;justify-content:space-between;flex-wrap:wrap;align-items:baseline}
.request-line h2{font-size:18px;line-height:1.3;margin:0;overflow-wrap:anywhere;min-width:0}
.request-line .price{font-weight:600;font-variant-numeric:tabular-nums;white-space:nowrap}
.request-line p{margin:0;overflow-wrap:anywhere}.request-line .note{color:var(--muted)}
.request-line .figures{margin:0;display:grid;gap:8px 16px;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr))}
.request-line .figures div{min-width:0}.request-line dt{color:var(--muted);font-size:12px}.request-line dd{margin:0;font-variant-numeric:tabular-nums}
.request-line dd.origin{color:var(--muted);font-size:12px}
.request-line fieldset{border:0;margin:0;padding:0;min-width:0;display:grid;gap:8px;grid-template-columns:1fr 1fr}
.request-line legend{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
.request-line .choice{display:flex;flex-direction:row;gap:10px;align-items:center;min-height:48px;padding:10px 12px;border:1px solid var(--muted);border-radius:8px;font-weight:600;cursor:pointer}
.request-line .choice:has(:checked){border-color:var(--brand);box-shadow:inset 0 0 0 1px var(--brand)}
.request-line .choice input{width:20px;height:20px;min-height:0;margin:0;padding:0;flex:none;accent-color:var(--brand)}
.request-line .comment{display:grid;gap:6px;font-weight:600}
.request-line textarea{font:inherit;font-size:16px;font-weight:400;width:100%;box-sizing:border-box;min-height:72px;padding:10px 12px;border:1px solid var(--muted);border-radius:8px;background:transparent;color:inherit;resize:vertical}
`;

/** The names of the fields of a line in the form. */
export const choiceName = (id: string) => `choice.${id}`;
export const commentName = (id: string) => `comment.${id}`;

type ClientLinesProps = {
  lines: readonly ClientLine[];
  /** Whether the client can answer. */
  isOpen: boolean;
  /** What the form had when it was refused, by name. */
  sent?: ReadonlyMap<string, string>;
};

/** Renders the lines of a request with the agency's prices: fields of a form, or what was answered. Works without scripts. */
export function ClientLines({ lines, isOpen, sent }: ClientLinesProps) {
  return (
    <ul className="request-lines">
      {lines.map((line) => (
        <li key={line.id} className="request-line">
          <div className="head">
            <h2>{line.name}</h2>
            {line.priceCents === null ? null : <span className="price">{formatUsd(line.priceCents)}</span>}
          </div>
          {line.site ? <SiteFacts site={line.site} /> : null}
          <p>
            {line.anchor ? `Link “${line.anchor}” to ` : 'Link to '}
            <span className="note">{line.targetUrl}</span>
          </p>
          {isOpen ? <LineFields line={line} sent={sent} /> : <LineAnswer line={line} />}
        </li>
      ))}
    </ul>
  );
}

const SiteFacts = ({ site: { facts, figures } }: { site: NonNullable<ClientLine['site']> }) => (
  <>
    <p className="note">{facts.join(' · ')}</p>
    {figures.length > 0 ? (
      <dl className="figures">
        {figures.map(({ name, value, origin }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
            {origin ? <dd className="origin">{origin}</dd> : null}
          </div>
        ))}
      </dl>
    ) : null}
  </>
);

const choices = [
  ['approve', 'Approve'],
  ['decline', 'Strike'],
] as const;

function LineFields({ line: { id, name }, sent }: { line: ClientLine; sent: ReadonlyMap<string, string> | undefined }) {
  return (
    <>
      <fieldset>
        <legend>{`Your choice for ${name}`}</legend>
        {choices.map(([value, label]) => (
          <label key={value} className="choice">
            <input
              type="radio"
              name={choiceName(id)}
              value={value}
              required
              defaultChecked={sent?.get(choiceName(id)) === value}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <label className="comment">
        <span>
          Comment <span className="note">(optional)</span>
        </span>
        <textarea
          name={commentName(id)}
          maxLength={1_000}
          aria-label={`Comment on ${name}, optional`}
          defaultValue={sent?.get(commentName(id))}
        />
      </label>
    </>
  );
}

const answers: Record<ClientLine['state'], string> = {
  open: 'Not decided',
  approved: '✓ Approved',
  // By the client, or by the agency after an answer that was kept.
  declined: '✕ Not ordered',
};

const LineAnswer = ({ line: { state, comment } }: { line: ClientLine }) => (
  <>
    <p>
      <strong>{answers[state]}</strong>
    </p>
    {comment ? <p className="note">{`“${comment}”`}</p> : null}
  </>
);
